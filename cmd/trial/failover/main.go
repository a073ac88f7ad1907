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
	promote    func(ctx context.Context) error
	check      func(ctx context.Context) error // of the books, after the promotion
	complaints func() error                    // of our servers
	close      func() error
}

// byHand is the cluster whose standby is promoted by hand.
func byHand(ctx context.Context, binary string) (*cluster, error) {
	r, err := stage.NewReplicated(ctx, binary, customer.AlwaysInStock(), nil)
	if err != nil {
		return nil, err
	}
	return &cluster{
		servers: r.Servers, said: [2]string{"through PgBouncer", "directly, with a replica"}, lose: r.Primary.Kill,
		promote:    r.Standby.Promote,
		check:      func(ctx context.Context) error { return r.CheckBooksAt(ctx, r.Standby.URL("postgres")) },
		complaints: r.Complaints, close: r.Close,
	}, nil
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
	for n := range s.rounds {
		if err := failOver(ctx, s, n+1, out); err != nil {
			return fmt.Errorf("failover %d: %w", n+1, err)
		}
	}
	return nil
}

// failOver makes everything, and has the standby take over.
func failOver(ctx context.Context, s settings, round int, out io.Writer) (err error) {
	build := byHand
	if s.patroni {
		build = byPatroni
	}
	c, err := build(ctx, s.server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	tallies := [2]*customer.Tally{customer.NewTally(), customer.NewTally()}
	shoppers, err := customer.EnterAll(ctx, 2*s.clients, func(i int) customer.Client {
		return customer.Client{Base: customer.At(c.servers[i%2].Addr), Tally: tallies[i%2]}
	})
	if err != nil {
		return err
	}
	crowd := customer.Go(ctx, shoppers, shop)
	defer crowd.Stop()
	_ = customer.Wait(ctx, s.before) // an interrupt shows below
	orders := customer.Acknowledged(shoppers)
	for _, tally := range tallies {
		tally.Mark()
	}
	killed := time.Now()
	c.lose()
	_ = customer.Wait(ctx, s.gap)
	if err := c.promote(ctx); err != nil {
		return err
	}
	promoted := time.Now()
	_ = customer.Wait(ctx, s.after)
	faults := []error{crowd.Stop(), ctx.Err()}
	for i, tally := range tallies {
		from, until := tally.Gap()
		beyond := until - promoted.Sub(killed)
		fmt.Fprintf(out, "failover %d, server %d (%s): %d requests, %v; failures from %v to %v after the kill, promoted at %v; "+
			"slowest answer %v\n", round, i+1, c.said[i], tally.Requests(),
			tally.Statuses(), from.Round(time.Millisecond), until.Round(time.Millisecond),
			promoted.Sub(killed).Round(time.Millisecond), tally.Slowest().Round(time.Millisecond))
		if beyond > s.recovery {
			faults = append(faults, fmt.Errorf("requests at server %d fail until %v after the promotion", i+1, beyond))
		}
		faults = append(faults, tally.Verdict(answerLimit))
	}
	if err := errors.Join(append(faults, customer.Check(ctx, shoppers))...); err != nil {
		return errors.Join(err, c.complaints())
	}
	inTime := customer.Acknowledged(shoppers)
	fmt.Fprintf(out, "failover %d: %d orders acknowledged before the kill, %d in all: none lost, none twice, no restart\n",
		round, orders, inTime)
	if inTime == orders {
		return errors.New("nobody could order after the promotion")
	}
	return c.check(ctx)
}

// shop orders, browses and looks at the cart.
func shop(ctx context.Context, one *customer.Customer, n int) error {
	switch n % 4 {
	case 0, 1:
		one.Order(ctx)
	case 2:
		one.Browse(ctx)
	case 3:
		one.Own(ctx)
	}
	return customer.Wait(ctx, 5*time.Millisecond)
}
