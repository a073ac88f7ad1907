package main

import (
	"context"
	"fmt"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/stage"
)

// flat is how many times as long a request may take in the large shop that reads as much in both.
const flat = 1.3

// measureSizes measures whether requests of one client take the same time in a large shop as in the standard one.
func (p *place) measureSizes(ctx context.Context, kind string) error {
	shops := p.o.sized()
	if len(shops) < 2 {
		return nil
	}
	var servers []*stage.Server
	var asked [][]operation
	for _, s := range shops {
		server, err := p.service(ctx, kind, s)
		if err != nil {
			return err
		}
		defer server.Stop()
		operations, err := s.operations(ctx, server)
		if err != nil {
			return err
		}
		servers, asked = append(servers, server), append(asked, operations)
	}
	for i, o := range asked[0] {
		if !o.flat {
			continue
		}
		contenders := make([]contender, len(shops))
		for k, s := range shops {
			contenders[k] = asks(s.name, servers[k], load.Get(asked[k][i].targets), 1)
		}
		samples, err := takeTurns(ctx, p.o.spell(), contenders)
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		p.out.add(sized(kind, shops, o.name, samples, flat))
	}
	return p.measureSearches(ctx, kind, shops, servers)
}

// sized is the figure of an operation in shops of two sizes, of which the large one may take most times as long.
func sized(kind string, shops []shop, name string, samples []sample, most float64) figures.Figure {
	f := figures.Figure{Group: figures.Sizes, Database: kind, Shop: shops[1].name, Operation: name, Clients: 1}
	samples[1].fill(&f)
	a := figures.Compare("the time at "+shops[0].name, samples[1].medians, samples[0].medians, most)
	a.PerSecond, a.AtMost = 0, true
	f.Against = []figures.Against{a}
	return f
}
