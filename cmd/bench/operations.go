package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// shop is a tenant to measure, with values for its requests.
type shop struct {
	key, name, domain string
	file              string   // of its bundle, from the module's root
	products          int      // of a generated shop
	rare              []string // words that occur in a few titles
	frequent          string   // a word of many titles
	middling          string   // a word of one in 15 to 30 titles
	category          string   // slug of a category with subcategories, if the tree is deep enough
	minPrice          string   // with it a fifth of all variants match
	maxPrice          string
}

var books = shop{
	key: "books", name: "10,000 books", domain: "books.example", file: "data/books.bundle.json.gz",
	rare: []string{"mockingbird", "gatsby", "hobbit", "narnia", "dracula", "ulysses", "persepolis",
		"watchmen"},
	frequent: "the", middling: "world", category: "english", minPrice: "10", maxPrice: "13",
}

func generated(products int) shop {
	s := shop{
		key: fmt.Sprintf("made%d", products), name: fmt.Sprintf("%d products", products), domain: catalog.Domain,
		products: products,
		frequent: catalog.Frequent, middling: catalog.Middling, category: "c-1",
		minPrice: "800000", maxPrice: "3150000",
	}
	for i := range 8 {
		s.rare = append(s.rare, catalog.Series(i*products/80))
	}
	return s
}

// operation is a kind of request, with several targets of the same cost.
type operation struct {
	name    string
	targets []string
	aim     float64 // requests per second as a fraction of the hand-written reference's
	flat    bool    // its time should not grow with the shop
}

const (
	details    = 96 // products whose details are requested
	firstPages = 40 // pages of a list that are requested in turn
)

// operations returns the operations for a shop. It asks the server for ids, which differ between runs.
func (s shop) operations(ctx context.Context, server *stage.Server) []operation {
	base := s.base()
	categories := fetch[list[struct{ ID, Slug string }]](ctx, server, base+"/categories")
	category := ""
	for _, c := range categories.Items {
		if c.Slug == s.category {
			category = c.ID
		}
	}
	must.Hold(category != "", "there is no category %q", s.category)
	seventh := fmt.Sprintf("%s/products?page=7&pageSize=%d", base, details)
	listed := fetch[list[struct{ Slug string }]](ctx, server, seventh)
	detail := operation{name: "detail", aim: 0.8, flat: true}
	for _, p := range listed.Items {
		detail.targets = append(detail.targets, base+"/products/"+p.Slug)
	}
	rare := operation{name: "search, rare word", aim: 0.9}
	for _, word := range s.rare {
		rare.targets = append(rare.targets, base+"/products?name="+url.QueryEscape(word))
	}
	pages := func(target string) []string {
		targets := pagesOf(ctx, server, base+target, firstPages)
		must.Hold(len(targets) > 0, "GET %s has no whole page", target)
		return targets
	}
	prices := "minPrice=" + s.minPrice + "&maxPrice=" + s.maxPrice
	return []operation{detail, rare,
		{"list", pages("/products?"), 1, true},
		{"category", pages("/products?categoryId=" + category + "&"), 0.9, true},
		{"search, frequent word", pages("/products?name=" + s.frequent + "&"), 0.9, false},
		{"search, middling word", pages("/products?pageSize=24&name=" + s.middling + "&"), 0.9, false},
		{"store items by price", pages("/store-items?" + prices + "&"), 0.9, true},
	}
}

// pagesOf returns the targets of the first full pages of a list, at most most.
func pagesOf(ctx context.Context, server *stage.Server, target string, most int) (targets []string) {
	first := fetch[list[any]](ctx, server, target+"page=1")
	for page := range min(most, first.Total/max(first.PageSize, 1)) {
		targets = append(targets, fmt.Sprintf("%spage=%d", target, page+1))
	}
	return targets
}

// get asks a server once.
func get(ctx context.Context, server *stage.Server, target string) reference.Answer {
	c := customer.Client{Base: customer.At(server.Addr), Headers: []string{"Accept-Encoding", "identity"}}
	a := c.Send(ctx, http.MethodGet, target, nil)
	must.Do(a.Read(nil))
	return reference.Answer{Body: a.Body, ETag: a.Header.Get("ETag"), ContentType: a.Header.Get("Content-Type"),
		CacheControl: a.Header.Get("Cache-Control")}
}

// fetch asks a server once, and reads the answer.
func fetch[T any](ctx context.Context, server *stage.Server, target string) (answer T) {
	must.Do(customer.Get(ctx, server.Addr, target).Read(&answer))
	return answer
}

// list is an answer with a list.
type list[T any] struct {
	Items           []T
	Total, PageSize int
}
