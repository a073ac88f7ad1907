package main

import (
	"context"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// flat is how many times as long a request may take in the large shop that reads as much in both.
const flat = 1.3

// measureSizes measures whether requests of one client take the same time in a large shop as in the standard one.
func (p *place) measureSizes(ctx context.Context, kind string) {
	shops := p.o.sized()
	if len(shops) < 2 {
		return
	}
	var servers []*stage.Server
	var asked [][]operation
	for _, s := range shops {
		server := p.service(ctx, kind, s)
		defer server.Stop()
		servers, asked = append(servers, server), append(asked, s.operations(ctx, server))
	}
	for i, o := range asked[0] {
		if !o.flat {
			continue
		}
		p.sized(ctx, kind, shops, o.name, flat, asks(shops[0].name, servers[0], load.Get(asked[0][i].targets), 1),
			asks(shops[1].name, servers[1], load.Get(asked[1][i].targets), 1))
	}
	p.measureSearches(ctx, kind, shops, servers)
}

// sized measures an operation in shops of two sizes, of which the large one may take most times as long.
func (p *place) sized(ctx context.Context, kind string, shops []shop, name string, most float64, all ...contender) {
	must.In(name, func() {
		samples := takeTurns(ctx, p.o.spell(), all...)
		f := figures.Figure{Group: figures.Sizes, Database: kind, Shop: shops[1].name, Operation: name, Clients: 1}
		samples[1].fill(&f)
		a := figures.Compare("the time at "+shops[0].name, samples[1].medians, samples[0].medians, most)
		a.PerSecond, a.AtMost = 0, true
		f.Against = []figures.Against{a}
		p.out.add(f)
	})
}
