package cart_test

import (
	"testing"

	"github.com/google/uuid"

	"storefront/ent/variant"
	"storefront/internal/contract/shoptest"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
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
			happens(func() {
				ctx := tenancy.In(t.Context(), uuid.MustParse(customer.Named(t, "<tenant:tools>")))
				n, err := a.Store.Client.Variant.Delete().Where(variant.Sku("N-1")).Exec(derive.Alone(ctx))
				if n != 1 || err != nil {
					t.Errorf("%d variants deleted, %v", n, err)
				}
			})
			late.Wrong(t, "AddCartItem", gone, "NOT_FOUND")
			if is := customer.Quantities(t); is != "N-0 1 " {
				t.Errorf("the cart holds %s", is)
			}
			customer.Right(t, "ClearCart", "")
		}
	})
}
