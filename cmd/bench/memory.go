package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/stage"
)

const (
	mixed      = 100_000   // requests
	mostMemory = 150 << 20 // bytes of the service after them
)

// measureMemory measures the memory of the service after many requests of all kinds, whose answers are more
// than its cache takes.
func (p *place) measureMemory(ctx context.Context, kind string) error {
	s := generated(standard)
	service, err := p.service(ctx, kind, s, "CACHE_SIZE=") // as the service sets it
	if err != nil {
		return err
	}
	defer service.Stop()
	targets, err := s.everything(ctx, service)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 0))
	requests := load.Get(targets)
	for len(requests) < mixed {
		requests = append(requests, requests[r.IntN(len(targets))])
	}
	r.Shuffle(len(requests), func(i, k int) { requests[i], requests[k] = requests[k], requests[i] })
	if err := service.Forgive(); err != nil {
		return err
	}
	result, err := load.Once(ctx, service.Addr, requests, p.o.clients)
	if err != nil {
		return err
	}
	after, err := service.Memory()
	if err != nil {
		return err
	}
	peak, err := service.Peak()
	if err != nil {
		return err
	}
	f := figures.Figure{Group: figures.Memory, Database: kind, Shop: s.name, Clients: p.o.clients,
		Operation: fmt.Sprintf("%d mixed requests for %d addresses", len(requests), len(targets)),
		PerSecond: result.PerSecond(), P50: ms(result.Quantile(0.5)), P99: ms(result.Quantile(0.99)), Memory: mib(peak)}
	f.Against = []figures.Against{figures.Within("150 MiB after them", []float64{float64(after)}, mostMemory)}
	p.out.add(f)
	return nil
}

// everything is what visitors may ask of a shop: each product, and the pages of all lists, of each category
// and of what is on sale.
func (s shop) everything(ctx context.Context, server *stage.Server) (targets []string, err error) {
	base := s.base()
	var categories struct{ Items []struct{ ID string } }
	if err := getJSON(ctx, server, base+"/categories", &categories); err != nil {
		return nil, err
	}
	lists := []string{"/products?", "/products?sort=price_asc&", "/store-items?", "/products?name=" + s.frequent + "&"}
	for _, c := range categories.Items {
		lists = append(lists, "/products?categoryId="+c.ID+"&")
	}
	for _, list := range lists {
		var first struct{ Total, PageSize int }
		if err := getJSON(ctx, server, base+list+"page=1", &first); err != nil {
			return nil, err
		}
		for page := range first.Total / max(first.PageSize, 1) {
			targets = append(targets, fmt.Sprintf("%s%spage=%d", base, list, page+1))
		}
	}
	const most = 100 // of a page
	for page := 1; ; page++ {
		var listed struct{ Items []struct{ Slug string } }
		if err := getJSON(ctx, server, fmt.Sprintf("%s/products?pageSize=%d&page=%d", base, most, page), &listed); err != nil {
			return nil, err
		}
		for _, p := range listed.Items {
			targets = append(targets, base+"/products/"+p.Slug)
		}
		if len(listed.Items) < most {
			return targets, nil
		}
	}
}
