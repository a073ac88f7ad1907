package main

import (
	"context"
	"fmt"

	"storefront/cmd/bench/figures"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// wayNames are the ways to read a page, as the figures name them.
var wayNames = [ways]string{byPost: "POST", byHash: "GET of its hash", byREST: "REST"}

// measurePages measures whole pages beside the calls of REST that they replace: of one client, which is the time that a
// visitor waits, and of many.
func (p *place) measurePages(ctx context.Context, kind string) {
	for _, s := range p.o.paged() {
		for _, cached := range []bool{false, true} {
			if cached && p.o.short {
				continue
			}
			settings := "CACHE_SIZE=0"
			if cached {
				settings = "CACHE_SIZE=" // as the service sets it
			}
			service := p.service(ctx, kind, s, settings)
			defer service.Stop()
			must.In(s.name, func() { p.measurePagesOf(ctx, kind, s, service, cached) })
		}
	}
}

func (p *place) measurePagesOf(ctx context.Context, kind string, s shop, service *stage.Server, cached bool) {
	for _, page := range s.pages(ctx, service) {
		page.compareWays(ctx, service)
		for _, clients := range []int{1, p.o.clients} {
			var all []contender
			for way, requests := range page.requests() {
				all = append(all, asks(wayNames[way], service, requests, clients))
			}
			samples := takeTurns(ctx, p.o.spell(), all...)
			for _, way := range []int{byPost, byHash} {
				f := figures.Figure{Group: figures.Pages, Database: kind, Shop: s.name, Clients: clients,
					Operation: page.name + " page by " + wayNames[way]}
				if cached {
					f.Operation += ", cached"
				}
				samples[way].fill(&f)
				calls := fmt.Sprintf("its %d calls of REST", len(page.views[0].calls))
				f.Against = []figures.Against{against(calls, &samples[way], &samples[byREST], 2)}
				p.out.add(f)
			}
		}
	}
}
