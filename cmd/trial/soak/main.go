// Package soak lets customers order and browse at two servers on a replicated PostgreSQL while the network to
// the databases fails in every way, again and again. `make soak` runs it; it needs PostgreSQL's programs,
// PgBouncer and the built server, and everything stays on loopback.
//
// One server reaches the primary through PgBouncer, the other one directly, beside a synchronous standby. Between
// the servers and each of these is a proxy that delays, swallows, cuts or drips. Each fault lasts some
// seconds. After that all requests must succeed within 5 s, without a restart. The command fails for a status
// of 500, an answer that takes longer than 8 s, a slower recovery, a lost or duplicated order, and growing
// memory or numbers of goroutines.
package soak

import (
	"context"
	"flag"
	"fmt"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/testkit/pgserver"
)

// Trial is the trial that `go run ./cmd/trial soak` runs.
var Trial = stage.Trial{Name: "soak", About: "disturb the network to the databases under load",
	Flags: func(f *flag.FlagSet) stage.Work {
		var t trial
		f.IntVar(&t.requests, "requests", 100_000,
			"requests after which it ends, once each fault was there; 1000000 for an evening")
		f.DurationVar(&t.atMost, "at-most", 4*time.Minute,
			"time after which it ends in any case, once each fault was there")
		return t.run
	}}

const (
	clients = 6               // customers at each server
	lasting = 4 * time.Second // how long a fault lasts
	rest    = 2 * time.Second // without a fault after a recovery
)

// trial is two servers under disturbance.
type trial struct {
	*stage.Replicated
	requests int
	atMost   time.Duration
	proxies  map[string]*pgserver.Proxy
	tallies  [2]*customer.Tally
	shoppers []*customer.Customer
	first    [2]use // the resources after the first round
}

// run lets customers shop while one fault follows another.
func (t *trial) run(ctx context.Context, s *stage.Stage) {
	t.proxies = map[string]*pgserver.Proxy{}
	t.Replicated = s.Replicate(ctx, customer.AlwaysInStock(), func(what, addr string) string {
		t.proxies[what] = s.Proxy(addr)
		return t.proxies[what].Addr()
	})
	t.shoppers, t.tallies = customer.EnterBoth(ctx, clients, t.Servers)
	crowd := customer.Go(ctx, t.shoppers, customer.Shopping(8, 0))
	failed := must.Run(func() { t.faults(ctx) })
	stopped := crowd.Stop()
	for i, tally := range t.tallies {
		t.Say("server %d: %s", i+1, tally.Now().Summary())
	}
	must.Do(failed, stopped, must.Run(func() { must.Do(customer.Check(ctx, t.shoppers), t.CheckBooks(ctx)) }))
	t.Say("%d orders acknowledged: none lost, none twice, no restart", customer.Acknowledged(t.shoppers))
}

// faults makes each fault in each place, until enough requests were sent.
func (t *trial) faults(ctx context.Context) {
	began := time.Now()
	customer.Pause(ctx, rest)
	for round := 1; ; round++ {
		for _, place := range []string{"primary", "bouncer"} {
			for _, fault := range []pgserver.Fault{pgserver.Latency, pgserver.Blackhole, pgserver.Reset,
				pgserver.Drip} {
				must.In(fmt.Sprintf("%s of the %s", fault, place), func() { t.suffer(ctx, place, fault) })
			}
		}
		t.measure(ctx, round)
		if ctx.Err() != nil || round > 1 && (t.sent() >= t.requests || time.Since(began) >= t.atMost) {
			t.Say("%d rounds of 8 faults in %v", round, time.Since(began).Round(time.Second))
			must.Do(ctx.Err())
			return
		}
	}
}

// suffer makes a fault, ends it, and fails if requests continue to fail.
func (t *trial) suffer(ctx context.Context, place string, fault pgserver.Fault) {
	before := t.sent()
	t.proxies[place].Become(fault)
	customer.Pause(ctx, lasting)
	t.proxies[place].Become(pgserver.None)
	ended := time.Now()
	for _, tally := range t.tallies {
		tally.Mark()
	}
	customer.Pause(ctx, customer.RecoveryLimit+rest)
	must.Do(ctx.Err()) // interrupted: no customer saw the fault
	var took time.Duration
	for i, tally := range t.tallies {
		count := tally.Now()
		if last := count.LastFailure; !last.IsZero() {
			took = max(took, last.Sub(ended))
		}
		err := count.Verdict(customer.AnswerLimit)
		if took > customer.RecoveryLimit {
			err = fmt.Errorf("requests fail %v after its end", took)
		}
		if err != nil {
			must.Do(fmt.Errorf("server %d: %w", i+1, err), stage.Complaints(t.Servers[:]...))
		}
	}
	t.Say("%s of the %s: %d requests, the last failure %v after its end", fault, place, t.sent()-before,
		took.Round(time.Millisecond))
}

// sent returns how many requests were sent.
func (t *trial) sent() int { return t.tallies[0].Requests() + t.tallies[1].Requests() }

// use is the resources that a server uses.
type use struct {
	memory     int64 // bytes
	goroutines int
}

// tolerated growth: idle resources vary from one moment to the next
const (
	moreMemory     = 48 << 20
	moreGoroutines = 60
)

// measure measures the servers after a round, taking the least of several samples as requests come and go. It
// fails if the resources grow after the first round, in which caches and pools fill.
func (t *trial) measure(ctx context.Context, round int) {
	for i, addr := range t.Metrics {
		now := use{1 << 62, 1 << 62}
		for range 5 {
			metrics := customer.Metrics(ctx, addr)
			memory, goroutines := int64(metrics["process_resident_memory_bytes"]), int(metrics["go_goroutines"])
			must.Hold(memory > 0 && goroutines > 0, "the metrics at %s lack memory or goroutines", addr)
			now = use{min(now.memory, memory), min(now.goroutines, goroutines)}
			customer.Pause(ctx, 50*time.Millisecond)
		}
		t.Say("round %d, server %d after %d requests: %d MiB, %d goroutines", round, i+1, t.tallies[i].Requests(),
			now.memory>>20, now.goroutines)
		if round == 1 {
			t.first[i] = now
		}
		must.In(fmt.Sprintf("server %d", i+1), func() { must.Do(t.first[i].grown(now)) })
	}
}

// grown fails if a server uses much more now than at first.
func (first use) grown(now use) error {
	if now.memory > first.memory+moreMemory || now.goroutines > first.goroutines+moreGoroutines {
		return fmt.Errorf("grows: %d MiB and %d goroutines after the first round, %d MiB and %d now",
			first.memory>>20, first.goroutines, now.memory>>20, now.goroutines)
	}
	return nil
}
