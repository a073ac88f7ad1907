package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/pgbench"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/stage"
)

// most is how many checkouts a second the machine is expected to stay below, pgbench's included: as many
// carts are filled for each second of a turn, and of pgbench's beginning.
const most = 3000

// purchase is something that customers do.
type purchase struct {
	name        string
	requests    func(*crowd) []load.Request
	script      string             // of pgbench; empty: it has none
	carts       string             // how they are filled before each turn
	hot         int                // 1: all carts hold one variant
	aims        map[string]float64 // requests per second as parts of the references'
	seldomAsked bool               // not in short runs
}

var purchases = []purchase{
	{
		name: "add to cart", requests: (*crowd).adds, script: pgbench.Add,
		aims: map[string]float64{"by hand": 0.8, "pgbench": 0.6},
	},
	{
		name: "checkout", requests: (*crowd).checkouts, script: pgbench.Checkout, carts: fullCarts,
		aims: map[string]float64{"by hand": 1, "pgbench": 0.6},
	},
	{
		name: "checkout, one variant hot", requests: (*crowd).checkouts, script: pgbench.Checkout, carts: hotCarts, hot: 1,
		seldomAsked: true,
	},
	{name: "add and checkout, one variant hot", requests: (*crowd).hotPurchases, seldomAsked: true},
}

// measureOrders measures carts and orders beside the hand-written reference and, on PostgreSQL, beside
// pgbench: in a copy of the shop, whose variants and customers are numbered.
func (p *place) measureOrders(ctx context.Context, kind string) error {
	s, err := p.copy(ctx, kind, generated(standard), "orders")
	if err != nil {
		return err
	}
	spell, filled := p.o.spell(), most
	if !p.o.short {
		spell = max(spell, time.Second).Round(time.Second) // pgbench counts whole seconds
		filled = most * int(1+spell.Seconds())
	}
	crowd, err := gather(ctx, p.database(kind, s), s.domain, p.key(), filled)
	if err != nil {
		return err
	}
	defer crowd.store.Close()
	if kind == postgres {
		if err := p.tidy(ctx, s); err != nil {
			return err
		}
	}
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	defer service.Stop()
	hand, err := p.byHand(ctx, kind, s)
	if err != nil {
		return err
	}
	defer hand.Stop()
	for _, o := range purchases {
		if o.seldomAsked && p.o.short {
			continue
		}
		if err := p.buy(ctx, kind, s, crowd, o, service, hand, spell); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return nil
}

// buy measures one kind of purchase.
func (p *place) buy(ctx context.Context, kind string, s shop, crowd *crowd, o purchase, service, hand *stage.Server,
	spell time.Duration) error {
	requests := o.requests(crowd)
	contenders := []contender{
		asks("service", service, requests, p.o.clients), asks("by hand", hand, requests, p.o.clients),
	}
	if kind == postgres {
		contenders = append(contenders, asks("by hand, gathered", hand, gathered(requests), p.o.clients))
	}
	if kind == postgres && !p.o.short && o.script != "" {
		byPgbench := func(ctx context.Context, spell time.Duration) (load.Result, error) {
			rate, err := crowd.byPgbench(ctx, p.pgbench, p.database(kind, s), o, p.o.clients, spell)
			return load.Result{Count: int(rate * spell.Seconds()), Took: spell}, err
		}
		contenders = append(contenders, contender{name: "pgbench", turn: byPgbench})
	}
	for i := range contenders {
		contenders[i].ready = func(ctx context.Context) error { return crowd.fill(ctx, o.carts) }
	}
	samples, err := takeTurns(ctx, spell, contenders)
	if err != nil {
		return err
	}
	f := figures.Figure{Group: figures.Orders, Database: kind, Shop: s.name, Operation: o.name, Clients: p.o.clients}
	samples[0].fill(&f)
	for i, c := range contenders[1:] {
		f.Against = append(f.Against, against(c.name, &samples[0], &samples[i+1], o.aims[c.name]))
	}
	p.out.add(f)
	return nil
}

// gathered are the same requests to the routes of the reference that take few round trips.
func gathered(requests []load.Request) []load.Request {
	all := slices.Clone(requests)
	for i := range all {
		all[i].Target = reference.Gathered + all[i].Target
	}
	return all
}

// byPgbench does on PostgreSQL what the customers do, without the service.
func (c *crowd) byPgbench(ctx context.Context, by pgbench.Program, database string, o purchase, clients int,
	spell time.Duration) (perSecond float64, err error) {
	address, err := url.Parse(database)
	if err != nil {
		return 0, err
	}
	customers := len(c.tokens)
	c.begun += customers
	result, err := by.Run(ctx, address, o.script, clients, spell, map[string]int{
		"customers": customers, "each": customers / clients, "spread": spread, "hot": o.hot, "begin": c.begun,
		"n": 0,
	})
	if err == nil && o.script == pgbench.Checkout && result.All > customers*3/4 {
		err = fmt.Errorf("pgbench may have run out of full carts: it emptied %d of %d", result.All, customers)
	}
	return result.PerSecond, err
}
