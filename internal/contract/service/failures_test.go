package service_test

import (
	"encoding/json"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestFailedRequestIsLoggedOnce lets every field of a document fail. The request's line in the log must have
// operation, shop and code, and one other line the cause, not one for each field.
func TestFailedRequestIsLoggedOnce(t *testing.T) {
	shoptest.EachCopy(t, shoptest.WireShops, func(t *testing.T, p *shoptest.Place) {
		query := `query Home { cities(level: country) { id } a: tenant(domain: "shop.example") { id } ` +
			strings.Repeat(`x: tenant(domain: "shop.example") { products { total } } `, 3) +
			`b: tenant(domain: "shop.example") { name } }`
		p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(query, ""))
		if line, failures := logged(t, p); line["operation"] != "Home" || line["tenant"] == nil ||
			line["code"] != nil ||
			failures != 0 {
			t.Errorf("while all is well: %v, and %d more", line, failures)
		}
		p.Log.Reset()
		if err := p.Store.Close(); err != nil {
			t.Fatal(err)
		}
		p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(query, ""))
		line, failures := logged(t, p)
		if line["code"] != "INTERNAL" && line["code"] != "UNAVAILABLE" || line["errors"] == nil {
			t.Errorf("logged %v", line)
		}
		if failures != 1 {
			t.Errorf("%d lines about failures, want 1: %s", failures, p.Log)
		}
	})
}

// logged returns the line of the one request in the log, and how many others there are.
func logged(t testing.TB, p *shoptest.Place) (line map[string]any, others int) {
	t.Helper()
	for text := range strings.Lines(p.Log.String()) {
		var read map[string]any
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Fatal(err)
		}
		if read["msg"] == "request" {
			line = read
		} else {
			others++
		}
	}
	return line, others
}
