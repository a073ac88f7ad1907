// Package upgrade tries an upgrade and the way back as an operator does them, by two builds of the program: an
// older and the current one. `make upgrade FROM=v1.2.0` builds both and runs it; it needs TEST_POSTGRES_URL.
//
// Customers shop all the while: with an older server while the current program migrates its database; with both
// on one database; with the current one alone; with an older one that is started again beside it; and with that
// alone. No answer may be a fault of the service, no matter which of the two wrote the data, and each order
// must be there at the end. On SQLite, which serves one server at a time, the servers take turns.
package upgrade

import (
	"context"
	"flag"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial upgrade` runs.
var Trial = stage.Trial{Name: "upgrade", About: "upgrade and go back while customers shop", Kinds: stage.Databases,
	Flags: func(f *flag.FlagSet) stage.Work {
		before := f.String("before", "", "the program from before")
		requests := f.Int("requests", 600, "that customers make in each part")
		return func(ctx context.Context, s *stage.Stage) {
			must.Hold(*before != "", "-before names the program from before")
			s.New(ctx)
			s.Env = []string{"CLIENT_LIMITS=off", "DRAIN_TIME=0s"}
			(&trial{Stage: s, before: *before, now: s.Program, requests: *requests}).run(ctx)
		}
	}}

// trial is an upgrade on one kind of database.
type trial struct {
	*stage.Stage
	before, now string
	requests    int
	customers   []*customer.Customer
	asked       atomic.Pointer[[]*stage.Server] // servers of the customers, any of which gets a request
}

func (t *trial) serve(ctx context.Context, program string) *stage.Server {
	t.Program = program
	return t.Serve(ctx)
}

// run upgrades the service, and goes back.
func (t *trial) run(ctx context.Context) {
	t.Program = t.before
	t.Import(ctx, customer.AlwaysInStock())
	old := t.serve(ctx, t.before)
	t.asked.Store(&[]*stage.Server{old})
	by := customer.Client{Base: func() string {
		servers := *t.asked.Load()
		return servers[rand.IntN(len(servers))].Addr
	}}
	t.customers = customer.EnterAll(ctx, customers, by)
	var took stage.Spent
	t.part(ctx, "before, while the database is migrated", func() (err error) {
		t.Program = t.now
		took, err = t.Run(ctx, "migrate")
		return err
	}, old)
	t.Say("migrated in %.2f s", took.Time.Seconds())
	newer := t.next(ctx, t.now, "both", old)
	t.part(ctx, "now", nil, newer)
	again := t.next(ctx, t.before, "both, on the way back", newer)
	t.part(ctx, "before, again", nil, again)
	must.Do(customer.Check(ctx, t.customers))
}

// next starts a server in place of another. On PostgreSQL both serve for a while first, in the part named both.
func (t *trial) next(ctx context.Context, program, both string, after *stage.Server) (server *stage.Server) {
	if t.Kind == stage.SQLite {
		after.Stop()
	}
	server = t.serve(ctx, program)
	if t.Kind == stage.Postgres {
		t.part(ctx, both, nil, after, server)
		after.Stop()
	}
	return server
}

// part lets the customers shop at servers, which are all ready, while work runs, if there is any.
func (t *trial) part(ctx context.Context, name string, work func() error, servers ...*stage.Server) {
	t.asked.Store(&servers)
	var working errgroup.Group
	if work != nil {
		working.Go(work)
	}
	began, orders := time.Now(), customer.Acknowledged(t.customers)
	shopped := customer.Times(ctx, t.requests, t.customers, func(ctx context.Context, c *customer.Customer, _ int) {
		must.Do(step(ctx, c))
	})
	faults := []error{shopped, working.Wait()}
	for _, s := range servers {
		faults = append(faults, customer.Get(ctx, s.Addr, "/readyz").Read(nil))
	}
	must.In(name, func() { must.Do(faults...) })
	t.Say("%s: %d requests, %d orders in %.1f s, no failure, ready", name, t.requests,
		customer.Acknowledged(t.customers)-orders, time.Since(began).Seconds())
}

const customers = 6

// step does one thing.
func step(ctx context.Context, c *customer.Customer) error {
	ordered := customer.Acknowledged([]*customer.Customer{c}) > 0
	switch n := rand.IntN(100); {
	case n < 35:
		return c.Add(ctx, c.Any(), 1).Read(nil)
	case n < 60:
		return c.CheckoutAny(ctx)
	case n < 70 && ordered:
		return c.CancelOne(ctx)
	case n < 75:
		return c.REST(ctx, http.MethodGet, c.Shop("/orders"), nil).Read(nil)
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
