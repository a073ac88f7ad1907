package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"storefront/cmd/bench/figures"
	"storefront/cmd/bench/load"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/rest"
)

// paperlane is a demo shop: its home page has sliders, groups, specials and blogs, its products have
// comments and reviews.
var paperlane = shop{key: "paperlane", name: "demo", domain: "paperlane.example",
	file: "internal/demo/paperlane.bundle.json.gz"}

// page is a page of a storefront, as several visitors open it.
type page struct {
	name  string
	views []view
}

// view is one visitor's view of a page.
type view struct {
	document  string
	variables map[string]string
	calls     []call
}

// call is a GET of REST that a page needs, and the place of the same data in the answer to its document.
type call struct {
	target string
	member string // path in REST's answer, separated by dots; empty: all of it
	field  string // field of the tenant or the product; empty: the fields themselves
}

// related is the field whose call lists the whole category.
const related, relatedMost = "related", 8

// The ways to read a page, in the order of the table's columns.
const (
	byPost = iota // the document
	byHash        // GET of the document's hash, which is known
	byREST        // one call after another on the same connection
	ways
)

// pages returns the pages of a shop. It asks the server for ids, which differ between runs.
func (s shop) pages(ctx context.Context, server *stage.Server) []page {
	home, detail := document("HomePage"), document("ProductPage")
	base := s.base()
	opened := view{home, map[string]string{"domain": s.domain}, []call{
		{base, "", ""},
		{base + "/website/business-info", "", "businessInfo"},
		{base + "/website/sliders", "items", "sliders"},
		{base + "/website/category-groups", "items", "categoryGroups"},
		{base + "/website/brand-groups", "items", "brandGroups"},
		{base + "/store-specials", "items", "storeSpecials"},
		{base + "/categories", "items", "categories"},
		{base + "/products", "", "products"},
		{base + "/blogs?pageSize=3", "", "blogs"},
	}}
	products := page{name: "product"}
	for _, p := range s.sold(ctx, server) {
		own := base + "/products/" + url.PathEscape(p.Slug)
		products.views = append(products.views, view{detail, map[string]string{"domain": s.domain, "slug": p.Slug},
			[]call{
				{own, "product", ""},
				{own + "/variations", "variations", "variations"},
				{own + "/technical-info", "", "technicalInfo"},
				{base + "/store-items/by-product/" + p.ID, "storeItem.variants", "variants"},
				{base + "/comments?entityType=product&entityId=" + p.ID, "items", "comments"},
				{base + "/expert-reviews?productId=" + p.ID, "items", "expertReviews"},
				{fmt.Sprintf("%s/products?pageSize=%d&categoryId=%s", base, relatedMost+1, p.CategoryID), "items",
					related},
			}})
	}
	return []page{{"home", []view{opened}}, products}
}

// base returns the path of the shop's routes.
func (s shop) base() string { return "/api/v1/tenants/" + s.domain }

// sold is a product on sale in a category without subcategories. There the list of the category has only
// related products.
type sold struct{ ID, Slug, CategoryID string }

const views = 48 // most product pages that are opened in turn

func (s shop) sold(ctx context.Context, server *stage.Server) (found []sold) {
	categories := fetch[list[struct{ ParentID string }]](ctx, server, s.base()+"/categories")
	above := map[string]bool{"": true} // products without a category have no related ones
	for _, c := range categories.Items {
		above[c.ParentID] = true
	}
	listed := fetch[list[sold]](ctx, server, s.base()+"/products?inStore=true&page=2&pageSize=100")
	for _, p := range listed.Items {
		if !above[p.CategoryID] && len(found) < views {
			found = append(found, p)
		}
	}
	must.Hold(len(found) > 0, "%s has no product to look at", s.domain)
	return found
}

//go:embed pages.graphql
var pageOperations string

// document returns the text of an operation of pages.graphql with the fragments it needs.
func document(name string) string {
	all := must.Get(parser.ParseQuery(&ast.Source{Name: "pages.graphql and operations.graphql",
		Input: pageOperations + rest.Operations()}))
	operation := all.Operations.ForName(name)
	needed := &ast.QueryDocument{Operations: ast.OperationList{operation}}
	need(needed, operation.SelectionSet, all.Fragments)
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent(" ")).FormatQueryDocument(needed)
	return text.String()
}

// need adds the fragments that selections spread, directly or indirectly.
func need(to *ast.QueryDocument, selections ast.SelectionSet, fragments ast.FragmentDefinitionList) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			need(to, s.SelectionSet, fragments)
		case *ast.FragmentSpread:
			if to.Fragments.ForName(s.Name) == nil {
				f := fragments.ForName(s.Name)
				to.Fragments = append(to.Fragments, f)
				need(to, f.SelectionSet, fragments)
			}
		}
	}
}

// requests returns the requests of a page in each way, one for each view. Those of REST have further requests
// in Then.
func (p page) requests() (all [ways][]load.Request) {
	for _, v := range p.views {
		posted := customer.JSON(map[string]any{"query": v.document, "variables": v.variables})
		hashed := url.Values{
			"variables": {string(customer.JSON(v.variables))},
			"extensions": {fmt.Sprintf(`{"persistedQuery":{"version":1,"sha256Hash":"%x"}}`,
				sha256.Sum256([]byte(v.document)))},
		}
		targets := make([]string, len(v.calls))
		for i, c := range v.calls {
			targets[i] = c.target
		}
		calls := load.Get(targets)
		calls[0].Then = calls[1:]
		all[byPost] = append(all[byPost], load.Request{Method: http.MethodPost, Target: "/graphql",
			Body: string(posted), Status: http.StatusOK})
		all[byHash] = append(all[byHash], load.Get([]string{"/graphql?" + hashed.Encode()})...)
		all[byREST] = append(all[byREST], calls[0])
	}
	return all
}

// wayNames are the names of the ways to read a page in the figures.
var wayNames = [ways]string{byPost: "POST", byHash: "GET of its hash", byREST: "REST"}

// measurePages compares whole pages with the REST calls that they replace: for one client, which shows how
// long a visitor waits, and for many.
func (p *place) measurePages(ctx context.Context) {
	for _, s := range p.o.paged() {
		must.In(s.name, func() {
			p.measurePagesOf(ctx, s, "CACHE_SIZE=0", "")
			if !p.o.short {
				p.measurePagesOf(ctx, s, "CACHE_SIZE=", ", cached") // as the service sets it
			}
		})
	}
}

// measurePagesOf measures the pages of a shop with a setting. The names of the figures end with suffix.
func (p *place) measurePagesOf(ctx context.Context, s shop, setting, suffix string) {
	service := p.service(ctx, s, setting)
	defer service.Stop()
	for _, page := range s.pages(ctx, service) {
		page.compareWays(ctx, service)
		for _, clients := range []int{1, p.o.clients} {
			var all []contender
			for way, requests := range page.requests() {
				all = append(all, asks(wayNames[way], service, requests, clients))
			}
			samples := takeTurns(ctx, p.o.spell(), all...)
			for _, way := range []int{byPost, byHash} {
				f := p.figure(figures.Pages, s, page.name+" page by "+wayNames[way]+suffix)
				f.Clients = clients
				samples[way].fill(&f)
				calls := fmt.Sprintf("its %d calls of REST", len(page.views[0].calls))
				f.Against = []figures.Against{against(calls, &samples[way], &samples[byREST], 2)}
				p.out.add(f)
			}
		}
	}
}

// compareWays checks that all ways to read a page give the same data, complete and without errors.
func (p page) compareWays(ctx context.Context, server *stage.Server) {
	requests := p.requests()
	for i, v := range p.views {
		must.In(fmt.Sprintf("%s page, %v", p.name, v.variables), func() {
			v.compareWays(ctx, server, requests[byPost][i].Body, requests[byHash][i].Target)
		})
	}
}

func (v view) compareWays(ctx context.Context, server *stage.Server, body, hashed string) {
	by := customer.Client{Base: customer.At(server.Addr)}
	answer := by.Send(ctx, http.MethodPost, "/graphql", []byte(body))
	var asked struct {
		Data struct{ Tenant map[string]any }
	}
	must.Do(answer.Read(&asked))
	byItsHash := get(ctx, server, hashed).Body
	must.Hold(bytes.Equal(answer.Body, byItsHash), "the hash is answered otherwise than its document: %.300s",
		byItsHash)
	whole := asked.Data.Tenant
	if product, ok := whole["product"].(map[string]any); ok {
		whole = product
	}
	for _, c := range v.calls {
		c.compare(get(ctx, server, c.target).Body, whole)
	}
}

// compare checks that a page contains the answer to a call.
func (c call) compare(body []byte, page map[string]any) {
	var called any
	must.Do(json.Unmarshal(body, &called))
	if c.member != "" {
		for name := range strings.SplitSeq(c.member, ".") {
			object, _ := called.(map[string]any)
			called = object[name]
		}
	}
	must.Hold(called != nil, "GET %s has no %s: %.300s", c.target, c.member, body)
	var asked any = page[c.field]
	switch c.field {
	case "":
		own := map[string]any{}
		for name := range called.(map[string]any) {
			own[name] = page[name]
		}
		asked = own
	case related:
		called = others(called.([]any), page["id"])
	}
	must.Hold(reflect.DeepEqual(called, asked), "GET %s gives\n%.1000v\nwhere GraphQL gives\n%.1000v",
		c.target, called, asked)
}

// others returns the products of a category list without the page's own product.
func others(items []any, itself any) []any {
	kept := []any{}
	for _, item := range items {
		if item.(map[string]any)["id"] != itself && len(kept) < relatedMost {
			kept = append(kept, item)
		}
	}
	return kept
}
