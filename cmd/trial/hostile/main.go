// Package hostile lets honest customers shop while others attack the service, on each kind of database.
// `make hostile` runs it; it needs TEST_POSTGRES_URL and the built server. Everything stays on loopback:
// each client has an address of its own, as the service limits and shares by address, in 127.0.0.0/8 and, as
// behind a proxy, in 10.0.0.0/8.
//
// A trial fills a database with the demo shops, a large shop and one of long texts, starts the server and
// registers the customers. They shop alone first, which gives the memory to compare with, and then beside
// the attacks of attacks.go, all at once, until enough requests were sent. Afterwards the memory must come
// back, the books must hold and the server must end in order. verdict.go has what is printed and what fails
// a trial.
package hostile

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"storefront/cmd/internal/stage"
)

// settings are the flags.
type settings struct {
	server    string
	only      string
	attacks   string
	seed      uint64
	requests  int
	atLeast   time.Duration
	atMost    time.Duration
	alone     time.Duration
	settle    time.Duration
	shoppers  int
	signingUp int // newcomers
	products  int
	articles  int
	idle      int
	bounds    bounds
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("hostile", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "bin/storefront", "the program to attack")
	flags.StringVar(&s.only, "only", "", "one kind of database alone: sqlite or postgres")
	flags.StringVar(&s.attacks, "attacks", "", "some attacks alone, separated by commas; empty: all")
	flags.Uint64Var(&s.seed, "seed", rand.Uint64(), "of what clients send; the same seed is not the same run")
	flags.IntVar(&s.requests, "requests", 55_000, "requests on each kind of database")
	flags.DurationVar(&s.atLeast, "at-least", time.Minute, "time of the attacks on each kind of database")
	flags.DurationVar(&s.atMost, "at-most", 6*time.Minute, "time after which the attacks end in any case")
	flags.DurationVar(&s.alone, "alone", 10*time.Second, "time in which honest customers shop alone before")
	flags.DurationVar(&s.settle, "settle", 5*time.Minute, "most time that memory has to come back")
	flags.IntVar(&s.shoppers, "shoppers", 6, "honest customers")
	flags.IntVar(&s.signingUp, "newcomers", 12, "honest people who sign up")
	flags.IntVar(&s.products, "products", 10_000, "products of the large shop")
	flags.IntVar(&s.articles, "articles", 100, "articles of 100,000 letters in the shop of long texts")
	flags.IntVar(&s.idle, "idle", 4000, "connections that are kept open and say nothing")
	flags.DurationVar(&s.bounds.slowest, "p99", time.Second, "most time of 99 of 100 honest requests")
	flags.Float64Var(&s.bounds.refused, "refused", 0.1, "share of honest requests that may be told 429 or 503")
	flags.Float64Var(&s.bounds.growth, "growth", 1.5, "memory afterwards, as a multiple of the memory before")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintf(out, "seed %d\n", s.seed)
	return stage.Each(ctx, s.only, s.server, func(at *stage.Stage) {
		at.Env = []string{"TRUSTED_PROXIES=127.0.0.0/8"}
		t := &trial{Stage: at, settings: s, out: out}
		t.run(ctx)
	})
}
