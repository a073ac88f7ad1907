package api_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestFaultsOfVariables checks that faults of variables are named by the variable, as the client sent it.
func TestFaultsOfVariables(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		offer, image := shoptest.Members{"sku": "D-13", "stock": -1}, shoptest.Members{"url": "ftp://x"}
		for _, one := range []struct {
			document string
			value    any
			want     string
		}{
			{`$v: [OfferInput!]!) { updateOffers(businessId: $shop, input: $v) { message } }`,
				[]any{shoptest.Members{"sku": "none"}, offer},
				"v.0.sku v.1.stock"},
			{`$v: OfferInput!) { updateOffers(businessId: $shop, input: [{sku: "none"}, $v]) { message } }`, offer,
				"input.0.sku v.stock"},
			{`$v: Int) { updateOffers(businessId: $shop, input: [{sku: "D-13", stock: $v}]) { message } }`, -1, "v"},
			{`$v: [ImageInput!]) { updateProduct(businessId: $shop, slug: "drill",
				input: {tags: [" "], images: $v}) { id } }`,
				[]any{image}, "input.tags.0 v.0.url"},
			{`$v: ProductInput!) { updateProduct(businessId: $shop, slug: "drill", input: $v) { id } }`,
				shoptest.Members{"images": []any{image}}, "v.images.0.url"},
			{`$v: [StockChangeInput!]!) { adjustStock(businessId: $shop,
				input: {reason: "x", items: $v}) { items { sku } } }`,
				[]any{shoptest.Members{"sku": "D-13"}}, "v.0"},
			{`$v: String!) { createBrand(businessId: $shop, slug: $v,
				input: {name: "N", nameFa: "N"}) { id } }`, "A b", "v"},
		} {
			got := owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, `+one.document,
				shoptest.Members{"shop": c.Tools, "v": one.value})
			if shoptest.WrongIn(got) != one.want {
				t.Errorf("%s: %s, want %s", one.document, shoptest.WrongIn(got), one.want)
			}
		}
	})
}
