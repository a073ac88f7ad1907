// Package upgrade tries an upgrade and the way back as an operator does them, by two builds of the program:
// one from before, and the one of now. `make upgrade FROM=v1.2.0` builds both and runs it; it needs
// TEST_POSTGRES_URL.
//
// Customers shop all the while: with a server of before while the newer program migrates its database; with
// both on one database; with the newer one alone; with one of before that is started again beside it; and
// with that alone. No answer may be a fault of the service, no matter which of the two wrote what is read,
// and each order must be there at the end. On SQLite, which one server has at a time, they follow each
// other.
package upgrade

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
)

func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("upgrade", flag.ContinueOnError)
	before := flags.String("before", "", "the program from before")
	now := flags.String("now", "bin/storefront", "the program of now")
	requests := flags.Int("requests", 600, "that customers make in each part")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *before == "" {
		return errors.New("-before names the program from before")
	}
	return stage.Each(ctx, "", *now, func(s *stage.Stage) error {
		s.Env = []string{"REGISTRATIONS_PER_HOUR=0", "DRAIN_TIME=0s"}
		t := &trial{Stage: s, before: *before, now: *now, requests: *requests, out: out}
		return t.run(ctx)
	})
}

// trial is an upgrade on one kind of database.
type trial struct {
	*stage.Stage
	before, now string
	requests    int
	out         io.Writer
	customers   []*customer.Customer
	asked       atomic.Pointer[[]*stage.Server] // by customers, each with any request
}

func (t *trial) serve(ctx context.Context, program string) (*stage.Server, error) {
	t.Program = program
	return t.Serve(ctx)
}

// run upgrades, and goes back.
func (t *trial) run(ctx context.Context) error {
	t.Program = t.before
	if err := t.Import(ctx, customer.AlwaysInStock()); err != nil {
		return err
	}
	old, err := t.serve(ctx, t.before)
	if err != nil {
		return err
	}
	t.asked.Store(&[]*stage.Server{old})
	at := func() string {
		servers := *t.asked.Load()
		return servers[rand.IntN(len(servers))].Addr
	}
	t.customers, err = customer.EnterAll(ctx, customers, func(int) customer.Client { return customer.Client{Base: at} })
	if err != nil {
		return err
	}
	var took stage.Spent
	if err := t.part(ctx, "before, while the database is migrated", func() (err error) {
		t.Program = t.now
		took, err = t.Run(ctx, "migrate")
		return err
	}, old); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s: migrated in %.2f s\n", t.Kind, took.Time.Seconds())
	together := t.Kind == stage.Postgres
	if !together {
		old.Stop()
	}
	newer, err := t.serve(ctx, t.now)
	if err != nil {
		return err
	}
	if together {
		if err := t.part(ctx, "both", nil, old, newer); err != nil {
			return err
		}
		old.Stop()
	}
	if err := t.part(ctx, "now", nil, newer); err != nil {
		return err
	}
	if !together {
		newer.Stop()
	}
	again, err := t.serve(ctx, t.before)
	if err != nil {
		return fmt.Errorf("the way back: %w", err)
	}
	if together {
		if err := t.part(ctx, "both, on the way back", nil, newer, again); err != nil {
			return err
		}
		newer.Stop()
	}
	if err := t.part(ctx, "before, again", nil, again); err != nil {
		return err
	}
	return customer.Check(ctx, t.customers)
}

// part has the customers shop with servers, which are all ready, while work is done, if any.
func (t *trial) part(ctx context.Context, name string, work func() error, servers ...*stage.Server) error {
	t.asked.Store(&servers)
	working := make(chan error, 1)
	go func() {
		if work == nil {
			working <- nil
			return
		}
		working <- work()
	}()
	began, orders := time.Now(), customer.Acknowledged(t.customers)
	err := t.shop(ctx)
	if err := errors.Join(err, <-working); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, s := range servers {
		if err := customer.Ready(ctx, s.Addr); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Fprintf(t.out, "%s: %s: %d requests, %d orders in %.1f s, no failure, ready\n", t.Kind, name, t.requests,
		customer.Acknowledged(t.customers)-orders, time.Since(began).Seconds())
	return nil
}

const customers = 6

// shop has the customers make requests, and fails with the first answer that is wrong.
func (t *trial) shop(ctx context.Context) error {
	parent := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var made atomic.Int64
	var once sync.Once
	var failed error
	crowd := customer.Go(ctx, t.customers, func(ctx context.Context, c *customer.Customer, _ int) error {
		if made.Add(1) > int64(t.requests) {
			return customer.ErrDone
		}
		err := step(ctx, c)
		if err != nil {
			once.Do(func() { failed = fmt.Errorf("%s: %w", c.Cell, err); stop() })
		}
		return err
	})
	<-crowd.Home()
	return errors.Join(failed, parent.Err())
}

// step does one thing.
func step(ctx context.Context, c *customer.Customer) error {
	ordered := customer.Acknowledged([]*customer.Customer{c}) > 0
	switch n := rand.IntN(100); {
	case n < 35:
		return c.Add(ctx, c.Any(), 1).Read(nil)
	case n < 60:
		err := c.Checkout(ctx)
		if p := c.Bought[len(c.Bought)-1]; err == nil && p.Refused != nil && customer.Code(p.Refused) != "CART_EMPTY" {
			err = p.Refused
		}
		return err
	case n < 70 && ordered:
		return c.CancelOne(ctx)
	case n < 75 && ordered:
		return c.LookAtOne(ctx)
	case n < 80:
		var in struct{ AccessToken, RefreshToken string }
		err := c.REST(ctx, http.MethodPost, "/auth/refresh", map[string]any{"refreshToken": c.Refresh}).Read(&in)
		if err == nil {
			c.Token, c.Refresh = in.AccessToken, in.RefreshToken
		}
		return err
	case n < 85:
		return c.REST(ctx, http.MethodPost, "/tenants/"+c.Domain+"/contact-submissions",
			map[string]any{"title": "Question", "name": "Sara", "text": "How much?"}).Read(nil)
	case n < 90:
		return c.Ask(ctx, `{ me { id cellNumber addresses { id } } }`, nil).Read(nil)
	}
	return c.REST(ctx, http.MethodGet, "/tenants/"+c.Domain+"/products", nil).Read(nil)
}
