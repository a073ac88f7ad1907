// Package hostile lets honest customers shop while others attack the service, on each kind of database.
// `make hostile` runs it; it needs TEST_POSTGRES_URL and the built server. Everything stays on loopback:
// each client has an address of its own, as the service limits and shares by address, in 127.0.0.0/8 and, as
// behind a proxy, in 10.0.0.0/8.
//
// A trial fills a database with the demo shops, a large shop and one of long texts, starts the server and
// registers the customers. They shop alone first, which gives the memory to compare with, and then beside
// the attacks of attacks.go, all at once, until enough requests were sent. Afterwards the memory must come
// back, the books must hold and the server must end in order. print has what is printed and judge what
// fails a trial.
package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"text/tabwriter"
	"time"

	"storefront/cmd/internal/customer"
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

// bounds are what a trial must keep to.
type bounds struct {
	slowest time.Duration // 99 of 100 honest requests that are not told to come again
	refused float64       // share of honest requests that are
	growth  float64       // of memory
}

// verdict is what a trial has shown.
type verdict struct {
	*trial
	lasted              time.Duration
	before, peak, after int64 // bytes of memory
	settled             time.Duration
	log                 []byte
	books               error
}

// print writes all figures and returns what is beyond bounds.
func (v verdict) print() error {
	fmt.Fprintf(v.out, "\n%s: %d requests in %s\n", v.Kind, v.tallies.Requests(), v.lasted.Round(time.Second))
	table := tabwriter.NewWriter(v.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\trequests\tp50\tp99\tanswers")
	for _, name := range v.tallies.Names() {
		counts := v.tallies.Of(name).Now()
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\n", name, counts.Requests(), round(counts.Quantile(0.5)),
			round(counts.Quantile(0.99)), counts)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	customers, _ := v.tallies.Together(honest)
	fmt.Fprintf(v.out, "%s together: %d requests, p50 %s, p99 %s\n", honest, customers.Requests(),
		round(customers.Quantile(0.5)), round(customers.Quantile(0.99)))
	for i, n := range v.newcomers {
		fmt.Fprintf(v.out, "newcomer %d: signed up %d times, %s at most until a code was used, %d times told 429\n",
			i+1, n.signedUp, n.slowest.Round(time.Millisecond), n.refused)
	}
	const mb = 1 << 20
	fmt.Fprintf(v.out, "memory: %d MB before, %d MB at most, %d MB %s later (%.2f times)\n",
		v.before/mb, v.peak/mb, v.after/mb, v.settled.Round(time.Second), v.growth())
	return v.judge()
}

// growth is the memory afterwards as a multiple of the memory before.
func (v verdict) growth() float64 { return float64(v.after) / float64(max(v.before, 1)) }

// judge returns what is beyond bounds.
func (v verdict) judge() error {
	failed := []error{v.books}
	fail := func(beyond bool, format string, args ...any) {
		if beyond {
			failed = append(failed, fmt.Errorf(format, args...))
		}
	}
	for _, name := range v.tallies.Names() {
		for _, broken := range v.tallies.Of(name).Now().Broken {
			fail(true, "%s: %s", name, broken)
		}
	}
	for i, n := range v.newcomers {
		fail(n.signedUp == 0 && v.lasted > longestCode || n.refused > 0 && v.bounds.refused < 1,
			"newcomer %d signed up %d times and was told 429 %d times for what others did", i+1, n.signedUp,
			n.refused)
	}
	customers, _ := v.tallies.Together(honest)
	p99, lost, again := customers.Quantile(0.99), customers.Share(0), customers.Share(429, 503)
	fail(p99 > v.bounds.slowest, "honest customers waited %s, more than %s", round(p99), v.bounds.slowest)
	fail(lost > 0.01, "%.1f%% of honest requests got no answer", 100*lost)
	fail(again > v.bounds.refused, "%.1f%% of honest requests were told to come again", 100*again)
	fail(v.growth() > v.bounds.growth, "memory is %.2f times that before, %s after the attacks", v.growth(),
		v.settled.Round(time.Second))
	n, first := errorsIn(v.log)
	fail(n > 0, "the log has %d errors, the first is %s", n, first)
	return errors.Join(failed...)
}

// errorsIn counts the errors in a log.
func errorsIn(log []byte) (n int, first string) {
	for line := range bytes.Lines(log) {
		var record struct{ Level string }
		if json.Unmarshal(line, &record) != nil || record.Level == "ERROR" { // a panic is no record
			if n++; n == 1 {
				first = customer.Short(line)
			}
		}
	}
	return n, first
}

// round cuts a time to what matters.
func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
