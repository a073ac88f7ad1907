package contract_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/variant"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
)

// meanwhile is an instance of the service that lets something else happen once, just before it takes the lock
// of a cart: when it has read all it could without.
func (a *accounts) meanwhile(t testing.TB) (instance *accounts, happens func(what func())) {
	t.Helper()
	var next atomic.Pointer[func()]
	instance = a.watched(t, func(text string) {
		if text != "BEGIN" && !strings.Contains(text, "xmin = ") && !strings.Contains(text, "INSERT INTO carts") {
			return
		}
		if what := next.Swap(nil); what != nil {
			(*what)()
		}
	})
	return instance, func(what func()) { next.Store(&what) }
}

// TestCartEditedMeanwhile edits a cart, and its variant, while something is being added.
func TestCartEditedMeanwhile(t *testing.T) {
	eachRace(t, func(t *testing.T, first, _ *accounts) {
		slow, happens := first.meanwhile(t)
		customer := crowd(t, 1, first)[0]
		for _, late := range customer.everywhere(slow) {
			happens(func() { customer.right(t, "AddCartItem", adding("D-13", 2)) }) // it makes the cart, the first time
			late.right(t, "AddCartItem", adding("D-13", 1))
			happens(func() { customer.right(t, "AddCartItem", adding("D-10", 3)) })
			late.right(t, "AddCartItem", adding("D-13", 3))
			if is := customer.quantities(t); is != "D-13 6 D-10 3 " {
				t.Errorf("the cart holds %s", is)
			}
			happens(func() { customer.right(t, "ClearCart", "") })
			late.right(t, "AddCartItem", adding("D-13", 1))
			if is := customer.quantities(t); is != "D-13 1 " {
				t.Errorf("the cart holds %s", is)
			}
			happens(func() { customer.right(t, "AddCartItem", adding("D-13", 10)) })
			late.wrong(t, "AddCartItem", adding("D-13", 1), "INSUFFICIENT_STOCK")
			customer.right(t, "ClearCart", "")
		}
	})
}

// TestCartVariantGoneMeanwhile deletes a variant while it is being added.
func TestCartVariantGoneMeanwhile(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		slow, happens := a.meanwhile(t)
		customer := crowd(t, 1, a)[0]
		for _, late := range customer.everywhere(slow) {
			customer.amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": []any{
				map[string]any{"sku": "N-0", "price": 5, "priceCurrency": "IRT", "stock": 100},
				map[string]any{"sku": "N-1", "price": 5, "priceCurrency": "IRT", "stock": 100},
			}})
			customer.right(t, "AddCartItem", adding("N-0", 1))
			gone := customer.named(t, adding("N-1", 1))
			happens(func() {
				ctx := tenancy.In(t.Context(), uuid.MustParse(customer.named(t, "<tenant:tools>")))
				n, err := a.store.Client.Variant.Delete().Where(variant.Sku("N-1")).Exec(derive.Alone(ctx))
				if n != 1 || err != nil {
					t.Errorf("%d variants deleted, %v", n, err)
				}
			})
			late.wrong(t, "AddCartItem", gone, "NOT_FOUND")
			if is := customer.quantities(t); is != "N-0 1 " {
				t.Errorf("the cart holds %s", is)
			}
			customer.right(t, "ClearCart", "")
		}
	})
}
