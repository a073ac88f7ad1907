package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"storefront/cmd/bench/child"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/pgbench"
)

// most is how many checkouts a second the machine is expected to stay below, pgbench's included: as many
// carts are filled for each second of a spell, and of pgbench's beginning.
const most = 3000

// buying is a line of the table of carts and orders.
type buying struct {
	kind, operation string
	clients         int
	service         sample
	pgbench         float64 // transactions per second; 0: there is none for this database
}

// purchase is something that customers do.
type purchase struct {
	name     string
	clients  []int
	requests func(*crowd) []load.Request
	script   string
	carts    string // how they are filled before each spell
	hot      int    // 1: all carts hold one variant
}

var purchases = []purchase{
	{name: "add to cart", clients: clientsOf, requests: (*crowd).adds, script: pgbench.Add, carts: "", hot: 0},
	{
		name:     "checkout",
		clients:  clientsOf,
		requests: (*crowd).checkouts,
		script:   pgbench.Checkout,
		carts:    fullCarts,
		hot:      0,
	},
	{
		name:     "checkout, one variant hot",
		clients:  []int{16},
		requests: (*crowd).checkouts,
		script:   pgbench.Checkout,
		carts:    hotCarts,
		hot:      1,
	},
}

// measureOrders measures carts and orders of a shop, on PostgreSQL beside pgbench. It leaves customers in
// the database.
func (p *place) measureOrders(ctx context.Context, t *table, kind string, s shop) error {
	spell := max(p.o.cell/spells, time.Second).Round(time.Second) // pgbench counts whole seconds
	crowd, err := gather(ctx, p.database(kind, s), s.domain, p.key(), most*int(1+spell.Seconds()))
	if err != nil {
		return err
	}
	defer crowd.store.Close()
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	defer service.Stop()
	for _, o := range purchases {
		for _, clients := range o.clients {
			b := buying{kind: kind, operation: o.name, clients: clients}
			if err := p.buy(ctx, service, crowd, s, o, &b, spell); err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			t.buying(b)
		}
	}
	return nil
}

// buy measures one cell: the service and pgbench in turn.
func (p *place) buy(ctx context.Context, service *child.Server, crowd *crowd, s shop, o purchase, b *buying,
	spell time.Duration) error {
	requests := o.requests(crowd)
	var spent time.Duration
	for turn := range spells + 1 {
		if err := crowd.fill(ctx, o.carts); err != nil {
			return err
		}
		var result load.Result
		cpu, err := spendOn(service, func() (err error) {
			result, err = load.Run(ctx, service.Addr, requests, b.clients, spell)
			return err
		})
		if err != nil {
			return err
		}
		if turn == 0 { // it warms
			continue
		}
		b.service.Add(result)
		spent += cpu
		if b.kind != postgres {
			continue
		}
		if err := crowd.fill(ctx, o.carts); err != nil {
			return err
		}
		rate, err := crowd.byPgbench(ctx, p.pgbench, p.database(b.kind, s), o, b.clients, spell)
		if err != nil {
			return err
		}
		b.pgbench += rate / spells
	}
	b.service.cpu = spent / time.Duration(max(len(b.service.Latencies), 1))
	return nil
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

// spendOn returns the processor time that a server takes while work is done.
func spendOn(server *child.Server, work func() error) (time.Duration, error) {
	before, err := server.CPU()
	if err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	after, err := server.CPU()
	return after - before, err
}
