package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/child"
	"storefront/cmd/bench/reference"
)

// shop is a tenant to measure, and what can be asked of it.
type shop struct {
	key, name, domain string
	file              string   // of its bundle, from the module's root
	products          int      // of a shop that is generated instead
	rare              []string // words of a handful of titles each
	frequent          string   // a word of many titles
	category          string   // slug of one that has others above and below it, where the tree is deep enough
	minPrice          string   // these let through a fifth of all variants
	maxPrice          string
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
		frequent: catalog.Frequent, category: "c-1-1", minPrice: "800000", maxPrice: "3150000",
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
	flat    bool // its time should not grow with the shop
}

const details = 96 // products whose detail is asked for

// operations finds out what can be asked of a shop. Ids differ from run to run.
func (s shop) operations(ctx context.Context, server *child.Server) ([]operation, error) {
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
	detail := operation{name: "detail"}
	for _, p := range listed.Items {
		detail.targets = append(detail.targets, base+"/products/"+p.Slug)
	}
	rare := operation{name: "name search, rare"}
	for _, word := range s.rare {
		rare.targets = append(rare.targets, base+"/products?name="+url.QueryEscape(word))
	}
	one := func(name, target string, flat bool) operation {
		return operation{name, []string{base + target},
			flat}
	}
	return []operation{
		one("tenant", "", false),
		one("list, page 1", "/products", true),
		one("list, page 5", "/products?page=5", true),
		detail,
		rare,
		one("name search, frequent", "/products?name="+s.frequent, false),
		one("category", "/products?categoryId="+category, true),
		one("store-items, price", "/store-items?minPrice="+s.minPrice+"&maxPrice="+s.maxPrice, true),
	}, nil
}

// get asks a server once.
func get(ctx context.Context, server *child.Server,
	target string) (answer reference.Answer, took time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+server.Addr+target, nil)
	if err != nil {
		return answer, 0, err
	}
	request.Header.Set("Accept-Encoding", "identity")
	start := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	took = time.Since(start)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %.300s", target, response.Status, body)
	}
	h := response.Header
	return reference.Answer{Body: body, ETag: h.Get("ETag"), ContentType: h.Get("Content-Type"),
		CacheControl: h.Get("Cache-Control")}, took, err
}

func getJSON(ctx context.Context, server *child.Server, target string, to any) error {
	answer, _, err := get(ctx, server, target)
	if err != nil {
		return err
	}
	return json.NewDecoder(strings.NewReader(string(answer.Body))).Decode(to)
}
