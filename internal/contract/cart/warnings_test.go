package cart_test

import (
	"encoding/json"
	"slices"
	"testing"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
)

// TestCartWarnings changes the items of a cart. Reading the cart never fails and shows what changed.
func TestCartWarnings(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 3))
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 5))
		s.Right(t, "AddCartItem", shoptest.Adding("MUG-S", 1))
		s.Priced(t, "D-10", 1250001)
		s.Stocked(t, "D-13", 4)
		s.Amends(t, "mug", map[string]any{"status": "archived"})
		s.Golden(t, "all three", s.Right(t, "Cart", ""))
		s.Golden(t, "ordered with all three", s.Wrong(t, "Checkout", shoptest.ToHome, "ITEM_UNAVAILABLE"))
		s.Golden(t, "change of what is gone", s.Wrong(t, "UpdateCartItem", `{"quantity": 2}`, "ITEM_UNAVAILABLE",
			s.Line(t, "MUG-S")))
		s.Right(t, "RemoveCartItem", "", s.Line(t, "MUG-S"))
		s.Golden(t, "ordered with too many", s.Wrong(t, "Checkout", shoptest.ToHome, "INSUFFICIENT_STOCK"))
		s.Wrong(t, "UpdateCartItem", `{"quantity": 5}`, "INSUFFICIENT_STOCK", s.Line(t, "D-13"))
		s.Right(t, "UpdateCartItem", `{"quantity": 4}`, s.Line(t, "D-13"))
		if is := s.Warnings(t); is != "D-10 PRICE_CHANGED D-13  " {
			t.Errorf("the cart warns of %s", is)
		}
		s.Right(t, "UpdateCartItem", `{"quantity": 3}`, s.Line(t, "D-10")) // shows the price
		if is := s.Warnings(t); is != "D-10  D-13  " {
			t.Errorf("the cart warns of %s", is)
		}

		for what, change := range map[string]func(*ent.VariantUpdate){
			"no price":         func(u *ent.VariantUpdate) { u.ClearPrice() },
			"off sale":         func(u *ent.VariantUpdate) { u.ClearListedAt() },
			"another currency": func(u *ent.VariantUpdate) { u.SetPriceCurrency("IRR") },
		} {
			s.Variant(t, "D-13", change)
			if is := s.Warnings(t); is != "D-10  D-13 UNAVAILABLE " {
				t.Errorf("%s: the cart warns of %s", what, is)
			}
			s.Wrong(t, "Checkout", shoptest.ToHome, "ITEM_UNAVAILABLE")
			s.Variant(t, "D-13", func(u *ent.VariantUpdate) {
				u.SetPrice(1450000).SetPriceCurrency("IRT").SetListedAt(shoptest.Today)
			})
		}
		s.Variant(t, "D-10", func(u *ent.VariantUpdate) { u.SetMaxOrderQuantity(2) })
		if got := s.Wrong(t, "Checkout", shoptest.ToHome,
			"MAX_ORDER_QUANTITY_EXCEEDED"); got.Short(t) != "D-10 wants 3 of 2" ||
			s.Warnings(t) != "D-10 MAX_ORDER_QUANTITY_EXCEEDED D-13  " {
			t.Errorf("%s; the cart warns of %s", got.Body, s.Warnings(t))
		}
		// less than the most units of an order
		s.Variant(t, "D-10", func(u *ent.VariantUpdate) { u.SetStock(1) })
		if got := s.Wrong(t, "Checkout", shoptest.ToHome,
			"INSUFFICIENT_STOCK"); got.Short(t) != "D-10 wants 3 of 1" ||
			s.Warnings(t) != "D-10 INSUFFICIENT_STOCK D-13  " {
			t.Errorf("%s; the cart warns of %s", got.Body, s.Warnings(t))
		}
		s.Variant(t, "D-10", func(u *ent.VariantUpdate) { u.SetStock(10) })
		if s.Stock(t, "D-10") != 10 || s.Stock(t, "D-13") != 4 || s.Quantities(t) != "D-10 3 D-13 4 " {
			t.Errorf("got a stock of %d and %d and the cart %s, want 10, 4 and D-10 3 D-13 4",
				s.Stock(t, "D-10"), s.Stock(t, "D-13"), s.Quantities(t))
		}
	})
}

// TestOrderPrices raises and lowers prices between cart and checkout: a rise is reported once, a fall is
// charged.
func TestOrderPrices(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		s.Right(t, "AddCartItem", shoptest.Adding("MUG-S", 1))
		s.Priced(t, "D-10", 1300000)
		s.Priced(t, "MUG-S", 80000)
		before := s.Right(t, "Cart", "")
		told := s.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
		s.Golden(t, "told", told)
		var failed struct{ Details json.RawMessage }
		if err := json.Unmarshal(told.Failure(t), &failed); err != nil ||
			shoptest.Tidied(t, string(failed.Details)) != shoptest.Tidied(t, before.Said) {
			t.Errorf("got the details %s, want the cart %s", failed.Details, before.Said)
		}
		if is := s.Warnings(t); is != "D-10  MUG-S  " || s.Stock(t, "D-10") != 10 {
			t.Errorf("the cart warns of %s, %d are in stock", is, s.Stock(t, "D-10"))
		}
		s.Priced(t, "D-10", 1300001)
		s.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
		s.Priced(t, "D-10", 999)
		made := s.Right(t, "Checkout", shoptest.ToHome).Order(t)
		if made.Total != "81998" || made.Items[0].UnitPrice != "999" || made.Items[1].UnitPrice != "80000" ||
			made.Payment.Amount != "81998" {
			t.Errorf("got %+v", made)
		}

		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Priced(t, "D-13", 1500000)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)) // shows the price
		if made := s.Right(t, "Checkout", shoptest.ToHome).Order(t); made.Total != "3000000" {
			t.Errorf("got %+v", made)
		}
	})
}

// TestOrderInAnotherCurrency changes the currency of a variant in a cart. That is reported once, even if the
// number is the same or lower, and then charged.
func TestOrderInAnotherCurrency(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		for _, to := range []struct {
			currency, total string
			minor           int64
		}{{"USD", "14500.00", 1450000}, {"IRR", "900000", 900000}, {"IRT", "900000", 900000}} {
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			if is := s.Warnings(t); is != "D-13  " {
				t.Errorf("the cart warns of %s", is)
			}
			s.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPrice(to.minor).SetPriceCurrency(to.currency) })
			if is := s.Warnings(t); is != "D-13 PRICE_CHANGED " {
				t.Errorf("%s: the cart warns of %s", to.currency, is)
			}
			s.Golden(t, "told of "+to.currency, s.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED"))
			if is := s.Warnings(t); is != "D-13  " {
				t.Errorf("%s: the cart warns of %s, which was reported before", to.currency, is)
			}
			if made := s.Right(t, "Checkout", shoptest.ToHome).Order(t); made.Total.String() != to.total {
				t.Errorf("got a total of %s, want %s", made.Total, to.total)
			}
		}
		// a change of the quantity shows the price, and so does adding
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		for currency, show := range map[string]func(){
			"EUR": func() { s.Right(t, "UpdateCartItem", `{"quantity": 2}`, s.Line(t, "D-13")) },
			"AED": func() { s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)) },
		} {
			s.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPriceCurrency(currency) })
			show()
			if is := s.Warnings(t); is != "D-13  " {
				t.Errorf("%s: the cart warns of %s", currency, is)
			}
		}
		s.Right(t, "Checkout", shoptest.ToHome)
	})
}

// TestOrderTooDear orders for more than the greatest amount.
func TestOrderTooDear(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("W-1", 2))
		s.Golden(t, "cart", s.Right(t, "Cart", ""))
		s.Golden(t, "line above", s.Wrong(t, "Checkout", shoptest.ToHome, "VALIDATION_FAILED"))
		s.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPrice(1).SetPriceCurrency("IRR") })
		s.Right(t, "UpdateCartItem", `{"quantity": 1}`, s.Line(t, "W-1"))
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Golden(t, "sum above", s.Wrong(t, "Checkout", shoptest.ToHome, "VALIDATION_FAILED"))
		if s.Quantities(t) != "W-1 1 D-13 1 " || s.Stock(t, "W-1") != 4000000 || s.Stock(t, "D-13") != 11 ||
			s.Right(t, "Orders", "").Orders(t) != "" {
			t.Errorf("the cart holds %s, the stock %d and %d", s.Quantities(t), s.Stock(t, "W-1"), s.Stock(t, "D-13"))
		}
		s.Right(t, "RemoveCartItem", "", s.Line(t, "D-13"))
		if made := s.Right(t, "Checkout", shoptest.ToHome).Order(t); made.Total != "9007199254740991" {
			t.Errorf("got %+v", made)
		}
	})
}

// TestOrderPricesUnderKey checks that a reported price stays reported when the request has an
// Idempotency-Key.
func TestOrderPricesUnderKey(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Priced(t, "D-13", 1500000)
		keyed := s
		keyed.Headers = append(slices.Clone(s.Headers), "Idempotency-Key", "once")
		keyed.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
		if is := s.Warnings(t); is != "D-13  " {
			t.Errorf("the cart warns of %s", is)
		}
		made := keyed.Right(t, "Checkout", shoptest.ToHome)
		if again := keyed.Right(t, "Checkout", shoptest.ToHome); again.Said != made.Said ||
			again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("got %v %s, want %s again", again.Header, again.Said, made.Said)
		}
		s.Wrong(t, "Checkout", shoptest.ToHome, "CART_EMPTY")
	})
}
