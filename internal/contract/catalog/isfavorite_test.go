package catalog_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestIsFavorite reads which products in lists are a customer's favorites. Such answers are not cached.
func TestIsFavorite(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		first, second := c.Customer(t), c.Customer(t)
		visitor := shoptest.Worker{API: c.GraphQL()}
		for _, slug := range []string{"drill", "saw"} {
			first.Do(t, `mutation { addFavorite(domain: "tools.example", input: {productId: "<tools:product:`+slug+
				`>"}) { message } }`, nil, nil)
		}
		second.Do(t, `mutation { addFavorite(domain: "tools.example", input: {productId: "<tools:product:saw>"}) `+
			`{ message } }`, nil, nil)
		type product struct {
			Slug       string
			IsFavorite *bool
			Related    []product
		}
		const document = `{ tenant(domain: "tools.example") { products(pageSize: 100) ` +
			`{ items { slug isFavorite related { slug isFavorite } } } } }`
		marked := func(w shoptest.Worker) (kept string) {
			t.Helper()
			sent := w.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""), w.Headers...)
			if is := sent.Header.Get("Cache-Control"); is != "no-store" || sent.Header.Get("ETag") != "" {
				t.Errorf("the answer may be kept: %v", sent.Header)
			}
			var read struct {
				Data struct {
					Tenant struct{ Products struct{ Items []product } }
				}
			}
			if err := json.Unmarshal(sent.Body, &read); err != nil || len(read.Data.Tenant.Products.Items) < 5 {
				t.Fatalf("got %s", sent.Body)
			}
			var slugs []string
			var walk func(all []product)
			walk = func(all []product) {
				for _, p := range all {
					if p.IsFavorite == nil {
						slugs = append(slugs, "null")
					} else if *p.IsFavorite {
						slugs = append(slugs, p.Slug)
					}
					walk(p.Related)
				}
			}
			walk(read.Data.Tenant.Products.Items)
			slices.Sort(slugs)
			return strings.Join(slices.Compact(slugs), " ")
		}
		for range 2 {
			for want, w := range map[string]shoptest.Worker{"drill saw": first, "saw": second, "null": visitor} {
				if got := marked(w); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		}
		if got := marked(shoptest.Worker{API: c.GraphQL().With("ended")}); got != "null" {
			t.Errorf("by a sign-in that has ended: got %s", got)
		}
		first.Do(t, `mutation { removeFavorite(domain: "tools.example", productId: "<tools:product:drill>") `+
			`{ message } }`, nil, nil)
		if got := marked(first); got != "saw" {
			t.Errorf("after one was removed: got %s", got)
		}
		var statements atomic.Int32
		watched := c.Watched(t, func(text string) {
			if strings.Contains(text, "favorites") {
				statements.Add(1)
			}
		})
		marked(shoptest.Worker{API: watched.GraphQL().With(first.Access)})
		if got := statements.Load(); got != 2 { // one for the list, one for all related products
			t.Errorf("%d statements read favorites, want 2", got)
		}
	})
}
