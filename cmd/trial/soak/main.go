// Package soak lets customers order and browse at two servers on a replicated PostgreSQL while the network to
// the databases fails in every way, again and again. `make soak` runs it; it needs PostgreSQL's programs,
// PgBouncer and the built server, and everything stays on loopback.
//
// The servers, the primary, the standby and the poolers are those of make failover. Between our servers and
// each database, replica and pooler stands a proxy that delays, swallows, cuts or drips. Each fault lasts
// some seconds; then all must be well within 5 s, without a restart. The command fails for a 500, an answer
// that takes longer than 8 s, a slower recovery, an order that is lost or made twice, and memory or
// goroutines that grow.
package soak

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

type settings struct {
	server   string
	requests int
	atMost   time.Duration
	clients  int
	fault    time.Duration
	recovery time.Duration
	answer   time.Duration
	rest     time.Duration
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "bin/storefront", "the program to serve with")
	flags.IntVar(&s.requests, "requests", 100_000, "requests after which it ends, once each fault was there; 1000000 for an evening")
	flags.DurationVar(&s.atMost, "at-most", 4*time.Minute, "time after which it ends in any case, once each fault was there")
	flags.IntVar(&s.clients, "clients", 6, "customers at each server")
	flags.DurationVar(&s.fault, "fault", 4*time.Second, "how long a fault lasts")
	flags.DurationVar(&s.rest, "rest", 2*time.Second, "time without a fault after a recovery")
	flags.DurationVar(&s.recovery, "recovery", 5*time.Second, "how long requests may fail after a fault")
	flags.DurationVar(&s.answer, "answer", 8500*time.Millisecond, "how long an answer may take: 8 s, and what the client itself takes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return stage.Run(s.server, func(at *stage.Stage) { soak(ctx, s, at, out) })
}

// trial is what is soaked.
type trial struct {
	settings
	*stage.Replicated
	out      io.Writer
	proxies  map[string]*stage.Proxy
	tallies  [2]*customer.Tally
	shoppers []*customer.Customer
	first    [2]use // after the first round
}

// soak lets customers shop while one fault follows another.
func soak(ctx context.Context, s settings, at *stage.Stage, out io.Writer) {
	t := &trial{settings: s, out: out, proxies: map[string]*stage.Proxy{}}
	t.Replicated = at.Replicate(ctx, customer.AlwaysInStock(), func(what, addr string) string {
		t.proxies[what] = at.Proxy(addr)
		return t.proxies[what].Addr
	})
	t.shoppers, t.tallies = customer.EnterBoth(ctx, s.clients, [2]string{t.Servers[0].Addr, t.Servers[1].Addr})
	crowd := customer.Go(ctx, t.shoppers, customer.Shopping(8, 0))
	must.Do(must.Run(func() { t.faults(ctx) }), crowd.Stop(), must.Run(func() { t.end(ctx) }))
}

// faults makes each fault in each place until there were enough requests.
func (t *trial) faults(ctx context.Context) {
	began := time.Now()
	_ = customer.Wait(ctx, t.rest) // an interrupt ends the rounds
	for round := 1; ; round++ {
		for _, place := range []string{"primary", "bouncer 0", "replica"} {
			for _, fault := range []stage.Fault{stage.Latency, stage.Blackhole, stage.Reset, stage.Drip} {
				must.In(fmt.Sprintf("%s of the %s", fault, place), func() { t.suffer(ctx, place, fault) })
			}
		}
		t.measure(ctx, round)
		if ctx.Err() != nil || round > 1 && (t.sent() >= t.requests || time.Since(began) >= t.atMost) {
			fmt.Fprintf(t.out, "soak: %d rounds of 12 faults in %v\n", round, time.Since(began).Round(time.Second))
			must.Do(ctx.Err())
			return
		}
	}
}

// suffer makes a fault, ends it, and fails when requests go on failing.
func (t *trial) suffer(ctx context.Context, place string, fault stage.Fault) {
	before := t.sent()
	t.proxies[place].Become(fault)
	_ = customer.Wait(ctx, t.fault)
	t.proxies[place].Become(stage.None)
	ended := time.Now()
	for _, tally := range t.tallies {
		tally.Mark()
	}
	_ = customer.Wait(ctx, t.recovery+t.rest)
	must.Do(ctx.Err()) // interrupted: no customer was there to meet the fault
	var took time.Duration
	for i, tally := range t.tallies {
		if last := tally.LastFailure(); !last.IsZero() {
			took = max(took, last.Sub(ended))
		}
		if took > t.recovery {
			must.Do(fmt.Errorf("requests at server %d fail %v after its end", i+1, took), t.Complaints())
		}
		if err := tally.Verdict(t.answer); err != nil {
			must.Do(fmt.Errorf("server %d: %w", i+1, err), t.Complaints())
		}
	}
	fmt.Fprintf(t.out, "soak: %s of the %s: %d requests, the last failure %v after its end\n", fault, place,
		t.sent()-before, took.Round(time.Millisecond))
}

// sent is how many requests were sent.
func (t *trial) sent() int { return t.tallies[0].Requests() + t.tallies[1].Requests() }
