// Package tiers measures the processor time of a read on each tier: the servers, the primary and the standby.
// It compares one server with two, each with the standby as a replica and without. `make tiers` runs it in two
// minutes; it needs PostgreSQL's programs and the built server, and everything stays on loopback.
//
// It prints processor time rather than reads per second, as everything shares one machine here. For the same
// reason two servers together have as many customers as one. Adding a server and a replica must not make a read
// much more expensive: the command fails if the reads per processor second of two servers with a replica are
// far below those of one server without.
package tiers

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial tiers` runs.
var Trial = stage.Trial{Name: "tiers", About: "measure what a read costs server, primary and standby",
	Flags: func(f *flag.FlagSet) stage.Work {
		var t trial
		f.StringVar(&t.cache, "cache", "0", "CACHE_SIZE of the servers; 0: each read is computed")
		return func(ctx context.Context, s *stage.Stage) {
			t.Stage = s
			t.run(ctx)
		}
	}}

const (
	clients = 8               // customers who read, shared out between the servers
	take    = 4 * time.Second // how long a setup is measured in a round, after as long a warming
	rounds  = 3               // of which the median is printed
	least   = 0.75            // the ratio of reads per processor second below which it fails
)

type trial struct {
	*stage.Stage
	cache string
}

// setup is an arrangement of servers that is measured.
type setup struct {
	servers int
	replica bool
}

func (s setup) String() string {
	return fmt.Sprintf("%d server%s, %s", s.servers, []string{"", "s"}[min(s.servers-1, 1)],
		map[bool]string{true: "with a replica", false: "no replica"}[s.replica])
}

// cost is the number of reads, and the processor time that they took.
type cost struct {
	reads                     int
	time                      time.Duration
	servers, primary, standby time.Duration // processor time
}

func (c cost) all() time.Duration { return c.servers + c.primary + c.standby }

// perSecond returns the number of reads in a second of processor time, all tiers together.
func (c cost) perSecond() float64 { return float64(c.reads) / c.all().Seconds() }

func (t *trial) run(ctx context.Context) {
	t.Own(ctx, "hot_standby_feedback = on")
	t.Env = []string{"CACHE_SIZE=" + t.cache}
	t.Import(ctx, customer.AlwaysInStock())
	t.Follow(ctx)
	setups := []setup{{1, false}, {1, true}, {2, false}, {2, true}}
	found := make([][]cost, len(setups))
	for range rounds {
		for i, what := range setups {
			must.In(what.String(), func() { found[i] = append(found[i], t.measure(ctx, what)) })
		}
	}
	fmt.Fprintln(t.Out,
		"setup                      reads/s  servers  primary  standby  together  (µs of a processor a read)  "+
			"reads per processor second")
	for i, what := range setups {
		c := median(found[i])
		each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(c.reads) }
		fmt.Fprintf(t.Out, "%-25s %8.0f %8.0f %8.0f %8.0f %9.0f %57.0f\n", what, float64(c.reads)/c.time.Seconds(),
			each(c.servers), each(c.primary), each(c.standby), each(c.all()), c.perSecond())
	}
	ratio := median(found[len(found)-1]).perSecond() / median(found[0]).perSecond()
	t.Say("two servers with a replica do %.2f times the reads per processor second of one without", ratio)
	must.Hold(ratio >= least, "the work became dearer: %.2f", ratio)
	must.Do(ctx.Err())
}

// median returns the median measurement by reads per processor second.
func median(all []cost) cost {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b cost) int {
		return cmp.Compare(a.perSecond(), b.perSecond())
	})
	return sorted[len(sorted)/2]
}

// measure starts servers and lets customers read.
func (t *trial) measure(ctx context.Context, what setup) cost {
	var more []string
	if what.replica {
		more = append(more, "DATABASE_REPLICA_URL="+t.Standby.URL("postgres"))
	}
	var servers []*stage.Server
	for range what.servers {
		one := t.Serve(ctx, more...)
		defer one.Stop()
		servers = append(servers, one)
	}
	tally := &customer.Tally{}
	readers := make([]*customer.Customer, clients)
	for i := range readers {
		readers[i] = customer.Visitor(i, servers[i%what.servers].Addr, tally)
	}
	customer.For(ctx, take, readers, customer.Browsing) // until each connection has planned each statement
	began := time.Now()
	taken := func() cost {
		now := cost{reads: tally.Requests(), time: time.Since(began),
			primary: must.Get(t.Primary.CPU()), standby: must.Get(t.Standby.CPU())}
		for _, one := range servers {
			now.servers += one.CPU()
		}
		return now
	}
	first := taken()
	customer.For(ctx, take, readers, customer.Browsing)
	last := taken()
	statuses := tally.Now().Statuses
	must.Hold(len(statuses) == 1 && statuses[200] > 0, "answers by status: %v", statuses)
	return cost{reads: last.reads - first.reads, time: last.time - first.time,
		servers: last.servers - first.servers, primary: last.primary - first.primary,
		standby: last.standby - first.standby}
}
