package contract_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// nobodys is a well-formed id that no record has.
const nobodys = "00000000-0000-7000-8000-000000000000"

// adding is the input that puts units of a variant of the tool shop into a cart.
func adding(sku string, quantity int) string {
	return fmt.Sprintf(`{"storeItemVariantId": "<tools:variant:%s>", "quantity": %d}`, sku, quantity)
}

// cartOf are the members of a cart that tests read.
type cartOf struct {
	ID    *string
	Items []struct {
		ID, StoreItemVariantID, Sku string
		Quantity, AvailableQuantity int
		UnitPrice, LineTotal        json.Number
		Warning                     string
	}
	TotalQuantity int
	Subtotal      json.Number
	PriceCurrency *string
	UpdatedAt     *time.Time
}

// cart reads the cart.
func (s shopper) cart(t testing.TB) cartOf {
	t.Helper()
	return s.right(t, "Cart", "").cart(t)
}

// cart reads the cart in a reply.
func (r reply) cart(t testing.TB) cartOf {
	t.Helper()
	var read struct{ Cart cartOf }
	if err := json.Unmarshal([]byte(r.said), &read); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	return read.Cart
}

// line returns the parameter that names the line of a variant in the cart.
func (s shopper) line(t testing.TB, sku string) string {
	t.Helper()
	for _, item := range s.cart(t).Items {
		if item.Sku == sku {
			return "itemId=" + item.ID
		}
	}
	t.Fatalf("%s is not in the cart", sku)
	return ""
}

// quantities returns the units of each variant in the cart.
func (s shopper) quantities(t testing.TB) string {
	t.Helper()
	text := ""
	for _, item := range s.cart(t).Items {
		text += fmt.Sprintf("%s %d ", item.Sku, item.Quantity)
	}
	return text
}

func TestCart(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.golden(t, "empty", s.right(t, "Cart", ""))
		s.golden(t, "one by default", s.right(t, "AddCartItem", `{"storeItemVariantId": "<tools:variant:D-10>"}`))
		s.golden(t, "added up", s.right(t, "AddCartItem", adding("D-10", 2)))
		s.golden(t, "another", s.right(t, "AddCartItem", adding("MUG-S", 2)))
		s.golden(t, "with an image of its own", s.right(t, "AddCartItem", adding("D-13", 1)))
		s.golden(t, "as it stands", s.right(t, "Cart", ""))
		s.golden(t, "changed", s.right(t, "UpdateCartItem", `{"quantity": 1}`, s.line(t, "MUG-S")))
		gone := s.line(t, "D-10")
		s.golden(t, "taken out", s.right(t, "RemoveCartItem", "", gone))
		s.golden(t, "taken out again", s.wrong(t, "RemoveCartItem", "", "NOT_FOUND", gone))
		s.golden(t, "changed after that", s.wrong(t, "UpdateCartItem", `{"quantity": 1}`, "NOT_FOUND", gone))
		s.golden(t, "cleared", s.right(t, "ClearCart", ""))
		s.golden(t, "cleared again", s.right(t, "ClearCart", ""))
		s.golden(t, "read when cleared", s.right(t, "Cart", ""))
	})
}

// TestCartRefuses adds what a cart may not hold; the cart stays unchanged.
func TestCartRefuses(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.golden(t, "unknown variant", s.wrong(t, "AddCartItem", `{"storeItemVariantId": "`+nobodys+`"}`,
			"NOT_FOUND"))
		s.golden(t, "no id", s.wrong(t, "AddCartItem", `{"storeItemVariantId": "D-10"}`, "NOT_FOUND"))
		s.golden(t, "variant of another shop",
			s.wrong(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:TEA-1>"}`, "NOT_FOUND"))
		s.golden(t, "product", s.wrong(t, "AddCartItem", `{"storeItemVariantId": "<tools:product:drill>"}`,
			"NOT_FOUND"))
		for sku, why := range map[string]string{"D-16": "off sale", "F-1": "scheduled", "X-1": "draft",
			"O-1": "archived"} {
			s.golden(t, why, s.wrong(t, "AddCartItem", adding(sku, 1), "NOT_FOUND"))
		}
		s.golden(t, "no price", s.wrong(t, "AddCartItem", adding("M-1", 2), "ITEM_UNAVAILABLE"))
		s.golden(t, "no price and no stock", s.wrong(t, "AddCartItem", adding("D-20", 1), "ITEM_UNAVAILABLE"))
		s.golden(t, "no stock", s.wrong(t, "AddCartItem", adding("S-1", 1), "INSUFFICIENT_STOCK"))
		s.golden(t, "over the stock", s.wrong(t, "AddCartItem", adding("D-13", 12), "INSUFFICIENT_STOCK"))
		s.golden(t, "over what is sold at once", s.wrong(t, "AddCartItem", adding("D-10", 4), "MAX_ORDER_QUANTITY_EXCEEDED"))
		s.golden(t, "still nothing", s.right(t, "Cart", ""))

		s.right(t, "AddCartItem", adding("D-10", 2))
		s.golden(t, "another currency", s.wrong(t, "AddCartItem", adding("W-1", 1), "CONFLICT"))
		s.golden(t, "added up over what is sold at once", s.wrong(t, "AddCartItem", adding("D-10", 2),
			"MAX_ORDER_QUANTITY_EXCEEDED"))
		s.golden(t, "changed over what is sold at once", s.wrong(t, "UpdateCartItem", `{"quantity": 4}`,
			"MAX_ORDER_QUANTITY_EXCEEDED", s.line(t, "D-10")))
		if is := s.quantities(t); is != "D-10 2 " {
			t.Errorf("the cart holds %s", is)
		}

		s.right(t, "ClearCart", "")
		s.right(t, "AddCartItem", adding("W-1", 9999))
		s.golden(t, "past the most of a line", s.wrong(t, "AddCartItem", adding("W-1", 1), "VALIDATION_FAILED"))
		s.golden(t, "far past the most of a line", s.wrong(t, "AddCartItem", adding("W-1", 9999),
			"VALIDATION_FAILED"))
		if is := s.quantities(t); is != "W-1 9999 " {
			t.Errorf("the cart holds %s", is)
		}
	})
}

// TestCartUnknownPlaces uses businesses and lines that do not exist or belong to someone else: all get the
// same 404.
func TestCartUnknownPlaces(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		theirs := s.door.shopper(t, 2)
		theirs.right(t, "AddCartItem", adding("D-13", 1))
		s.right(t, "AddCartItem", adding("D-13", 2))
		own := s.line(t, "D-13")
		for _, line := range []string{theirs.line(t, "D-13"), "itemId=" + nobodys, "itemId=x",
			"itemId=<tools:variant:D-13>", "itemId=%00"} {
			s.wrong(t, "UpdateCartItem", `{"quantity": 1}`, "NOT_FOUND", line)
			s.wrong(t, "RemoveCartItem", "", "NOT_FOUND", line)
		}
		s.golden(t, "line of another customer", s.wrong(t, "UpdateCartItem", `{"quantity": 1}`, "NOT_FOUND",
			theirs.line(t, "D-13")))
		s.golden(t, "line at another shop", s.at(t, "mugs").wrong(t, "UpdateCartItem", `{"quantity": 1}`,
			"NOT_FOUND", own))
		s.at(t, "mugs").wrong(t, "RemoveCartItem", "", "NOT_FOUND", own)
		if mine, other := s.quantities(t), theirs.quantities(t); mine != "D-13 2 " || other != "D-13 1 " {
			t.Errorf("the carts hold %s and %s", mine, other)
		}
		s.golden(t, "at another shop", s.at(t, "mugs").right(t, "Cart", ""))
		for operation, input := range shopping {
			for _, business := range []string{nobodys, "x", "tools.example", "<tools:product:drill>"} {
				s.wrong(t, operation, input, "NOT_FOUND", "businessId="+business, "itemId="+nobodys, "orderId="+nobodys,
					"productId="+nobodys)
			}
		}
	})
}

// shopping are the operations of a customer at a shop, each with a valid input.
var shopping = map[string]string{
	"Cart": "", "ClearCart": "", "AddCartItem": `{"storeItemVariantId": "<tools:variant:D-10>"}`,
	"UpdateCartItem": `{"quantity": 1}`,
	"RemoveCartItem": "", "Checkout": toHome, "Orders": "", "Order": "", "Favorites": "",
	"AddFavorite":    `{"productId": "<tools:product:drill>"}`,
	"RemoveFavorite": "",
}

// toHome is a checkout.
const toHome = `{"shippingAddress": ` + homeAddress + `, "payment": {"type": "cash"}}`
