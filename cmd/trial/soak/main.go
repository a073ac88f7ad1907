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
	"strconv"
	"strings"
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
	flags.IntVar(&s.requests, "requests", 100_000,
		"requests after which it ends, once each fault was there; 1000000 for an evening")
	flags.DurationVar(&s.atMost, "at-most", 4*time.Minute,
		"time after which it ends in any case, once each fault was there")
	flags.IntVar(&s.clients, "clients", 6, "customers at each server")
	flags.DurationVar(&s.fault, "fault", 4*time.Second, "how long a fault lasts")
	flags.DurationVar(&s.rest, "rest", 2*time.Second, "time without a fault after a recovery")
	flags.DurationVar(&s.recovery, "recovery", 5*time.Second, "how long requests may fail after a fault")
	flags.DurationVar(&s.answer, "answer", 8500*time.Millisecond,
		"how long an answer may take: 8 s, and what the client itself takes")
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
		count := tally.Now()
		if last := count.LastFailure; !last.IsZero() {
			took = max(took, last.Sub(ended))
		}
		if took > t.recovery {
			must.Do(fmt.Errorf("requests at server %d fail %v after its end", i+1, took), t.Complaints())
		}
		if err := count.Verdict(t.answer); err != nil {
			must.Do(fmt.Errorf("server %d: %w", i+1, err), t.Complaints())
		}
	}
	fmt.Fprintf(t.out, "soak: %s of the %s: %d requests, the last failure %v after its end\n", fault, place,
		t.sent()-before, took.Round(time.Millisecond))
}

// sent is how many requests were sent.
func (t *trial) sent() int { return t.tallies[0].Requests() + t.tallies[1].Requests() }

// use is what a server takes.
type use struct {
	memory     int64 // bytes
	goroutines int
}

// Growth within noise: what is idle at one moment may not be at another.
const (
	moreMemory     = 48 << 20
	moreGoroutines = 60
)

// measure notes what the servers take after a round, and fails when that grows from the second round on: in the first
// one caches and pools fill.
func (t *trial) measure(ctx context.Context, round int) {
	for i := range t.Servers {
		now := t.useOf(ctx, i)
		fmt.Fprintf(t.out, "soak: round %d, server %d after %d requests: %d MiB, %d goroutines\n", round, i+1,
			t.tallies[i].Requests(), now.memory>>20, now.goroutines)
		if round == 1 {
			t.first[i] = now
		}
		must.In(fmt.Sprintf("server %d", i+1), func() { must.Do(t.first[i].grown(now)) })
	}
}

// grown fails where a server takes much more now than it took first.
func (first use) grown(now use) error {
	if now.memory > first.memory+moreMemory || now.goroutines > first.goroutines+moreGoroutines {
		return fmt.Errorf("grows: %d MiB and %d goroutines after the first round, %d MiB and %d now",
			first.memory>>20, first.goroutines, now.memory>>20, now.goroutines)
	}
	return nil
}

// useOf reads the least of some looks at a server's metrics, as requests come and go.
func (t *trial) useOf(ctx context.Context, server int) (least use) {
	for n := range 5 {
		now := must.Get(readUse(ctx, t.Metrics[server]))
		if n == 0 {
			least = now
		}
		least = use{min(least.memory, now.memory), min(least.goroutines, now.goroutines)}
		_ = customer.Wait(ctx, 50*time.Millisecond)
	}
	return least
}

func readUse(ctx context.Context, addr string) (now use, err error) {
	a := customer.Get(ctx, addr, "/metrics")
	if err := a.Read(nil); err != nil {
		return now, err
	}
	for line := range strings.Lines(string(a.Body)) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		value, _ := strconv.ParseFloat(text, 64) // another line's text
		switch name {
		case "process_resident_memory_bytes":
			now.memory = int64(value)
		case "go_goroutines":
			now.goroutines = int(value)
		}
	}
	if now.memory == 0 || now.goroutines == 0 {
		return now, fmt.Errorf("the metrics at %s lack memory or goroutines", addr)
	}
	return now, nil
}

// end compares the orders with what was acknowledged, and prints what became of the requests.
func (t *trial) end(ctx context.Context) {
	for i, tally := range t.tallies {
		count := tally.Now()
		fmt.Fprintf(t.out, "soak: server %d: %d requests, %v; slowest answer %v\n", i+1, count.Requests(),
			count.Statuses, count.Slowest.Took.Round(time.Millisecond))
	}
	must.Do(customer.Check(ctx, t.shoppers), t.CheckBooks(ctx))
	fmt.Fprintf(t.out, "soak: %d orders acknowledged: none lost, none twice, no restart\n",
		customer.Acknowledged(t.shoppers))
}
