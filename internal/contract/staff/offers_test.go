package staff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestOffersInBulk adds a product with a thousand variants and changes stock and price of all in one mutation.
func TestOffersInBulk(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor, public := c.Staff(t, c.Tools, record.Editor), shoptest.Worker{API: c.GraphQL()}
		var made, offers []any
		for i := range 1000 {
			sku := fmt.Sprintf("BULK-%d", i)
			made = append(made, map[string]any{"sku": sku, "priceCurrency": "USD", "price": 5, "stock": 1})
			offers = append(offers, map[string]any{"sku": sku, "price": 7.25, "stock": i})
		}
		editor.Do(t, `mutation($shop: ID!, $in: ProductInput!) { createProduct(businessId: $shop, `+
			`slug: "bulk", input: $in) { id } }`,
			map[string]any{"shop": c.Tools, "in": map[string]any{"titleFa": "انبوه", "variants": made}}, nil)
		const change = `mutation($shop: ID!, $in: [OfferInput!]!) {
			updateOffers(businessId: $shop, input: $in) { message } }`
		editor.Do(t, change, map[string]any{"shop": c.Tools, "in": offers}, nil)
		got := public.Ask(t, `{ tenant(domain: "tools.example") { product(slug: "bulk") { `+
			`price maxPrice inStock } } }`, nil)
		if want := `{"product":{"price":7.25,"maxPrice":7.25,"inStock":true}}`; string(got.Data["tenant"]) != want {
			t.Errorf("got %s", got.Data["tenant"])
		}
		type variant struct {
			Sku   string
			Stock int
		}
		var seen struct {
			StaffVariantsConnection struct {
				TotalCount int
				Nodes      []variant
			}
			StaffRecordsConnection, BySKU struct {
				TotalCount int
				Nodes      []struct{ Slug, Status string }
			}
			AuditLogConnection struct{ TotalCount int }
		}
		c.Staff(t, c.Tools, record.Manager).Do(t, `query($shop: ID!) {
			staffVariantsConnection(businessId: $shop, name: "bulk", maxStock: 9) { totalCount nodes { sku stock } }
			staffRecordsConnection(businessId: $shop, kind: product, name: "انبوه") { totalCount nodes { slug status } }
			bySKU: staffRecordsConnection(businessId: $shop, kind: product, name: "bulk-1") {
				totalCount nodes { slug } }
			auditLogConnection(businessId: $shop, action: "updateOffers") { totalCount nodes { before after } } }`,
			map[string]any{"shop": c.Tools}, &seen)
		if seen.StaffVariantsConnection.TotalCount != 10 ||
			slices.ContainsFunc(seen.StaffVariantsConnection.Nodes, func(v variant) bool { return v.Stock > 9 }) ||
			seen.StaffRecordsConnection.TotalCount != 1 ||
			seen.StaffRecordsConnection.Nodes[0].Slug != "bulk" ||
			seen.BySKU.TotalCount != 1 || seen.BySKU.Nodes[0].Slug != "bulk" ||
			seen.AuditLogConnection.TotalCount != 1000 {
			t.Errorf("got %+v", seen)
		}
		before := contentVersion(t, c)
		bad := []any{map[string]any{"sku": "BULK-1", "stock": 2}, map[string]any{"sku": "none"}}
		refused := editor.Refused(t, "VALIDATION_FAILED", change, map[string]any{"shop": c.Tools, "in": bad})
		if text := fmt.Sprint(refused.Errors[0].Extensions.Errors); !strings.Contains(text, "in.1.sku") {
			t.Errorf("got %s", text)
		}
		bad = []any{map[string]any{"sku": "BULK-1", "stock": -2}}
		editor.Refused(t, "VALIDATION_FAILED", change, map[string]any{"shop": c.Tools, "in": bad})
		if after := contentVersion(t, c); after != before {
			t.Errorf("got the content version %d, want %d as before", after, before)
		}
	})
}

// TestOffersNameAllFaults sends a list with several faults.
func TestOffersNameAllFaults(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor := c.Staff(t, c.Tools, record.Editor)
		bad := editor.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [
			{sku: "none", stock: -1}, {sku: "D-13", stock: -1, price: -2}, 
			{sku: "D-10", expectedStock: -5}, {sku: "D-13"}, {sku: "D-16", priceCurrency: "USD"}]) { message } }`,
			map[string]any{"shop": c.Tools})
		got := strings.Fields(shoptest.WrongIn(bad))
		slices.Sort(got)
		const want = "input.0.sku input.0.stock input.1.price input.1.stock input.2.expectedStock " +
			"input.3.sku input.4 input.4.priceCurrency"
		if strings.Join(got, " ") != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// TestOffersExpectStock sets stock from a form that was opened before a sale, and checks the event of low
// stock.
func TestOffersExpectStock(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor, all := c.Staff(t, c.Tools, record.Editor), c.Listens(t, "tools", record.StockLow)
		c.StockedUp(t, "D-13", 11)
		c.StockedUp(t, "D-10", 8)
		s := c.REST().Shopper(t, 1)
		s.Bought(t, "D-13", 2)
		offer := func(items string) string {
			return `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [` + items + `]) { message } }`
		}
		shop := map[string]any{"shop": c.Tools}
		for _, stale := range []string{`{sku: "D-13", stock: 20, expectedStock: 11}`,
			`{sku: "D-13", expectedStock: 11}`,
			`{sku: "D-10", stock: 1, expectedStock: 8}, {sku: "D-13", price: 7, expectedStock: 10}`} {
			editor.Refused(t, "CONFLICT", offer(stale), shop)
		}
		if s.Stock(t, "D-13") != 9 || s.Stock(t, "D-10") != 8 {
			t.Error("a refused change changed the stock")
		}
		editor.Do(t, offer(`{sku: "D-13", stock: 20, expectedStock: 9}, {sku: "D-10", stock: 0}`), shop, nil)
		events := shoptest.EventTypes(c.Deliveries(t, all))
		if s.Stock(t, "D-13") != 20 || s.Stock(t, "D-10") != 0 || events != "stock_low" {
			t.Errorf("got a stock of %d and %d and the events %s, want 20, 0 and stock_low", s.Stock(t, "D-13"),
				s.Stock(t, "D-10"), events)
		}
		var seen struct {
			StaffVariantsConnection struct {
				Nodes []struct {
					Sku        string
					Price      *float64
					PriceMoney *struct{ Amount, Currency string }
				}
			}
		}
		editor.Do(t, `query($shop: ID!) { staffVariantsConnection(businessId: $shop, name: "D-10") { nodes { sku price
			priceMoney { amount currency } } } }`, shop, &seen)
		if one := seen.StaffVariantsConnection.Nodes[0]; one.PriceMoney == nil || one.PriceMoney.Amount != "1250000" ||
			*one.Price != 1250000 {
			t.Errorf("got %+v", one)
		}
	})
}

// TestVariantsExpectStock sets the stock of a variant by a form of its product that was opened before a sale.
func TestVariantsExpectStock(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor, s := c.Staff(t, c.Tools, record.Editor), c.REST().Shopper(t, 1)
		c.StockedUp(t, "D-13", 10)
		s.Bought(t, "D-13", 3)
		update := func(variants string) string {
			return `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "drill",
				input: {variants: [` + variants + `]}) { version } }`
		}
		shop := map[string]any{"shop": c.Tools}
		for _, stale := range []string{`{sku: "D-13", stock: 12, expectedStock: 10}`,
			`{sku: "D-13", price: 7, expectedStock: 10}`} {
			refused := editor.Refused(t, "CONFLICT", update(stale), shop)
			details, err := json.Marshal(refused.Errors[0].Extensions.Details)
			if want := `[{"expectedStock":10,"sku":"D-13","stock":7}]`; err != nil || string(details) != want {
				t.Errorf("got the details %s, %v, want %s", details, err, want)
			}
		}
		gone := editor.Refused(t, "VALIDATION_FAILED", update(`{sku: "GONE", priceCurrency: "IRR", stock: 1,
			expectedStock: 1}`), shop)
		if got := shoptest.WrongIn(gone); got != "input.variants.0.sku" {
			t.Errorf("got %s, want the SKU of what was deleted since", got)
		}
		if s.Stock(t, "D-13") != 7 {
			t.Error("a refused change changed the stock")
		}
		for variant, want := range map[string]int{`{sku: "D-13", stock: 9, expectedStock: 7}`: 9,
			`{sku: "D-13", stock: 12}`: 12, `{sku: "D-13", stock: 5, expectedStock: null}`: 5} {
			c.StockedUp(t, "D-13", 7)
			editor.Do(t, update(variant), shop, nil)
			if got := s.Stock(t, "D-13"); got != want {
				t.Errorf("%s: got a stock of %d, want %d", variant, got, want)
			}
		}
	})
}

// TestOffersRaceSales sets the stock repeatedly, relative to the stock it has read, while customers buy. No
// sold unit may return to stock.
func TestOffersRaceSales(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor := c.Staff(t, c.Tools, record.Editor)
		buyers := []shoptest.Shopper{c.REST().Shopper(t, 1), c.REST().Shopper(t, 2)}
		for range 3 * *shoptest.Rounds {
			c.StockedUp(t, "D-13", 40)
			units := make([]int, len(buyers)) // added by the editor
			shoptest.Together(len(buyers)+1, func(i int) bool {
				if i < len(buyers) {
					buyers[i].Bought(t, "D-13", 2)
					return true
				}
				for range 3 {
					seen := buyers[0].Stock(t, "D-13")
					got := editor.Ask(t, `mutation($shop: ID!, $to: Int, $seen: Int) { updateOffers(businessId: $shop,
						input: [{sku: "D-13", stock: $to, expectedStock: $seen}]) { message } }`,
						map[string]any{"shop": c.Tools, "to": seen + 1, "seen": seen})
					if got.Code() == "" {
						units[0]++
					} else if got.Code() != "CONFLICT" {
						t.Errorf("got %+v", got.Errors)
					}
				}
				return true
			})
			if left := buyers[0].Stock(t, "D-13"); left != 40+units[0]-2*len(buyers) {
				t.Fatalf("got %d in stock, want %d", left, 40+units[0]-2*len(buyers))
			}
		}
	})
}

// TestOffersNoteTheStockTheyReplace sets the stock unconditionally while customers buy. The changes in the
// audit log, less the units sold, must add up to the final stock.
func TestOffersNoteTheStockTheyReplace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		buyers := []shoptest.Shopper{c.REST().Shopper(t, 1), c.REST().Shopper(t, 2), c.REST().Shopper(t, 3)}
		c.StockedUp(t, "D-13", 40)
		rounds := 3 * *shoptest.Rounds
		for i := range rounds {
			shoptest.Together(len(buyers)+1, func(n int) bool {
				if n < len(buyers) {
					buyers[n].Bought(t, "D-13", 2)
					return true
				}
				for more := range 4 {
					owner.Do(t, `mutation($shop: ID!, $to: Int) { updateOffers(businessId: $shop,
						input: [{sku: "D-13", stock: $to}]) { message } }`,
						map[string]any{"shop": c.Tools, "to": 50 + 10*i + more}, nil)
				}
				return true
			})
		}
		added := 0
		for _, e := range log(t, c, owner, `, action: "updateOffers"`) {
			var was, is struct{ Stock int }
			if err := errors.Join(json.Unmarshal(e.Before, &was), json.Unmarshal(e.After, &is)); err != nil {
				t.Fatal(err)
			}
			added += is.Stock - was.Stock
		}
		if left, want := buyers[0].Stock(t, "D-13"), 40+added-2*len(buyers)*rounds; left != want {
			t.Errorf("got %d in stock, want %d by the log", left, want)
		}
	})
}
