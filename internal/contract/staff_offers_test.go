package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/record"
)

// TestOffersInBulk adds a product with a thousand variants and changes stock and price of all in one mutation.
func TestOffersInBulk(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		editor, public := c.staff(t, c.tools, record.Editor), worker{door: c.graphQL()}
		var made, offers []any
		for i := range 1000 {
			sku := fmt.Sprintf("BULK-%d", i)
			made = append(made, map[string]any{"sku": sku, "priceCurrency": "USD", "price": 5, "stock": 1})
			offers = append(offers, map[string]any{"sku": sku, "price": 7.25, "stock": i})
		}
		editor.do(t, `mutation($shop: ID!, $in: ProductInput!) { createProduct(businessId: $shop, slug: "bulk", input: $in) { id } }`,
			map[string]any{"shop": c.tools, "in": map[string]any{"titleFa": "انبوه", "variants": made}}, nil)
		const change = `mutation($shop: ID!, $in: [OfferInput!]!) { updateOffers(businessId: $shop, input: $in) { message } }`
		editor.do(t, change, map[string]any{"shop": c.tools, "in": offers}, nil)
		got := public.ask(t, `{ tenant(domain: "tools.example") { product(slug: "bulk") { price maxPrice inStock } } }`, nil)
		if want := `{"product":{"price":7.25,"maxPrice":7.25,"inStock":true}}`; string(got.Data["tenant"]) != want {
			t.Errorf("%s", got.Data["tenant"])
		}
		var seen struct {
			StaffVariants struct {
				Total int
				Items []struct {
					Sku   string
					Stock int
				}
			}
			StaffRecords struct {
				Total int
				Items []struct{ Slug, Status string }
			}
			AuditLog struct{ Total int }
		}
		c.staff(t, c.tools, record.Manager).do(t, `query($shop: ID!) {
			staffVariants(businessId: $shop, name: "bulk", maxStock: 9) { total items { sku stock } }
			staffRecords(businessId: $shop, kind: product, name: "انبوه") { total items { slug status } }
			auditLog(businessId: $shop, action: "updateOffers") { total items { before after } } }`,
			map[string]any{"shop": c.tools}, &seen)
		if seen.StaffVariants.Total != 10 || seen.StaffVariants.Items[9].Stock != 9 || seen.StaffRecords.Total != 1 ||
			seen.StaffRecords.Items[0].Slug != "bulk" || seen.AuditLog.Total != 1000 {
			t.Errorf("%+v", seen)
		}
		before := c.version(t)
		bad := []any{map[string]any{"sku": "BULK-1", "stock": 2}, map[string]any{"sku": "none"}}
		refused := editor.refused(t, "VALIDATION_FAILED", change, map[string]any{"shop": c.tools, "in": bad})
		if text := fmt.Sprint(refused.Errors[0].Extensions.Errors); !strings.Contains(text, "in.1.sku") {
			t.Errorf("%s", text)
		}
		bad = []any{map[string]any{"sku": "BULK-1", "stock": -2}}
		editor.refused(t, "VALIDATION_FAILED", change, map[string]any{"shop": c.tools, "in": bad})
		if after := c.version(t); after != before {
			t.Errorf("the content's version was %d and is %d", before, after)
		}
	})
}

// TestOffersNameAllFaults has several things wrong in one list.
func TestOffersNameAllFaults(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		editor := c.staff(t, c.tools, record.Editor)
		bad := editor.refused(t, "VALIDATION_FAILED", `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [
			{sku: "none", stock: -1}, {sku: "D-13", stock: -1, price: -2}, {sku: "D-10", expectedStock: -5}, {sku: "D-13"},
			{sku: "D-16", priceCurrency: "USD"}]) { message } }`, map[string]any{"shop": c.tools})
		got := strings.Fields(wrongIn(bad))
		slices.Sort(got)
		const want = "input.0.sku input.0.stock input.1.price input.1.stock input.2.expectedStock input.3.sku input.4 " +
			"input.4.priceCurrency"
		if strings.Join(got, " ") != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// TestOffersExpectStock sets stock from a form that was opened before a sale, and tells of stock that becomes low.
func TestOffersExpectStock(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		editor, all := c.staff(t, c.tools, record.Editor), c.listens(t, "tools", record.StockLow)
		c.stockedUp(t, "D-13", 11)
		c.stockedUp(t, "D-10", 8)
		s := c.rest().shopper(t, 1)
		s.bought(t, "D-13", 2)
		offer := func(items string) string {
			return `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [` + items + `]) { message } }`
		}
		shop := map[string]any{"shop": c.tools}
		for _, stale := range []string{`{sku: "D-13", stock: 20, expectedStock: 11}`, `{sku: "D-13", expectedStock: 11}`,
			`{sku: "D-10", stock: 1, expectedStock: 8}, {sku: "D-13", price: 7, expectedStock: 10}`} {
			editor.refused(t, "CONFLICT", offer(stale), shop)
		}
		if s.stock(t, "D-13") != 9 || s.stock(t, "D-10") != 8 {
			t.Error("a refused change changed the stock")
		}
		editor.do(t, offer(`{sku: "D-13", stock: 20, expectedStock: 9}, {sku: "D-10", stock: 0}`), shop, nil)
		if s.stock(t, "D-13") != 20 || s.stock(t, "D-10") != 0 || types(c.told(t, all)) != "stock_low" {
			t.Errorf("%d, %d, %s", s.stock(t, "D-13"), s.stock(t, "D-10"), types(c.told(t, all)))
		}
		var seen struct {
			StaffVariants struct {
				Items []struct {
					Sku        string
					Price      *float64
					PriceMoney *struct{ Amount, Currency string }
				}
			}
		}
		editor.do(t, `query($shop: ID!) { staffVariants(businessId: $shop, name: "D-10") { items { sku price
			priceMoney { amount currency } } } }`, shop, &seen)
		if one := seen.StaffVariants.Items[0]; one.PriceMoney == nil || one.PriceMoney.Amount != "1250000" || *one.Price != 1250000 {
			t.Errorf("%+v", one)
		}
	})
}

// TestOffersRaceSales sets the stock again and again, as it was seen, while customers buy: no unit is given
// back that was sold.
func TestOffersRaceSales(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		editor := c.staff(t, c.tools, record.Editor)
		buyers := []shopper{c.rest().shopper(t, 1), c.rest().shopper(t, 2)}
		for range 3 * *rounds {
			c.stockedUp(t, "D-13", 40)
			units := make([]int, len(buyers)) // that were added by the editor
			together(len(buyers)+1, func(i int) bool {
				if i < len(buyers) {
					buyers[i].bought(t, "D-13", 2)
					return true
				}
				for range 3 {
					seen := buyers[0].stock(t, "D-13")
					got := editor.ask(t, `mutation($shop: ID!, $to: Int, $seen: Int) { updateOffers(businessId: $shop,
						input: [{sku: "D-13", stock: $to, expectedStock: $seen}]) { message } }`,
						map[string]any{"shop": c.tools, "to": seen + 1, "seen": seen})
					if got.code() == "" {
						units[0]++
					} else if got.code() != "CONFLICT" {
						t.Errorf("%+v", got.Errors)
					}
				}
				return true
			})
			if left := buyers[0].stock(t, "D-13"); left != 40+units[0]-2*len(buyers) {
				t.Fatalf("%d are left, and %d were added", left, units[0])
			}
		}
	})
}
