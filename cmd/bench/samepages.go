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
	"storefront/cmd/internal/stage"
)

// compareWays makes sure that all ways to read a page give the same, whole and without errors. sizes are
// the bytes of the answers to one view, on average.
func (p page) compareWays(ctx context.Context, server *stage.Server) (sizes [ways]int, err error) {
	requests := p.requests()
	for i, v := range p.views {
		one, err := v.compareWays(ctx, server, requests[byPost][i].Body, requests[byHash][i].Target)
		if err != nil {
			return sizes, fmt.Errorf("%s page, %v: %w", p.name, v.variables, err)
		}
		for way, size := range one {
			sizes[way] += size
		}
	}
	for way := range sizes {
		sizes[way] /= len(p.views)
	}
	return sizes, nil
}

func (v view) compareWays(ctx context.Context, server *stage.Server, body,
	hashed string) (sizes [ways]int, err error) {
	by := customer.Client{Base: customer.At(server.Addr)}
	answer := by.Send(ctx, http.MethodPost, "/graphql", []byte(body))
	var asked struct {
		Data struct{ Tenant map[string]any }
	}
	if err := answer.Read(&asked); err != nil {
		return sizes, err
	}
	posted := answer.Body
	byItsHash, err := get(ctx, server, hashed)
	if err != nil {
		return sizes, err
	}
	if !bytes.Equal(posted, byItsHash.Body) {
		return sizes, fmt.Errorf("the hash is answered otherwise than its document: %.300s", byItsHash.Body)
	}
	sizes[byPost], sizes[byHash] = len(posted), len(byItsHash.Body)
	whole := asked.Data.Tenant
	if product, ok := whole["product"].(map[string]any); ok {
		whole = product
	}
	for _, c := range v.calls {
		called, err := get(ctx, server, c.target)
		if err != nil {
			return sizes, err
		}
		sizes[byREST] += len(called.Body)
		if err := c.compare(called.Body, whole); err != nil {
			return sizes, err
		}
	}
	return sizes, nil
}

// compare finds the answer to a call in the whole page.
func (c call) compare(body []byte, page map[string]any) error {
	var called any
	if err := json.Unmarshal(body, &called); err != nil {
		return err
	}
	if c.member != "" {
		for name := range strings.SplitSeq(c.member, ".") {
			object, _ := called.(map[string]any)
			called = object[name]
		}
	}
	if called == nil {
		return fmt.Errorf("GET %s has no %s: %.300s", c.target, c.member, body)
	}
	if c.field == "" {
		own := map[string]any{}
		for name := range called.(map[string]any) {
			own[name] = page[name]
		}
		return c.differ(called, own)
	}
	if c.field == related {
		called = others(called.([]any), page["id"])
	}
	return c.differ(called, page[c.field])
}

func (c call) differ(called, asked any) error {
	if !reflect.DeepEqual(called, asked) {
		return fmt.Errorf("GET %s gives\n%.1000v\nwhere GraphQL gives\n%.1000v", c.target, called, asked)
	}
	return nil
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
