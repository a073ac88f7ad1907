package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// measureLists measures lists and records beside the hand-written reference.
func (p *place) measureLists(ctx context.Context) {
	for _, s := range p.o.listed() {
		must.In(s.name, func() {
			service, hand := p.service(ctx, s), p.byHand(ctx, s)
			defer service.Stop()
			defer hand.Stop()
			for _, o := range s.operations(ctx, service) {
				sameBytes(ctx, service, hand, o)
				requests := load.Get(o.targets)
				f := p.figure(figures.Lists, s, o.name)
				p.beside(ctx, f, o.aim, p.asks("service", service, requests), p.asks("by hand", hand, requests))
			}
		})
	}
}

// sameBytes checks that a reference and the service give the same answers, and returns the answers by target.
func sameBytes(ctx context.Context, service, hand *stage.Server, o operation) map[string]reference.Answer {
	answers := map[string]reference.Answer{}
	for _, target := range o.targets {
		ours, theirs := get(ctx, service, target), get(ctx, hand, target)
		must.Hold(bytes.Equal(ours.Body, theirs.Body) && ours.ETag == theirs.ETag &&
			ours.ContentType == theirs.ContentType && ours.CacheControl == theirs.CacheControl,
			"%s: the hand-written reference answers %s otherwise:\n%.2000s\nthe service:\n%.2000s",
			o.name, target, theirs.Body, ours.Body)
		answers[target] = ours
	}
	return answers
}

// measureCached compares cached answers of the service with a server that has the answers in memory and never
// checks whether they are outdated.
func (p *place) measureCached(ctx context.Context) {
	s := generated(standard)
	service := p.service(ctx, s, "CACHE_SIZE=") // the service's default
	defer service.Stop()
	for _, o := range s.operations(ctx, service) {
		if o.name != "list" && o.name != "detail" {
			continue
		}
		answers := must.Get(json.Marshal(sameBytes(ctx, service, service, o)))
		memory := p.ServeBy(ctx, nil, p.self, memoryCommand, p.File("answers.json", answers))
		defer memory.Stop()
		requests := load.Get(o.targets)
		f := p.figure(figures.Cached, s, o.name)
		p.beside(ctx, f, 0.6, p.asks("service", service, requests), p.asks("from memory", memory, requests))
	}
}

// flat is how many times as long a request may take in the large shop if it reads as much in both.
const flat = 1.3

// measureSizes measures whether requests of one client take the same time in a large shop as in the standard one.
func (p *place) measureSizes(ctx context.Context) {
	shops := p.o.sized()
	if len(shops) < 2 {
		return
	}
	servers := []*stage.Server{p.service(ctx, shops[0]), p.service(ctx, shops[1])}
	defer servers[0].Stop()
	defer servers[1].Stop()
	small, large := shops[0].operations(ctx, servers[0]), shops[1].operations(ctx, servers[1])
	for i, o := range small {
		if o.flat {
			p.sized(ctx, shops, o.name, flat, asks(shops[0].name, servers[0], load.Get(o.targets), 1),
				asks(shops[1].name, servers[1], load.Get(large[i].targets), 1))
		}
	}
	p.measureSearches(ctx, shops, servers)
}

// sized measures an operation in shops of two sizes. The large one may take up to most times as long.
func (p *place) sized(ctx context.Context, shops []shop, name string, most float64, all ...contender) {
	must.In(name, func() {
		samples := takeTurns(ctx, p.o.spell(), all...)
		f := p.figure(figures.Sizes, shops[1], name)
		f.Clients = 1
		samples[1].fill(&f)
		a := figures.Compare("the time at "+shops[0].name, samples[1].medians, samples[0].medians, most)
		a.PerSecond, a.AtMost = 0, true
		f.Against = []figures.Against{a}
		p.out.add(f)
	})
}

// searched is a list in GraphQL that reads more in a larger shop, because it counts facets or ranks its
// matches.
type searched struct {
	name      string
	arguments string // of products; "%d" is another bound of price in each request, below all prices
	fields    string
	whole     bool // it reads all matches: its time may grow with the number of products, and by a fifth more
}

// The facets of a list.
const (
	optionFacets = `options { key values { value count } }`
	allFacets    = `categories { category { slug } count } brands { brand { slug } count } ` +
		`prices { currency buckets { minMoney { minor } maxMoney { minor } count } } ` + optionFacets
)

var searches = []searched{
	// Counts are cached until the shop's content changes.
	{name: "list with all facets", fields: "facets { " + allFacets + " }", whole: false},
	{name: "list with option facets", arguments: `options: [{key: "size", anyOf: ["small"]}]`,
		fields: "facets { " + optionFacets + " }", whole: false},
	// The facets of a new filter are not cached, so all its matches are counted.
	{name: "list with all facets, counted anew", arguments: "minPrice: %d", fields: "facets { " +
		allFacets + " }", whole: true},
	{name: "list with option facets, counted anew",
		arguments: `minPrice: %d, options: [{key: "size", anyOf: ["small"]}]`,
		fields:    "facets { " + optionFacets + " }", whole: true},
	{name: "search by relevance, frequent word",
		arguments: fmt.Sprintf("name: %q, sort: relevance", catalog.Frequent), whole: true},
	{name: "search by relevance, rare word", arguments: `name: "model 7", sort: relevance`, whole: true},
}

// measureSearches measures the searches in shops of two sizes.
func (p *place) measureSearches(ctx context.Context, shops []shop, servers []*stage.Server) {
	for _, s := range searches {
		contenders := make([]contender, len(shops))
		for k, shop := range shops {
			bound := 0
			contenders[k] = contender{name: shop.name, server: servers[k], cpu: servers[k].CPU,
				turn: func(ctx context.Context, spell time.Duration) load.Result {
					requests := s.requests(shop.domain, bound)
					bound += len(requests)
					return must.Get(load.Run(ctx, servers[k].Addr, requests, 1, spell))
				}}
		}
		most := flat
		if s.whole {
			most = 1.2 * float64(shops[1].products) / float64(shops[0].products)
		}
		p.sized(ctx, shops, s.name, most, contenders...)
	}
}

// requests returns the requests of a turn. They differ in their bounds of price, so that they share no cached
// counts.
func (s searched) requests(domain string, bound int) []load.Request {
	all := make([]load.Request, 1000)
	for i := range all {
		arguments := s.arguments
		if strings.Contains(arguments, "%d") {
			arguments = fmt.Sprintf(arguments, 1+bound+i)
		}
		query := fmt.Sprintf(`{ tenant(domain: %q) { products(pageSize: 24 %s) {
			total items { slug titleEn price } %s } } }`, domain, arguments, s.fields)
		all[i] = load.Request{Method: http.MethodPost, Target: "/graphql", Status: http.StatusOK,
			Body: string(customer.JSON(map[string]any{"query": query}))}
	}
	return all
}
