package contract_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/variant"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
)

// TestOrderMeanwhile changes a cart, and what is in it, between the moment that a checkout reads it and the moment
// that it writes the order: the order, or the refusal, is of what is so when it is written.
func TestOrderMeanwhile(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.clock.ticks.Store(true)
		slow, happens := a.meanwhile(t)
		customer := crowd(t, 1, a)[0]
		deleted := func(sku string) {
			ctx := derive.Alone(tenancy.In(t.Context(), uuid.MustParse(customer.named(t, "<tenant:tools>"))))
			if n, err := a.store.Client.Variant.Delete().Where(variant.Sku(sku)).Exec(ctx); n != 1 || err != nil {
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
			{"more of a line", func() { customer.right(t, "AddCartItem", adding("N-0", 1)) }, "", 4, ""},
			{"another line", func() { customer.right(t, "AddCartItem", adding("D-13", 1)) }, "", 4, ""},
			{"emptied", func() { customer.right(t, "ClearCart", "") }, "CART_EMPTY", 0, ""},
			{"too few left", func() { customer.stocked(t, "N-0", 1) }, "INSUFFICIENT_STOCK", 0, "D-10 1 N-0 2 "},
			{"more left", func() { customer.stocked(t, "N-0", 50) }, "", 3, ""},
			{"dearer", func() { customer.priced(t, "N-0", 6) }, "PRICE_CHANGED", 0, "D-10 1 N-0 2 "},
			{"cheaper", func() { customer.priced(t, "N-0", 4) }, "", 3, ""},
			{"gone", func() { deleted("N-0") }, "", 1, ""},
			{"ordered", func() { customer.right(t, "Checkout", toHome) }, "", 3, ""},
			{"ordered otherwise", func() { customer.right(t, "Checkout", strings.Replace(toHome, "cash", "pos", 1)) },
				"CONFLICT", 0, ""},
		} {
			for _, late := range customer.everywhere(slow) {
				customer.right(t, "ClearCart", "")
				customer.amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": []any{nail}})
				a.stockedUp(t, "D-10", 10)
				a.stockedUp(t, "D-13", 10)
				customer.right(t, "AddCartItem", adding("D-10", 1))
				customer.right(t, "AddCartItem", adding("N-0", 2))
				before := customer.withStatus(t, "pending")
				happens(c.what)
				got := late.ask(t, "Checkout", toHome)
				if got.code != c.refused {
					t.Fatalf("%s: %d %s", c.name, got.status, got.body)
				}
				if c.refused == "" {
					if is := got.order(t).TotalQuantity; is != c.bought {
						t.Errorf("%s: %d units are bought", c.name, is)
					}
				}
				if is := customer.quantities(t); is != c.left {
					t.Errorf("%s: the cart holds %q", c.name, is)
				}
				placed := customer.withStatus(t, "pending") - before
				if want := c.refused == "" || c.refused == "CONFLICT"; placed != map[bool]int{true: 1}[want] {
					t.Errorf("%s: %d orders are placed", c.name, placed)
				}
			}
		}
	})
}
