package contract_test

import (
	"fmt"
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
		if text := fmt.Sprint(refused.Errors[0].Extensions.Errors); !strings.Contains(text, "input.1.sku") {
			t.Errorf("%s", text)
		}
		bad = []any{map[string]any{"sku": "BULK-1", "stock": -2}}
		editor.refused(t, "VALIDATION_FAILED", change, map[string]any{"shop": c.tools, "in": bad})
		if after := c.version(t); after != before {
			t.Errorf("the content's version was %d and is %d", before, after)
		}
	})
}
