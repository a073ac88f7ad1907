package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"storefront/ent"
)

// warnings returns the warnings of a cart's lines.
func (s shopper) warnings(t testing.TB) string {
	t.Helper()
	text := ""
	for _, item := range s.cart(t).Items {
		text += fmt.Sprintf("%s %s ", item.Sku, item.Warning)
	}
	return text
}

// TestCartWarnings changes the items of a cart. Reading the cart never fails and shows what changed.
func TestCartWarnings(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.right(t, "AddCartItem", adding("D-10", 3))
		s.right(t, "AddCartItem", adding("D-13", 5))
		s.right(t, "AddCartItem", adding("MUG-S", 1))
		s.priced(t, "D-10", 1250001)
		s.stocked(t, "D-13", 4)
		s.amends(t, "mug", map[string]any{"status": "archived"})
		s.golden(t, "all three", s.right(t, "Cart", ""))
		s.golden(t, "ordered with all three", s.wrong(t, "Checkout", toHome, "ITEM_UNAVAILABLE"))
		s.golden(t, "change of what is gone", s.wrong(t, "UpdateCartItem", `{"quantity": 2}`, "ITEM_UNAVAILABLE",
			s.line(t, "MUG-S")))
		s.right(t, "RemoveCartItem", "", s.line(t, "MUG-S"))
		s.golden(t, "ordered with too many", s.wrong(t, "Checkout", toHome, "INSUFFICIENT_STOCK"))
		s.wrong(t, "UpdateCartItem", `{"quantity": 5}`, "INSUFFICIENT_STOCK", s.line(t, "D-13"))
		s.right(t, "UpdateCartItem", `{"quantity": 4}`, s.line(t, "D-13"))
		if is := s.warnings(t); is != "D-10 PRICE_CHANGED D-13  " {
			t.Errorf("the cart warns of %s", is)
		}
		s.right(t, "UpdateCartItem", `{"quantity": 3}`, s.line(t, "D-10")) // which shows the price
		if is := s.warnings(t); is != "D-10  D-13  " {
			t.Errorf("the cart warns of %s", is)
		}

		for what, change := range map[string]func(*ent.VariantUpdate){
			"no price":         func(u *ent.VariantUpdate) { u.ClearPrice() },
			"off sale":         func(u *ent.VariantUpdate) { u.ClearListedAt() },
			"another currency": func(u *ent.VariantUpdate) { u.SetPriceCurrency("IRR") },
		} {
			s.variant(t, "D-13", change)
			if is := s.warnings(t); is != "D-10  D-13 UNAVAILABLE " {
				t.Errorf("%s: the cart warns of %s", what, is)
			}
			s.wrong(t, "Checkout", toHome, "ITEM_UNAVAILABLE")
			s.variant(t, "D-13", func(u *ent.VariantUpdate) {
				u.SetPrice(1450000).SetPriceCurrency("IRT").SetListedAt(today)
			})
		}
		s.variant(t, "D-10", func(u *ent.VariantUpdate) { u.SetMaxOrderQuantity(2) })
		if got := s.wrong(t, "Checkout", toHome, "MAX_ORDER_QUANTITY_EXCEEDED"); got.short(t) != "D-10 wants 3 of 2" ||
			s.warnings(t) != "D-10 MAX_ORDER_QUANTITY_EXCEEDED D-13  " {
			t.Errorf("%s; the cart warns of %s", got.body, s.warnings(t))
		}
		s.variant(t, "D-10", func(u *ent.VariantUpdate) { u.SetStock(1) }) // which is less than may be ordered at once
		if got := s.wrong(t, "Checkout", toHome, "INSUFFICIENT_STOCK"); got.short(t) != "D-10 wants 3 of 1" ||
			s.warnings(t) != "D-10 INSUFFICIENT_STOCK D-13  " {
			t.Errorf("%s; the cart warns of %s", got.body, s.warnings(t))
		}
		s.variant(t, "D-10", func(u *ent.VariantUpdate) { u.SetStock(10) })
		if s.stock(t, "D-10") != 10 || s.stock(t, "D-13") != 4 || s.quantities(t) != "D-10 3 D-13 4 " {
			t.Errorf("stock %d and %d, the cart holds %s", s.stock(t, "D-10"), s.stock(t, "D-13"), s.quantities(t))
		}
	})
}

// TestOrderPrices raises and lowers prices between cart and checkout: a rise is reported once, a fall is
// charged.
func TestOrderPrices(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.right(t, "AddCartItem", adding("D-10", 2))
		s.right(t, "AddCartItem", adding("MUG-S", 1))
		s.priced(t, "D-10", 1300000)
		s.priced(t, "MUG-S", 80000)
		before := s.right(t, "Cart", "")
		told := s.wrong(t, "Checkout", toHome, "PRICE_CHANGED")
		s.golden(t, "told", told)
		var failed struct{ Details json.RawMessage }
		if err := json.Unmarshal(told.failure(t), &failed); err != nil ||
			tidied(t, string(failed.Details)) != tidied(t, before.said) {
			t.Errorf("details %s, the cart was %s", failed.Details, before.said)
		}
		if is := s.warnings(t); is != "D-10  MUG-S  " || s.stock(t, "D-10") != 10 {
			t.Errorf("the cart warns of %s, %d are in stock", is, s.stock(t, "D-10"))
		}
		s.priced(t, "D-10", 1300001)
		s.wrong(t, "Checkout", toHome, "PRICE_CHANGED")
		s.priced(t, "D-10", 999)
		made := s.right(t, "Checkout", toHome).order(t)
		if made.Total != "81998" || made.Items[0].UnitPrice != "999" || made.Items[1].UnitPrice != "80000" ||
			made.Payment.Amount != "81998" {
			t.Errorf("%+v", made)
		}

		s.right(t, "AddCartItem", adding("D-13", 1))
		s.priced(t, "D-13", 1500000)
		s.right(t, "AddCartItem", adding("D-13", 1)) // which shows the price
		if made := s.right(t, "Checkout", toHome).order(t); made.Total != "3000000" {
			t.Errorf("%+v", made)
		}
	})
}

// TestOrderTooDear orders for more than the largest amount.
func TestOrderTooDear(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.right(t, "AddCartItem", adding("W-1", 2))
		s.golden(t, "cart", s.right(t, "Cart", ""))
		s.golden(t, "line above", s.wrong(t, "Checkout", toHome, "VALIDATION_FAILED"))
		s.variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPrice(1).SetPriceCurrency("IRR") })
		s.right(t, "UpdateCartItem", `{"quantity": 1}`, s.line(t, "W-1"))
		s.right(t, "AddCartItem", adding("D-13", 1))
		s.golden(t, "sum above", s.wrong(t, "Checkout", toHome, "VALIDATION_FAILED"))
		if s.quantities(t) != "W-1 1 D-13 1 " || s.stock(t, "W-1") != 4000000 || s.stock(t, "D-13") != 11 ||
			s.right(t, "Orders", "").orders(t) != "" {
			t.Errorf("the cart holds %s, the stock %d and %d", s.quantities(t), s.stock(t, "W-1"), s.stock(t, "D-13"))
		}
		s.right(t, "RemoveCartItem", "", s.line(t, "D-13"))
		if made := s.right(t, "Checkout", toHome).order(t); made.Total != "9007199254740991" {
			t.Errorf("%+v", made)
		}
	})
}

// TestOrderPricesUnderKey checks that a reported price stays reported when the request has an
// Idempotency-Key.
func TestOrderPricesUnderKey(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.right(t, "AddCartItem", adding("D-13", 1))
		s.priced(t, "D-13", 1500000)
		keyed := s
		keyed.headers = append(slices.Clone(s.headers), "Idempotency-Key", "once")
		keyed.wrong(t, "Checkout", toHome, "PRICE_CHANGED")
		if is := s.warnings(t); is != "D-13  " {
			t.Errorf("the cart warns of %s", is)
		}
		made := keyed.right(t, "Checkout", toHome)
		if again := keyed.right(t, "Checkout", toHome); again.said != made.said ||
			again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%v %s, was %s", again.header, again.said, made.said)
		}
		s.wrong(t, "Checkout", toHome, "CART_EMPTY")
	})
}
