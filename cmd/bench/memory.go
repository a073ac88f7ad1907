package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

const (
	mixed      = 100_000   // requests
	mostMemory = 150 << 20 // bytes of the service after them
)

// measureMemory measures the memory of the service after many requests of all kinds, whose answers are more
// than its cache takes.
func (p *place) measureMemory(ctx context.Context, kind string) {
	s := generated(standard)
	service := p.service(ctx, kind, s, "CACHE_SIZE=") // as the service sets it
	defer service.Stop()
	targets := s.everything(ctx, service)
	r := rand.New(rand.NewPCG(1, 0))
	requests := load.Get(targets)
	for len(requests) < mixed {
		requests = append(requests, requests[r.IntN(len(targets))])
	}
	r.Shuffle(len(requests), func(i, k int) { requests[i], requests[k] = requests[k], requests[i] })
	service.Forgive()
	result := must.Get(load.Run(ctx, service.Addr, requests, p.o.clients, 0))
	after := service.Memory()
	p.out.add(figures.Figure{Group: figures.Memory, Database: kind, Shop: s.name, Clients: p.o.clients,
		Operation: fmt.Sprintf("%d mixed requests for %d addresses", len(requests), len(targets)),
		PerSecond: result.PerSecond(), P50: ms(result.Quantile(0.5)), P99: ms(result.Quantile(0.99)),
		Memory: mib(service.Peak()), Against: []figures.Against{
			figures.Within("150 MiB after them", []float64{float64(after)}, mostMemory)}})
}

// everything is what visitors may ask of a shop: each product, and the pages of all lists, of each category
// and of what is on sale.
func (s shop) everything(ctx context.Context, server *stage.Server) (targets []string) {
	base := s.base()
	var categories struct{ Items []struct{ ID string } }
	getJSON(ctx, server, base+"/categories", &categories)
	lists := []string{"/products?", "/products?sort=price_asc&", "/store-items?", "/products?name=" + s.frequent + "&"}
	for _, c := range categories.Items {
		lists = append(lists, "/products?categoryId="+c.ID+"&")
	}
	for _, list := range lists {
		targets = append(targets, pagesOf(ctx, server, base+list, math.MaxInt)...)
	}
	by := customer.Client{Base: customer.At(server.Addr)}
	products := "/tenants/" + s.domain + "/products?"
	for _, p := range customer.Listed[struct{ Slug string }](ctx, &by, products, math.MaxInt) {
		targets = append(targets, base+"/products/"+p.Slug)
	}
	return targets
}
