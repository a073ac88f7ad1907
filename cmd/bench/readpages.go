package main

import (
	"context"
	"fmt"
	"time"

	"storefront/cmd/bench/load"
)

// reading is a line of the table of pages.
type reading struct {
	kind, shop, page string
	clients, calls   int
	by               [ways]sample
	bytes            [ways]int
}

// measurePages measures the pages of a shop, in every way to read them.
func (p *place) measurePages(ctx context.Context, t *table, kind string, s shop) error {
	service, err := p.service(ctx, kind, s)
	if err != nil {
		return err
	}
	defer service.Stop()
	pages, err := s.pages(ctx, service)
	if err != nil {
		return err
	}
	for _, page := range pages {
		sizes, err := page.compareWays(ctx, service)
		if err != nil {
			return err
		}
		for _, clients := range clientsOf {
			r := reading{kind: kind, shop: s.name, page: page.name, clients: clients, calls: len(page.views[0].calls),
				bytes: sizes}
			var spent [ways]time.Duration
			for turn := range spells + 1 { // the first warms
				for way, requests := range page.requests() {
					var result load.Result
					cpu, err := spendOn(service, func() (err error) {
						result, err = load.Run(ctx, service.Addr, requests, clients, p.o.cell/spells)
						return err
					})
					if err != nil {
						return fmt.Errorf("%s page: %w", page.name, err)
					}
					if turn > 0 {
						r.by[way].Add(result)
						spent[way] += cpu
					}
				}
			}
			for way := range r.by {
				r.by[way].cpu = spent[way] / time.Duration(max(len(r.by[way].Latencies), 1))
			}
			t.reading(r)
		}
	}
	return nil
}
