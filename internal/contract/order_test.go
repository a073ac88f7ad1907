package contract_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// orderOf are the members of an order that tests read.
type orderOf struct {
	ID, OrderNumber, Status string
	Items                   []struct {
		Sku, TitleFa         string
		Quantity             int
		UnitPrice, LineTotal json.Number
	}
	TotalQuantity   int
	Subtotal, Total json.Number
	Payment         struct {
		Status, Type string
		Amount       json.Number
		Notes        *string
	}
	CustomerNotes *string
	History       []struct {
		Status, At string
		Note       *string
	}
}

// order reads the order in a reply.
func (r reply) order(t testing.TB) orderOf {
	t.Helper()
	var read struct{ Order orderOf }
	if err := json.Unmarshal([]byte(r.said), &read); err != nil || read.Order.ID == "" {
		t.Fatalf("%v: %s", err, r.body)
	}
	return read.Order
}

// bought puts units of a variant into the cart and orders it.
func (s shopper) bought(t testing.TB, sku string, quantity int) orderOf {
	t.Helper()
	s.right(t, "AddCartItem", adding(sku, quantity))
	return s.right(t, "Checkout", toHome).order(t)
}

const fullCheckout = `{
	"shippingAddress": {"province": " البرز ", "city": "کرج ", "address": " میدان توحید، پلاک ۵", ` +
	`"postalCode": " ۳۱۳۷۷-۱۲۳۴۵ ", "landline": "026 3222 1234"},
	"customerNotes": " لطفاً عصر بفرستید ",
	"payment": {"type": "transfer", "posType": "mobile", "transferAccount": "IR06 0960 0000 0010 0324 2000 ` +
	`01", "transferRefNumber": "۱۲۳۴۵۶", "gatewayType": "saman", "notes": "paid from my sister's account"}
}`

func TestOrder(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.golden(t, "empty cart that never was", s.wrong(t, "Checkout", toHome, "CART_EMPTY"))
		s.golden(t, "no orders", s.right(t, "Orders", ""))
		s.right(t, "AddCartItem", adding("D-10", 2))
		s.right(t, "AddCartItem", adding("MUG-S", 1))
		first := s.right(t, "Checkout", fullCheckout)
		s.golden(t, "placed", first)
		s.golden(t, "cart afterwards", s.right(t, "Cart", ""))
		s.golden(t, "empty cart", s.wrong(t, "Checkout", fullCheckout, "CART_EMPTY"))

		d := s.door
		at := d.right(t, "createAddress", homeAddress).member(t, "address.id")
		s.right(t, "AddCartItem", adding("D-13", 1))
		s.golden(t, "to a saved address", s.right(t, "Checkout", `{"addressId": "`+at+
			`", "shippingAddress": null, "payment": {"type": "pos"}}`))
		s.right(t, "AddCartItem", adding("D-13", 1))
		s.golden(t, "empty members", s.right(t, "Checkout",
			`{"addressId": "", "customerNotes": "", "shippingAddress": {"province": "تهران", "city": "ری", `+
				`"address": "پلاک ۱", "postalCode": "", "landline": null},
			"payment": {"type": "e_payment_gate", "posType": "", "transferAccount": null, "transferRefNumber": `+
				`" ", "gatewayType": "", "notes": null}}`))
		s.golden(t, "orders", s.right(t, "Orders", ""))
		s.golden(t, "order", s.right(t, "Order", "", "orderId="+first.order(t).ID))
	})
}

// TestCheckoutWithBothAddresses gives a saved address and another one: the saved one counts, if there is one.
func TestCheckoutWithBothAddresses(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		at := s.door.right(t, "createAddress", homeAddress).member(t, "address.id")
		both := func(id string) string {
			return `{"addressId": "` + id + `", "shippingAddress": {"province": "P", "city": "C", "address": "elsewhere"},
				"payment": {"type": "pos"}}`
		}
		s.right(t, "AddCartItem", adding("D-13", 1))
		s.wrong(t, "Checkout", both(unknown), "NOT_FOUND")
		s.wrong(t, "Checkout", strings.Replace(both(at), `"elsewhere"`, `""`, 1), "VALIDATION_FAILED").
			blames(t, "shippingAddress.address")
		placed := s.right(t, "Checkout", both(at))
		if strings.Contains(string(placed.content(t)), "elsewhere") {
			t.Errorf("the order goes to %s", placed.body)
		}
	})
}

// TestOrderIsSnapshot changes every record an order was made from: the order stays the same.
func TestOrderIsSnapshot(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		d := s.door
		at := d.right(t, "createAddress", homeAddress).member(t, "address.id")
		s.right(t, "AddCartItem", adding("D-10", 2))
		placed := s.right(t, "Checkout", `{"addressId": "`+at+`", "payment": {"type": "cash"}}`)
		id := "orderId=" + placed.order(t).ID
		before, list := string(s.right(t, "Order", "", id).content(t)), string(s.right(t, "Orders", "").content(t))

		d.right(t, "updateAddress "+at, `{"city": "ری", "address": "پلاک ۲"}`)
		s.amends(t, "drill", map[string]any{
			"titleFa": "مته", "titleEn": "Borer", "images": []any{}, "variations": []any{
				renamed("size", "10", "13", "16", "20"), renamed("colour", "red", "blue")},
			"variants": []any{map[string]any{"sku": "D-10", "price": 1, "priceCurrency": "IRT",
				"imageUrl": "https://img.example/new.jpg"}},
		})
		s.right(t, "AddCartItem", adding("D-10", 1))
		if changed := s.cart(t).Items[0]; changed.UnitPrice != "1" {
			t.Fatalf("the catalogue is as it was: %+v", changed)
		}
		same := func(what string) {
			t.Helper()
			if is := string(s.right(t, "Order", "", id).content(t)); is != before {
				t.Errorf("after %s the order is\n%s, was\n%s", what, is, before)
			}
			if is := string(s.right(t, "Orders", "").content(t)); is != list {
				t.Errorf("after %s the list is\n%s, was\n%s", what, is, list)
			}
		}
		same("a change of product, variant and address")
		d.right(t, "deleteAddress "+at, "")
		s.amends(t, "drill", map[string]any{"status": "archived"})
		same("the end of product and address")
	})
}

// renamed is a variation whose name and labels are other ones.
func renamed(key string, values ...string) map[string]any {
	labelled := make([]any, len(values))
	for i, value := range values {
		labelled[i] = map[string]any{"key": value, "label": "New " + value, "labelFa": "نو " + value}
	}
	return map[string]any{"key": key, "name": "New " + key, "nameFa": "نو " + key, "values": labelled}
}

// TestOrderOfOthers asks for orders of another customer or another shop.
func TestOrderOfOthers(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		theirs := s.door.shopper(t, 2)
		mine, other := s.bought(t, "D-13", 1), theirs.bought(t, "D-13", 1)
		for _, id := range []string{other.ID, nobodys, "x", mine.OrderNumber, "<tools:variant:D-13>"} {
			s.wrong(t, "Order", "", "NOT_FOUND", "orderId="+id)
		}
		s.golden(t, "of another customer", s.wrong(t, "Order", "", "NOT_FOUND", "orderId="+other.ID))
		s.golden(t, "at another shop", s.at(t, "mugs").wrong(t, "Order", "", "NOT_FOUND", "orderId="+mine.ID))
		s.golden(t, "orders at another shop", s.at(t, "mugs").right(t, "Orders", ""))
		if list := s.right(t, "Orders", ""); list.orders(t) != mine.ID {
			t.Errorf("the orders are %s", list.body)
		}

		d := theirs.door
		at := d.right(t, "createAddress", homeAddress).member(t, "address.id")
		s.right(t, "AddCartItem", adding("D-13", 1))
		for _, id := range []string{at, nobodys, "x"} {
			s.wrong(t, "Checkout", `{"addressId": "`+id+`", "payment": {"type": "cash"}}`, "NOT_FOUND")
		}
		s.golden(t, "address of another customer", s.wrong(t, "Checkout", `{"addressId": "`+at+
			`", "payment": {"type": "cash"}}`, "NOT_FOUND"))
		if is := s.quantities(t); is != "D-13 1 " {
			t.Errorf("the cart holds %s", is)
		}
	})
}

// orders returns the ids of a page of orders.
func (r reply) orders(t testing.TB) (ids string) {
	t.Helper()
	var page struct{ Items []struct{ ID string } }
	if err := json.Unmarshal([]byte(r.said), &page); err != nil {
		t.Fatal(err)
	}
	for i, order := range page.Items {
		if i > 0 {
			ids += " "
		}
		ids += order.ID
	}
	return ids
}
