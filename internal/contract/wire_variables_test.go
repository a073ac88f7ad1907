package contract_test

import (
	"testing"

	"storefront/internal/record"
)

// TestFaultsOfVariables names what the rooms find wrong as the client sent it: by the variable in which it came.
func TestFaultsOfVariables(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner := c.staff(t, c.tools, record.Owner)
		offer, image := members{"sku": "D-13", "stock": -1}, members{"url": "ftp://x"}
		for _, one := range []struct {
			document string
			value    any
			want     string
		}{
			{`$v: [OfferInput!]!) { updateOffers(businessId: $shop, input: $v) { message } }`, []any{members{"sku": "none"}, offer},
				"v.0.sku v.1.stock"},
			{`$v: OfferInput!) { updateOffers(businessId: $shop, input: [{sku: "none"}, $v]) { message } }`, offer,
				"input.0.sku v.stock"},
			{`$v: Int) { updateOffers(businessId: $shop, input: [{sku: "D-13", stock: $v}]) { message } }`, -1, "v"},
			{`$v: [ImageInput!]) { updateProduct(businessId: $shop, slug: "drill", input: {tags: [" "], images: $v}) { id } }`,
				[]any{image}, "input.tags.0 v.0.url"},
			{`$v: ProductInput!) { updateProduct(businessId: $shop, slug: "drill", input: $v) { id } }`,
				members{"images": []any{image}}, "v.images.0.url"},
			{`$v: [StockChangeInput!]!) { adjustStock(businessId: $shop, input: {reason: "x", items: $v}) { items { sku } } }`,
				[]any{members{"sku": "D-13"}}, "v.0"},
			{`$v: String!) { createBrand(businessId: $shop, slug: $v, input: {name: "N", nameFa: "N"}) { id } }`, "A b", "v"},
		} {
			got := owner.refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, `+one.document,
				members{"shop": c.tools, "v": one.value})
			if wrongIn(got) != one.want {
				t.Errorf("%s: %s, want %s", one.document, wrongIn(got), one.want)
			}
		}
	})
}
