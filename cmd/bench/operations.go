package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
)

// shop is a tenant to measure, and what can be asked of it.
type shop struct {
	key, name, domain string
	file              string   // of its bundle, from the module's root
	products          int      // of a shop that is generated instead
	rare              []string // words of a handful of titles each
	frequent          string   // a word of many titles
	category          string   // slug of one that has others below it, where the tree is deep enough
	minPrice          string   // these let through a fifth of all variants
	maxPrice          string
	private           bool // to one run: what is written into it is gone with it
}

var books = shop{
	key: "books", name: "10,000 books", domain: "books.example", file: "data/books.bundle.json.gz",
	rare: []string{"mockingbird", "gatsby", "hobbit", "narnia", "dracula", "ulysses", "persepolis",
		"watchmen"},
	frequent: "the", category: "english", minPrice: "10", maxPrice: "13",
}

func generated(products int) shop {
	s := shop{
		key: fmt.Sprintf("made%d", products), name: fmt.Sprintf("%d products", products), domain: catalog.Domain,
		products: products,
		frequent: catalog.Frequent, category: "c-1", minPrice: "800000", maxPrice: "3150000",
	}
	for i := range 8 {
		s.rare = append(s.rare, catalog.Series(i*products/80))
	}
	return s
}

// operation is something to ask for, in several ways that cost alike.
type operation struct {
	name    string
	targets []string
	aim     float64 // requests per second as a part of the hand-written reference's
	flat    bool    // its time should not grow with the shop
}

const (
	details    = 96 // products whose detail is asked for
	firstPages = 40 // pages of a list that are asked for in turn
)

// operations finds out what can be asked of a shop. Ids differ from run to run.
func (s shop) operations(ctx context.Context, server *stage.Server) ([]operation, error) {
	base := s.base()
	var categories struct{ Items []struct{ ID, Slug string } }
	if err := getJSON(ctx, server, base+"/categories", &categories); err != nil {
		return nil, err
	}
	category := ""
	for _, c := range categories.Items {
		if c.Slug == s.category {
			category = c.ID
		}
	}
	if category == "" {
		return nil, fmt.Errorf("there is no category %q", s.category)
	}
	var listed struct{ Items []struct{ Slug string } }
	if err := getJSON(ctx, server, fmt.Sprintf("%s/products?page=7&pageSize=%d", base, details),
		&listed); err != nil {
		return nil, err
	}
	detail := operation{name: "detail", aim: 0.8, flat: true}
	for _, p := range listed.Items {
		detail.targets = append(detail.targets, base+"/products/"+p.Slug)
	}
	rare := operation{name: "search, rare word", aim: 0.9}
	for _, word := range s.rare {
		rare.targets = append(rare.targets, base+"/products?name="+url.QueryEscape(word))
	}
	all := []operation{detail, rare}
	for _, o := range []struct {
		name, target string
		aim          float64
		flat         bool
	}{
		{"list", "/products?", 1, true},
		{"category", "/products?categoryId=" + category + "&", 0.9, true},
		{"search, frequent word", "/products?name=" + s.frequent + "&", 0.9, false},
		{"store items by price", "/store-items?minPrice=" + s.minPrice + "&maxPrice=" + s.maxPrice + "&", 0.9, true},
	} {
		targets, err := pagesOf(ctx, server, base+o.target)
		if err != nil {
			return nil, err
		}
		all = append(all, operation{o.name, targets, o.aim, o.flat})
	}
	return all, nil
}

// pagesOf is the first pages of a list: as many as it has, up to firstPages.
func pagesOf(ctx context.Context, server *stage.Server, target string) (targets []string, err error) {
	var list struct{ Total, PageSize int }
	if err := getJSON(ctx, server, target+"page=1", &list); err != nil {
		return nil, err
	}
	for page := range min(firstPages, list.Total/max(list.PageSize, 1)) {
		targets = append(targets, fmt.Sprintf("%spage=%d", target, page+1))
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("GET %s has no whole page", target)
	}
	return targets, nil
}

// get asks a server once.
func get(ctx context.Context, server *stage.Server, target string) (reference.Answer, error) {
	c := customer.Client{Base: customer.At(server.Addr), Headers: []string{"Accept-Encoding", "identity"}}
	a := c.Send(ctx, http.MethodGet, target, nil)
	return reference.Answer{Body: a.Body, ETag: a.Header.Get("ETag"), ContentType: a.Header.Get("Content-Type"),
		CacheControl: a.Header.Get("Cache-Control")}, a.Read(nil)
}

func getJSON(ctx context.Context, server *stage.Server, target string, to any) error {
	return customer.Get(ctx, server.Addr, target).Read(to)
}
