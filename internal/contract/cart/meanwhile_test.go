package cart_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestCartEditedMeanwhile edits a cart, and its variant, while something is being added.
func TestCartEditedMeanwhile(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, _ *shoptest.Accounts) {
		slow, happens := first.Meanwhile(t)
		customer := shoptest.Crowd(t, 1, first)[0]
		for _, late := range customer.Everywhere(slow) {
			// it makes the cart, the first time
			happens(func() { customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 2)) })
			late.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			happens(func() { customer.Right(t, "AddCartItem", shoptest.Adding("D-10", 3)) })
			late.Right(t, "AddCartItem", shoptest.Adding("D-13", 3))
			if is := customer.Quantities(t); is != "D-13 6 D-10 3 " {
				t.Errorf("the cart holds %s", is)
			}
			happens(func() { customer.Right(t, "ClearCart", "") })
			late.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			if is := customer.Quantities(t); is != "D-13 1 " {
				t.Errorf("the cart holds %s", is)
			}
			happens(func() { customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 10)) })
			late.Wrong(t, "AddCartItem", shoptest.Adding("D-13", 1), "INSUFFICIENT_STOCK")
			customer.Right(t, "ClearCart", "")
		}
	})
}

// TestCartVariantGoneMeanwhile deletes a variant while it is being added.
func TestCartVariantGoneMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		slow, happens := a.Meanwhile(t)
		customer := shoptest.Crowd(t, 1, a)[0]
		for _, late := range customer.Everywhere(slow) {
			customer.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": []any{
				map[string]any{"sku": "N-0", "price": 5, "priceCurrency": "IRT", "stock": 100},
				map[string]any{"sku": "N-1", "price": 5, "priceCurrency": "IRT", "stock": 100},
			}})
			customer.Right(t, "AddCartItem", shoptest.Adding("N-0", 1))
			gone := customer.Named(t, shoptest.Adding("N-1", 1))
			happens(func() { customer.Delete(t, "variants", "N-1") })
			late.Wrong(t, "AddCartItem", gone, "NOT_FOUND")
			if is := customer.Quantities(t); is != "N-0 1 " {
				t.Errorf("the cart holds %s", is)
			}
			customer.Right(t, "ClearCart", "")
		}
	})
}

// TestDeletedWhileAdded deletes a variant, or its product, while it is being added to a guest's cart, with another item
// to a customer's cart, or to the favorites: there is no such record, as after the deletion.
func TestDeletedWhileAdded(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0].Everywhere(a)[1] // by GraphQL
		g := newGuest(t, a)
		for _, c := range []struct {
			gone string
			add  func() string // returns the code
		}{
			{"variants WHERE sku = 'N-1'", func() string { return g.add(t, "N-1", 1).code }},
			{"variants WHERE sku = 'N-1'", func() string {
				return customer.Read(t, customer.Send(t, "POST", "/graphql", shoptest.GraphQLBody(customer.Named(t,
					`mutation { addToCart(domain: "tools.example", items: [{storeItemVariantId: "<tools:variant:N-1>"},
					{storeItemVariantId: "<tools:variant:D-13>"}]) { message } }`), "{}"), customer.Headers...)).Code
			}},
			{"products WHERE slug = 'nails'", func() string {
				return customer.Ask(t, "AddFavorite", `{"productId": "<tools:product:nails>"}`).Code
			}},
		} {
			customer.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": []any{
				map[string]any{"sku": "N-1", "price": 5, "priceCurrency": "IRT", "stock": 100},
			}})
			customer.Named(t, "<tools:variant:N-1>") // read while it is there
			deleted := a.Holding(t, "DELETE FROM "+c.gone)
			answered, code := make(chan struct{}), ""
			go func() {
				defer close(answered)
				code = c.add()
			}()
			a.UntilWaiting(t, 1, answered)
			deleted()
			if <-answered; code != "NOT_FOUND" {
				t.Errorf("DELETE FROM %s: got %q, want NOT_FOUND", c.gone, code)
			}
		}
	})
}
