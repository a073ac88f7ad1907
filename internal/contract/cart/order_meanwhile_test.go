package cart_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/sale/cart"
)

// TestOrderLooksAgain changes, after a checkout has read its cart, each thing that a checkout looks at (cart.Looked),
// and what it is made from. Nothing is sold as it was before, with an Idempotency-Key and without.
func TestOrderLooksAgain(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		slow, happens := a.Meanwhile(t)
		customer := shoptest.Crowd(t, 1, a)[0]
		set := func(change func(*ent.VariantUpdate)) func() {
			return func() { customer.Variant(t, "N-0", change) }
		}
		amended := func(members map[string]any) func() {
			return func() { customer.Amends(t, "nails", members) }
		}
		pause := func(to string) {
			shoptest.Must(a.Store.Client.ExecContext(t.Context(), "UPDATE tenants SET paused_at = "+to))(t)
		}
		changes := map[string][]struct {
			what    func()
			refused string
		}{
			"price": {{set(func(u *ent.VariantUpdate) { u.SetPrice(6) }), "PRICE_CHANGED"},
				{set(func(u *ent.VariantUpdate) { u.ClearPrice() }), "ITEM_UNAVAILABLE"}},
			"currency": {{set(func(u *ent.VariantUpdate) { u.SetPriceCurrency("USD") }), "PRICE_CHANGED"}},
			"listed": {{set(func(u *ent.VariantUpdate) { u.SetOnSale(false).ClearListedAt() }), "ITEM_UNAVAILABLE"},
				{amended(map[string]any{"status": "archived"}), "ITEM_UNAVAILABLE"},
				{amended(map[string]any{"publishedAt": "2040-01-01T00:00:00Z"}), "ITEM_UNAVAILABLE"}},
			"most":   {{set(func(u *ent.VariantUpdate) { u.SetMaxOrderQuantity(1) }), "MAX_ORDER_QUANTITY_EXCEEDED"}},
			"stock":  {{func() { customer.Stocked(t, "N-0", 1) }, "INSUFFICIENT_STOCK"}},
			"weight": {}, "tax": {}, // refuse no order: TestDeliveryMeanwhile
			"shop": {{func() { pause("created_at") }, "SHOP_CLOSED"}},
		}
		for field := range reflect.TypeFor[cart.Looked]().Fields() {
			if changes[field.Tag.Get("json")] == nil {
				t.Errorf("nothing changes %s", field.Name)
			}
		}
		nail := map[string]any{"sku": "N-0", "price": 5, "priceCurrency": "IRT", "stock": 5, "onSale": true,
			"maxOrderQuantity": nil}
		for name, all := range changes {
			for _, c := range all {
				for n, late := range customer.Everywhere(slow, slow) {
					customer.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z",
						"status": "published", "variants": []any{nail}})
					customer.Right(t, "ClearCart", "")
					customer.Right(t, "AddCartItem", shoptest.Adding("N-0", 2))
					if n > 1 {
						late.Headers = append(late.Headers, "Idempotency-Key", uuid.NewString())
					}
					happens(c.what)
					if got := late.Ask(t, "Checkout", shoptest.ToHome); got.Code != c.refused {
						t.Errorf("%s, %d: got %d %s", name, n, got.Status, got.Body)
					}
					pause("NULL")
				}
			}
		}
	})
}

// TestOrderMeanwhile changes a cart and its variants after a checkout has read them and before it writes the
// order. The order, or the refusal, must reflect the changes.
func TestOrderMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		slow, happens := a.Meanwhile(t)
		customer := shoptest.Crowd(t, 1, a)[0]
		nail := map[string]any{"sku": "N-0", "price": 5, "priceCurrency": "IRT", "stock": 5}
		for _, c := range []struct {
			name    string
			what    func()
			refused string
			bought  int // units in the order
			left    string
		}{
			{"gone", func() { customer.Delete(t, "variants", "N-0") }, "ITEM_UNAVAILABLE", 0, "D-10 1 N-0 2 "},
			{"nothing", func() {}, "", 3, ""},
			{"more of a line", func() { customer.Right(t, "AddCartItem", shoptest.Adding("N-0", 1)) }, "", 4, ""},
			{"another line", func() { customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)) }, "", 4, ""},
			{"emptied", func() { customer.Right(t, "ClearCart", "") }, "CART_EMPTY", 0, ""},
			{"too few left", func() { customer.Stocked(t, "N-0", 1) }, "INSUFFICIENT_STOCK", 0, "D-10 1 N-0 2 "},
			{"more left", func() { customer.Stocked(t, "N-0", 50) }, "", 3, ""},
			{"dearer", func() { customer.Priced(t, "N-0", 6) }, "PRICE_CHANGED", 0, "D-10 1 N-0 2 "},
			{"cheaper", func() { customer.Priced(t, "N-0", 4) }, "", 3, ""},
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
