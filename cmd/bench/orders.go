package main

import (
	"context"
	"net/url"
	"slices"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/pgbench"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/must"
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
		name: "checkout, one variant hot", requests: (*crowd).checkouts, script: pgbench.Checkout,
		carts: hotCarts, hot: 1, seldomAsked: true,
	},
	{name: "add and checkout, one variant hot", requests: (*crowd).hotPurchases, seldomAsked: true},
}

// measureOrders measures carts and orders beside the hand-written reference and, on PostgreSQL, beside
// pgbench: in a copy of the shop, whose variants and customers are numbered.
func (p *place) measureOrders(ctx context.Context, kind string) {
	s := p.copy(ctx, kind, generated(standard), "orders")
	spell, filled := p.o.spell(), most
	if !p.o.short {
		spell = max(spell, time.Second).Round(time.Second) // pgbench counts whole seconds
		filled = most * int(1+spell.Seconds())
	}
	crowd := gather(ctx, p.database(kind, s), s.domain, stage.SigningKey, filled)
	defer crowd.store.Close()
	if kind == postgres {
		p.tidy(ctx, s)
	}
	service, hand := p.service(ctx, kind, s), p.byHand(ctx, kind, s)
	defer service.Stop()
	defer hand.Stop()
	for _, o := range purchases {
		if o.seldomAsked && p.o.short {
			continue
		}
		requests := o.requests(crowd)
		contenders := []contender{p.asks("service", service, requests), p.asks("by hand", hand, requests)}
		if kind == postgres {
			contenders = append(contenders, p.asks("by hand, gathered", hand, gathered(requests)))
		}
		if kind == postgres && !p.o.short && o.script != "" {
			byPgbench := func(ctx context.Context, spell time.Duration) load.Result {
				rate := crowd.byPgbench(ctx, p.pgbench, p.database(kind, s), o, p.o.clients, spell)
				return load.Result{Count: int(rate * spell.Seconds()), Took: spell}
			}
			contenders = append(contenders, contender{name: "pgbench", turn: byPgbench})
		}
		for i := range contenders {
			contenders[i].ready = func() { crowd.fill(ctx, o.carts) }
		}
		f := figures.Figure{Group: figures.Orders, Database: kind, Shop: s.name, Operation: o.name}
		p.beside(ctx, f, spell, o.aims, contenders...)
	}
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
	spell time.Duration) (perSecond float64) {
	customers := len(c.tokens)
	c.begun += customers
	result := by.Run(ctx, must.Get(url.Parse(database)), o.script, clients, spell, map[string]int{
		"customers": customers, "each": customers / clients, "spread": spread, "hot": o.hot, "begin": c.begun,
		"n": 0,
	})
	must.Hold(o.script != pgbench.Checkout || result.All <= customers*3/4,
		"pgbench may have run out of full carts: it emptied %d of %d", result.All, customers)
	return result.PerSecond
}
