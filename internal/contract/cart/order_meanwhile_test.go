package cart_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/variant"
	"storefront/internal/contract/shoptest"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
)

// TestOrderMeanwhile changes a cart and its variants after a checkout has read them and before it writes the
// order. The order, or the refusal, must reflect the changes.
func TestOrderMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		slow, happens := a.Meanwhile(t)
		customer := shoptest.Crowd(t, 1, a)[0]
		deleted := func(sku string) {
			ctx := derive.Alone(tenancy.In(t.Context(), uuid.MustParse(customer.Named(t, "<tenant:tools>"))))
			if n, err := a.Store.Client.Variant.Delete().Where(variant.Sku(sku)).Exec(ctx); n != 1 || err != nil {
				t.Errorf("%d variants deleted, %v", n, err)
			}
		}
		nail := map[string]any{"sku": "N-0", "price": 5, "priceCurrency": "IRT", "stock": 5}
		for _, c := range []struct {
			name    string
			what    func()
			refused string
			bought  int // units in the order
			left    string
		}{
			{"nothing", func() {}, "", 3, ""},
			{"more of a line", func() { customer.Right(t, "AddCartItem", shoptest.Adding("N-0", 1)) }, "", 4, ""},
			{"another line", func() { customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)) }, "", 4, ""},
			{"emptied", func() { customer.Right(t, "ClearCart", "") }, "CART_EMPTY", 0, ""},
			{"too few left", func() { customer.Stocked(t, "N-0", 1) }, "INSUFFICIENT_STOCK", 0, "D-10 1 N-0 2 "},
			{"more left", func() { customer.Stocked(t, "N-0", 50) }, "", 3, ""},
			{"dearer", func() { customer.Priced(t, "N-0", 6) }, "PRICE_CHANGED", 0, "D-10 1 N-0 2 "},
			{"cheaper", func() { customer.Priced(t, "N-0", 4) }, "", 3, ""},
			{"gone", func() { deleted("N-0") }, "", 1, ""},
			{"ordered", func() { customer.Right(t, "Checkout", shoptest.ToHome) }, "", 3, ""},
			{"ordered otherwise", func() {
				customer.Right(t, "Checkout",
					strings.Replace(shoptest.ToHome, "cash", "pos", 1))
			},
				"CONFLICT", 0, ""},
		} {
			for _, late := range customer.Everywhere(slow) {
				customer.Right(t, "ClearCart", "")
				customer.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z",
					"variants": []any{nail}})
				a.StockedUp(t, "D-10", 10)
				a.StockedUp(t, "D-13", 10)
				customer.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
				customer.Right(t, "AddCartItem", shoptest.Adding("N-0", 2))
				before := customer.WithStatus(t, "pending")
				happens(c.what)
				got := late.Ask(t, "Checkout", shoptest.ToHome)
				if got.Code != c.refused {
					t.Fatalf("%s: got %d %s", c.name, got.Status, got.Body)
				}
				if c.refused == "" {
					if is := got.Order(t).TotalQuantity; is != c.bought {
						t.Errorf("%s: %d units are bought", c.name, is)
					}
				}
				if is := customer.Quantities(t); is != c.left {
					t.Errorf("%s: the cart holds %q", c.name, is)
				}
				placed := customer.WithStatus(t, "pending") - before
				if want := c.refused == "" || c.refused == "CONFLICT"; placed != map[bool]int{true: 1}[want] {
					t.Errorf("%s: %d orders are placed", c.name, placed)
				}
			}
		}
	})
}
