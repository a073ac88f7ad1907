package api_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestReadStrictly sends values that were once read more loosely in one place than in another.
func TestReadStrictly(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for _, price := range []string{"5%20", "5+", "5%0A", "5%09", "%205"} {
			got := p.Send(t, "GET", "/tenants/tools.example/store-items?minPrice="+price+"&maxPrice=3", "")
			if got.Status != 400 || !strings.Contains(string(got.Body), `"minPrice"`) {
				t.Errorf("minPrice=%s: got %d %s", price, got.Status, got.Body)
			}
		}

		total := func(list string) int {
			t.Helper()
			var read struct {
				Data struct {
					Tenant struct{ List struct{ Total int } }
				}
			}
			p.Graph(t, shoptest.AboutTools("list: "+list+" { total }"), &read)
			return read.Data.Tenant.List.Total
		}
		all := total("products")
		for _, argument := range []string{"categoryId", "brandId", "tag", "name"} {
			if n := total("products(" + argument + `: "")`); n != all || n == 0 {
				t.Errorf("%s: got %d, want %d", argument, n, all)
			}
		}

		face := shoptest.AboutTools(`list: products(name: "FACE") { total }`)
		for escaped, want := range map[string]string{
			`\\uD83D\\uDE00`: "", `\\uFFFD`: "",
			`\\uD83D`: "GRAPHQL_PARSE_FAILED", `\\uDE00\\uD83D`: "GRAPHQL_PARSE_FAILED",
		} {
			got := p.Ask(t, strings.Replace(face, "FACE", escaped, 1))
			if failed := strings.Contains(string(got.Body), `"errors"`); failed != (want != "") ||
				!strings.Contains(string(got.Body), want) {
				t.Errorf("%s: got %d %s, want %q", escaped, got.Status, got.Body, want)
			}
		}

		for _, document := range []string{
			`subscription { orderUpdates(domain: "tools.example", orderId: "x") @skip(if: true) { id } }`,
			`subscription($i: Boolean!) { ...F @include(if: $i) }
				fragment F on Subscription { orderUpdates(domain: "tools.example", orderId: "x") { id } }`,
			`subscription($i: Boolean!) {
				... { orderUpdates(domain: "tools.example", orderId: "x") @include(if: $i) { id } } }`,
		} {
			got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, `{"i": false}`))
			if !strings.Contains(string(got.Body), "GRAPHQL_VALIDATION_FAILED") {
				t.Errorf("%s: got %d %s", document, got.Status, got.Body)
			}
		}

		body := shoptest.GraphQLBody(`{ __typename }`, "{}")
		for charset, want := range map[string]int{"utf-8": 200, "UTF8": 200, "utf-16": 415, "iso-8859-1": 415} {
			got := p.Send(t, "POST", "/graphql", body, "Content-Type", "application/json; charset="+charset)
			if got.Status != want {
				t.Errorf("charset %s: got %d, want %d", charset, got.Status, want)
			}
		}
	})
}

// TestCostOfFilters asks for the totals of many lists that are filtered by many values, which a document may not, and
// for one such list with all that a page shows of it.
func TestCostOfFilters(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		var fields strings.Builder
		for i := range 30 {
			fields.WriteString(" " + string(rune('a'+i%26)) + strings.Repeat("x", i/26) +
				`: products(tags: ["a", "b"], minPrice: 1) { total }`)
		}
		shoptest.WantGraphQL(t, p.Ask(t, shoptest.AboutTools(fields.String())), 200, "LIMIT_EXCEEDED")
		var got struct{ Errors []any }
		p.Graph(t, shoptest.AboutTools(`products(tags: ["a"], categories: ["tools"], brands: ["ronix"], minPrice: 1) {
			total items { slug price } facets { categories { count } brands { count } prices { count }
			options { key } fields { key } } }`), &got)
	})
}
