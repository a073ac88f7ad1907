package cart_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

const fullCheckout = `{
	"shippingAddress": {"province": " البرز ", "city": "کرج ", 
	"address": " میدان توحید، پلاک ۵", ` +
	`"postalCode": " ۳۱۳۷۷-۱۲۳۴۵ ", "landline": "026 3222 1234"},
	"customerNotes": " لطفاً عصر بفرستید ",
	"payment": {"type": "transfer", "posType": "mobile", "transferAccount": "IR06 0960 0000 0010 0324 2000 ` +
	`01", "transferRefNumber": "۱۲۳۴۵۶", "gatewayType": "saman", "notes": "paid from my sister's account"}
}`

func TestOrder(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Golden(t, "empty cart that never was", s.Wrong(t, "Checkout", shoptest.ToHome, "CART_EMPTY"))
		s.Golden(t, "no orders", s.Right(t, "Orders", ""))
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		s.Right(t, "AddCartItem", shoptest.Adding("MUG-S", 1))
		first := s.Right(t, "Checkout", fullCheckout)
		s.Golden(t, "placed", first)
		s.Golden(t, "cart afterwards", s.Right(t, "Cart", ""))
		s.Golden(t, "empty cart", s.Wrong(t, "Checkout", fullCheckout, "CART_EMPTY"))

		d := s.API
		at := d.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Golden(t, "to a saved address", s.Right(t, "Checkout", `{"addressId": "`+at+
			`", "shippingAddress": null, "payment": {"type": "pos"}}`))
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Golden(t, "empty members", s.Right(t, "Checkout",
			`{"addressId": "", "customerNotes": "", "shippingAddress": {"province": "تهران", "city": "ری", `+
				`"address": "پلاک ۱", "postalCode": "", "landline": null},
			"payment": {"type": "e_payment_gate", "posType": "", "transferAccount": null, "transferRefNumber": `+
				`" ", "gatewayType": "", "notes": null}}`))
		s.Golden(t, "orders", s.Right(t, "Orders", ""))
		s.Golden(t, "order", s.Right(t, "Order", "", "orderId="+first.Order(t).ID))
	})
}

// TestCheckoutWithBothAddresses gives a saved address and another one: the saved one counts, if there is one.
func TestCheckoutWithBothAddresses(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		at := s.API.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
		both := func(id string) string {
			return `{"addressId": "` + id + `", "shippingAddress": {"province": "P", "city": "C",
				"address": "elsewhere"},
				"payment": {"type": "pos"}}`
		}
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Wrong(t, "Checkout", both(shoptest.UnknownID), "NOT_FOUND")
		s.Wrong(t, "Checkout", strings.Replace(both(at), `"elsewhere"`, `""`, 1), "VALIDATION_FAILED").
			Blames(t, "shippingAddress.address")
		placed := s.Right(t, "Checkout", both(at))
		if strings.Contains(string(placed.Content(t)), "elsewhere") {
			t.Errorf("the order goes to %s", placed.Body)
		}
	})
}

// TestOrderIsSnapshot changes every record an order was made from: the order stays the same.
func TestOrderIsSnapshot(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		d := s.API
		at := d.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		placed := s.Right(t, "Checkout", `{"addressId": "`+at+`", "payment": {"type": "cash"}}`)
		id := "orderId=" + placed.Order(t).ID
		before, list := string(s.Right(t, "Order", "", id).Content(t)), string(s.Right(t, "Orders", "").Content(t))

		d.Right(t, "updateAddress "+at, `{"city": "ری", "address": "پلاک ۲"}`)
		s.Amends(t, "drill", map[string]any{
			"titleFa": "مته", "titleEn": "Borer", "images": []any{}, "variations": []any{
				renamed("size", "10", "13", "16", "20"), renamed("colour", "red", "blue")},
			"variants": []any{map[string]any{"sku": "D-10", "price": 1, "priceCurrency": "IRT",
				"imageUrl": "https://img.example/new.jpg"}},
		})
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
		if changed := s.Cart(t).Items[0]; changed.UnitPrice != "1" {
			t.Fatalf("the catalogue is as it was: %+v", changed)
		}
		same := func(what string) {
			t.Helper()
			if is := string(s.Right(t, "Order", "", id).Content(t)); is != before {
				t.Errorf("after %s: got the order\n%s\nwant\n%s", what, is, before)
			}
			if is := string(s.Right(t, "Orders", "").Content(t)); is != list {
				t.Errorf("after %s: got the list\n%s\nwant\n%s", what, is, list)
			}
		}
		same("a change of product, variant and address")
		d.Right(t, "deleteAddress "+at, "")
		s.Amends(t, "drill", map[string]any{"status": "archived"})
		same("the end of product and address")
	})
}

// renamed returns a variation whose name and labels are other ones.
func renamed(key string, values ...string) map[string]any {
	labelled := make([]any, len(values))
	for i, value := range values {
		labelled[i] = map[string]any{"key": value, "label": "New " + value, "labelFa": "نو " + value}
	}
	return map[string]any{"key": key, "name": "New " + key, "nameFa": "نو " + key, "values": labelled}
}

// TestOrderOfOthers asks for orders of another customer or another shop.
func TestOrderOfOthers(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		theirs := s.API.Shopper(t, 2)
		mine, other := s.Bought(t, "D-13", 1), theirs.Bought(t, "D-13", 1)
		for _, id := range []string{other.ID, shoptest.NobodysID, "x", mine.OrderNumber, "<tools:variant:D-13>"} {
			s.Wrong(t, "Order", "", "NOT_FOUND", "orderId="+id)
		}
		s.Golden(t, "of another customer", s.Wrong(t, "Order", "", "NOT_FOUND", "orderId="+other.ID))
		s.Golden(t, "at another shop", s.At(t, "mugs").Wrong(t, "Order", "", "NOT_FOUND", "orderId="+mine.ID))
		s.Golden(t, "orders at another shop", s.At(t, "mugs").Right(t, "Orders", ""))
		if list := s.Right(t, "Orders", ""); list.Orders(t) != mine.ID {
			t.Errorf("the orders are %s", list.Body)
		}

		d := theirs.API
		at := d.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		for _, id := range []string{at, shoptest.NobodysID, "x"} {
			s.Wrong(t, "Checkout", `{"addressId": "`+id+`", "payment": {"type": "cash"}}`, "NOT_FOUND")
		}
		s.Golden(t, "address of another customer", s.Wrong(t, "Checkout", `{"addressId": "`+at+
			`", "payment": {"type": "cash"}}`, "NOT_FOUND"))
		if is := s.Quantities(t); is != "D-13 1 " {
			t.Errorf("the cart holds %s", is)
		}
	})
}
