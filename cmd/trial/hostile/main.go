// Package hostile lets honest customers shop while others attack the service, on each kind of database. `make
// hostile` runs it; it needs TEST_POSTGRES_URL and the built server. Everything stays on loopback: each client
// has an address of its own, because the service has limits for each address. The addresses are in 127.0.0.0/8
// and, behind a proxy, in 10.0.0.0/8.
//
// A trial fills a database with the demo shops, a large shop and one with long texts, starts the server and
// registers the customers. They shop alone first, which gives the memory to compare with, then during
// the floods, and then during the holds (attacks.go). After each of these waves the memory must return to its bound and
// the books must balance. print lists the printed figures and judge the failures.
package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
)

// settings are the flags.
type settings struct {
	seed                                                    uint64
	atLeast, atMost, alone, settle                          time.Duration
	requests, shoppers, signingUp, products, articles, idle int

	// The bounds of a trial's figures.
	slowest time.Duration // 99 of 100 honest requests that are answered take less, and in floods three times as long
	refused float64       // share of honest requests that are refused for a while
	growth  float64       // of memory
	memory  int64         // MB that the server may use, as in a small container
}

// Trial is the trial that `go run ./cmd/trial hostile` runs.
var Trial = stage.Trial{Name: "hostile", About: "attack the service while customers shop", Kinds: stage.Databases,
	Flags: func(f *flag.FlagSet) stage.Work {
		var s settings
		f.Uint64Var(&s.seed, "seed", rand.Uint64(), "of what clients send; the same seed is not the same run")
		f.IntVar(&s.requests, "requests", 55_000, "requests in the floods")
		f.DurationVar(&s.atLeast, "at-least", time.Minute, "least time of floods, and of holds")
		f.DurationVar(&s.atMost, "at-most", 6*time.Minute, "time after which the attacks end in any case")
		f.DurationVar(&s.alone, "alone", 10*time.Second, "time in which honest customers shop alone before")
		f.DurationVar(&s.settle, "settle", 5*time.Minute, "most time that memory has to come back")
		f.IntVar(&s.shoppers, "shoppers", 6, "honest customers")
		f.IntVar(&s.signingUp, "newcomers", 12, "honest people who sign up")
		f.IntVar(&s.products, "products", 10_000, "products of the large shop")
		f.IntVar(&s.articles, "articles", 100, "articles of 100,000 letters in the shop of long texts")
		f.IntVar(&s.idle, "idle", 4000, "connections that are kept open and say nothing")
		f.DurationVar(&s.slowest, "p99", time.Second, "most time of 99 of 100 honest requests; floods: three times it")
		f.Float64Var(&s.refused, "refused", 0.1, "share of honest requests that may be answered with 429 or 503")
		f.Float64Var(&s.growth, "growth", 1.5, "memory afterwards, as a multiple of the memory before")
		f.Int64Var(&s.memory, "memory", 768, "MB that the server may use")
		return func(ctx context.Context, at *stage.Stage) {
			at.Say("seed %d", s.seed)
			at.New(ctx)
			at.Env = []string{"TRUSTED_PROXIES=127.0.0.0/8", fmt.Sprintf("GOMEMLIMIT=%dMiB", s.memory/5*4)}
			(&trial{Stage: at, settings: s}).run(ctx)
		}
	}}

// verdict is the result of a trial.
type verdict struct {
	*trial
	wave
	lasted              time.Duration
	before, peak, after int64 // bytes of memory
	settled             time.Duration
	log                 []byte
	books               error
}

// print writes all figures and returns those beyond their bounds as an error.
func (v verdict) print() error {
	table := tabwriter.NewWriter(v.Out, 0, 0, 2, ' ', 0)
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
	v.Say("%s together: %d requests, p50 %s, p99 %s", honest, customers.Requests(),
		round(customers.Quantile(0.5)), round(customers.Quantile(0.99)))
	for i, n := range v.newcomers {
		v.Say("newcomer %d: signed up %d times, %s at most until a code was used, %d times told 429 or 503, %d times "+
			"without a code", i+1, n.signedUp, n.slowest.Round(time.Millisecond), n.refused, n.late)
	}
	v.Say("memory: %d MB before, %d MB at most, %d MB %s later (%.2f times)", v.before/mb, v.peak/mb, v.after/mb,
		v.settled.Round(time.Second), v.grown())
	return v.judge()
}

const mb = 1 << 20

// grown returns the memory afterwards as a multiple of the memory before.
func (v verdict) grown() float64 { return float64(v.after) / float64(max(v.before, 1)) }

// judge returns the figures beyond their bounds as an error.
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
	never := 0
	for _, n := range v.newcomers {
		if n.signedUp == 0 {
			never++
		}
	}
	fail(v.lasted > longestCode && 3*never > len(v.newcomers), "%d of %d newcomers never signed up", never,
		len(v.newcomers))
	customers, _ := v.tallies.Together(honest)
	p99, lost, again := customers.Quantile(0.99), customers.Share(0), customers.Share(429, 503)
	fail(p99 > v.wave.slowest, "%s: honest customers waited %s, more than %s", v.name, round(p99), v.wave.slowest)
	fail(lost > 0.01, "%.1f%% of honest requests got no answer", 100*lost)
	fail(again > v.refused, "%.1f%% of honest requests were told to come again", 100*again)
	fail(v.grown() > v.growth, "memory is %.2f times that before, %s after the attacks", v.grown(),
		v.settled.Round(time.Second))
	fail(v.peak > v.memory*mb, "the server used %d MB, more than %d", v.peak/mb, v.memory)
	n, first := errorsIn(v.log)
	fail(n > 0, "the log has %d errors, the first is %s", n, first)
	return errors.Join(failed...)
}

// errorsIn counts the errors in a log, and returns the first.
func errorsIn(log []byte) (n int, first string) {
	for line := range bytes.Lines(log) {
		var record struct{ Level string }
		if json.Unmarshal(line, &record) != nil || record.Level == "ERROR" { // a panic is not in JSON
			if n++; n == 1 {
				first = customer.Short(line)
			}
		}
	}
	return n, first
}

// round rounds a time for printing.
func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// client sends requests from one loopback address.
type client struct {
	customer.Client
	random *rand.Rand
}

// newClient returns a client at an address of 127.0.0.0/8.
func (t *trial) newClient(address string, counts *customer.Tally) *client {
	return (&client{Client: customer.Client{Base: func() string { return t.server.Addr }, Tally: counts},
		random: rand.New(rand.NewPCG(t.seed, t.clients.Add(1)))}).at(t, address)
}

// at returns a copy of the client at another address.
func (c client) at(t *trial, address string) *client {
	c.Web = t.sender(address)
	return c.as(forwarded(address))
}

// forwarded returns the address that stands for one of 127.0.0.0/8 in X-Forwarded-For. The service trusts
// addresses of 127.0.0.0/8 as proxies and gives them no limits, because each may stand for many clients.
func forwarded(address string) string { return "10" + strings.TrimPrefix(address, "127") }

// as returns a copy of the client behind a proxy that reports another address.
func (c client) as(address string) *client {
	c.Headers = []string{"X-Forwarded-For", address}
	return &c
}

// body is a body of a request.
type body = map[string]any

func (c *client) post(ctx context.Context, path string, b body) customer.Answer {
	return c.REST(ctx, http.MethodPost, path, b)
}

// sender returns the HTTP client of an address, which keeps its connections.
func (t *trial) sender(address string) *http.Client {
	made, _ := t.senders.LoadOrStore(address, customer.Web(address))
	return made.(*http.Client)
}

// pick returns a random one of the values.
func pick[T any](r *rand.Rand, values []T) T { return values[r.IntN(len(values))] }

// repeated returns n copies of part; %d in a copy is replaced by its number.
func repeated(n int, part string) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(strings.ReplaceAll(part, "%d", fmt.Sprint(i)))
	}
	return all.String()
}
