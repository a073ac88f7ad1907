package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// compareWays makes sure that all ways to read a page give the same, whole and without errors. sizes are
// the bytes of the answers to one view, on average.
func (p page) compareWays(ctx context.Context, server *stage.Server) (sizes [ways]int) {
	requests := p.requests()
	for i, v := range p.views {
		must.In(fmt.Sprintf("%s page, %v", p.name, v.variables), func() {
			one := v.compareWays(ctx, server, requests[byPost][i].Body, requests[byHash][i].Target)
			for way, size := range one {
				sizes[way] += size
			}
		})
	}
	for way := range sizes {
		sizes[way] /= len(p.views)
	}
	return sizes
}

func (v view) compareWays(ctx context.Context, server *stage.Server, body, hashed string) (sizes [ways]int) {
	by := customer.Client{Base: customer.At(server.Addr)}
	answer := by.Send(ctx, http.MethodPost, "/graphql", []byte(body))
	var asked struct {
		Data struct{ Tenant map[string]any }
	}
	must.Do(answer.Read(&asked))
	byItsHash := get(ctx, server, hashed).Body
	must.Hold(bytes.Equal(answer.Body, byItsHash), "the hash is answered otherwise than its document: %.300s",
		byItsHash)
	sizes[byPost], sizes[byHash] = len(answer.Body), len(byItsHash)
	whole := asked.Data.Tenant
	if product, ok := whole["product"].(map[string]any); ok {
		whole = product
	}
	for _, c := range v.calls {
		called := get(ctx, server, c.target).Body
		sizes[byREST] += len(called)
		c.compare(called, whole)
	}
	return sizes
}

// compare finds the answer to a call in the whole page.
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

// others is what a page shows of a list of its product's category: not the product itself.
func others(items []any, itself any) []any {
	kept := []any{}
	for _, item := range items {
		if item.(map[string]any)["id"] != itself && len(kept) < relatedMost {
			kept = append(kept, item)
		}
	}
	return kept
}
