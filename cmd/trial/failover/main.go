// Package failover kills the primary of a replicated PostgreSQL under load and promotes its standby. `make
// failover` runs it; it needs PostgreSQL's programs, PgBouncer and the built server, and everything stays on
// loopback. With -patroni it needs Patroni and etcd in PgBouncer's place: they promote, and both servers
// reach the database directly.
//
// It makes a primary and a standby with synchronous replication, a PgBouncer in front of each, and two
// servers of ours, one that reaches the database through the poolers and one that does so directly, with the
// standby as its replica. Customers order and browse at both. Then all processes of the primary are killed at
// once, the standby is promoted after a while, and customers go on. It fails when an acknowledged order is
// lost or made twice, when an answer is another failure than 503 or takes longer than 10 s, or when requests
// fail for longer after the promotion than they may.
package failover

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// answerLimit is what contract 4.3 promises of a database that is lost.
const answerLimit = 10 * time.Second

type settings struct {
	server   string
	rounds   int
	clients  int
	before   time.Duration
	gap      time.Duration
	after    time.Duration
	recovery time.Duration
	patroni  bool
}

// cluster is what fails over.
type cluster struct {
	servers    [2]*stage.Server // ours
	said       [2]string        // how each reaches the database
	lose       func()           // ends the primary at once
	promote    func(context.Context)
	books      string       // URL of the database after the promotion
	complaints func() error // of our servers
}

// byHand is the cluster whose standby is promoted by hand.
func byHand(ctx context.Context, s *stage.Stage) *cluster {
	r := s.Replicate(ctx, customer.AlwaysInStock(), func(_, addr string) string { return addr })
	return &cluster{
		servers: r.Servers, said: [2]string{"through PgBouncer", "directly, with a replica"}, lose: r.Primary.Kill,
		promote: func(ctx context.Context) { must.Do(r.Standby.Promote(ctx)) },
		books:   r.Standby.URL("postgres"), complaints: r.Complaints,
	}
}

func Run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("failover", flag.ContinueOnError)
	flags.StringVar(&s.server, "server", "bin/storefront", "the program to serve with")
	flags.IntVar(&s.rounds, "rounds", 3, "failovers, each from the start")
	flags.IntVar(&s.clients, "clients", 8, "customers at each server")
	flags.DurationVar(&s.before, "before", 5*time.Second, "load before the primary is killed")
	flags.DurationVar(&s.gap, "gap", 2*time.Second, "time without a primary, while it is decided to promote")
	flags.DurationVar(&s.after, "after", 8*time.Second, "load after the promotion")
	flags.DurationVar(&s.recovery, "recovery", 5*time.Second, "how long requests may fail after the promotion")
	flags.BoolVar(&s.patroni, "patroni", false, "Patroni with etcd promotes, with two servers that find the primary by its hosts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	build := byHand
	if s.patroni {
		build = byPatroni
	}
	for n := range s.rounds {
		if err := stage.Run(s.server, func(at *stage.Stage) {
			must.In(fmt.Sprintf("failover %d", n+1), func() { failOver(ctx, s, at, build(ctx, at), n+1, out) })
		}); err != nil {
			return err
		}
	}
	return nil
}

// failOver has the standby of a cluster take over.
func failOver(ctx context.Context, s settings, at *stage.Stage, c *cluster, round int, out io.Writer) {
	shoppers, tallies := customer.EnterBoth(ctx, s.clients, [2]string{c.servers[0].Addr, c.servers[1].Addr})
	crowd := customer.Go(ctx, shoppers, customer.Shopping(4, 5*time.Millisecond))
	defer crowd.Stop()
	_ = customer.Wait(ctx, s.before) // an interrupt shows below
	orders := customer.Acknowledged(shoppers)
	for _, tally := range tallies {
		tally.Mark()
	}
	killed := time.Now()
	c.lose()
	_ = customer.Wait(ctx, s.gap)
	c.promote(ctx)
	promoted := time.Since(killed)
	_ = customer.Wait(ctx, s.after)
	faults := []error{crowd.Stop(), ctx.Err()}
	for i, tally := range tallies {
		from, until := tally.Gap()
		fmt.Fprintf(out, "failover %d, server %d (%s): %d requests, %v; failures from %v to %v after the kill, "+
			"promoted at %v; slowest answer %v\n", round, i+1, c.said[i], tally.Requests(), tally.Statuses(),
			from.Round(time.Millisecond), until.Round(time.Millisecond), promoted.Round(time.Millisecond),
			tally.Slowest().Round(time.Millisecond))
		if beyond := until - promoted; beyond > s.recovery {
			faults = append(faults, fmt.Errorf("requests at server %d fail until %v after the promotion", i+1, beyond))
		}
		faults = append(faults, tally.Verdict(answerLimit))
	}
	if err := errors.Join(append(faults, customer.Check(ctx, shoppers))...); err != nil {
		must.Do(err, c.complaints())
	}
	inTime := customer.Acknowledged(shoppers)
	fmt.Fprintf(out, "failover %d: %d orders acknowledged before the kill, %d in all: none lost, none twice, no restart\n",
		round, orders, inTime)
	must.Hold(inTime > orders, "nobody could order after the promotion")
	must.Do(at.CheckBooksAt(ctx, c.books))
}
