// Package cart_test checks carts, checkout, orders and stock.
package cart_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestCart(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Golden(t, "empty", s.Right(t, "Cart", ""))
		s.Golden(t, "one by default", s.Right(t, "AddCartItem", `{"storeItemVariantId": "<tools:variant:D-10>"}`))
		s.Golden(t, "added up", s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2)))
		s.Golden(t, "another", s.Right(t, "AddCartItem", shoptest.Adding("MUG-S", 2)))
		s.Golden(t, "with an image of its own", s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)))
		s.Golden(t, "as it stands", s.Right(t, "Cart", ""))
		s.Golden(t, "changed", s.Right(t, "UpdateCartItem", `{"quantity": 1}`, s.Line(t, "MUG-S")))
		gone := s.Line(t, "D-10")
		s.Golden(t, "taken out", s.Right(t, "RemoveCartItem", "", gone))
		s.Golden(t, "taken out again", s.Wrong(t, "RemoveCartItem", "", "NOT_FOUND", gone))
		s.Golden(t, "changed after that", s.Wrong(t, "UpdateCartItem", `{"quantity": 1}`, "NOT_FOUND", gone))
		s.Golden(t, "cleared", s.Right(t, "ClearCart", ""))
		s.Golden(t, "cleared again", s.Right(t, "ClearCart", ""))
		s.Golden(t, "read when cleared", s.Right(t, "Cart", ""))
	})
}

// TestCartRefuses adds what a cart may not hold; the cart stays unchanged.
func TestCartRefuses(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Golden(t, "unknown variant", s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "`+shoptest.NobodysID+`"}`,
			"NOT_FOUND"))
		s.Golden(t, "no id", s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "D-10"}`, "NOT_FOUND"))
		s.Golden(t, "variant of another shop",
			s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:TEA-1>"}`, "NOT_FOUND"))
		s.Golden(t, "product", s.Wrong(t, "AddCartItem", `{"storeItemVariantId": "<tools:product:drill>"}`,
			"NOT_FOUND"))
		for sku, why := range map[string]string{"D-16": "off sale", "F-1": "scheduled", "X-1": "draft",
			"O-1": "archived"} {
			s.Golden(t, why, s.Wrong(t, "AddCartItem", shoptest.Adding(sku, 1), "NOT_FOUND"))
		}
		s.Golden(t, "no price", s.Wrong(t, "AddCartItem", shoptest.Adding("M-1", 2), "ITEM_UNAVAILABLE"))
		s.Golden(t, "no price and no stock", s.Wrong(t, "AddCartItem", shoptest.Adding("D-20", 1),
			"ITEM_UNAVAILABLE"))
		s.Golden(t, "no stock", s.Wrong(t, "AddCartItem", shoptest.Adding("S-1", 1), "INSUFFICIENT_STOCK"))
		s.Golden(t, "over the stock", s.Wrong(t, "AddCartItem", shoptest.Adding("D-13", 12), "INSUFFICIENT_STOCK"))
		s.Golden(t, "over what is sold at once", s.Wrong(t, "AddCartItem", shoptest.Adding("D-10", 4),
			"MAX_ORDER_QUANTITY_EXCEEDED"))
		s.Golden(t, "still nothing", s.Right(t, "Cart", ""))

		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		s.Golden(t, "another currency", s.Wrong(t, "AddCartItem", shoptest.Adding("W-1", 1), "CONFLICT"))
		s.Golden(t, "added up over what is sold at once", s.Wrong(t, "AddCartItem", shoptest.Adding("D-10", 2),
			"MAX_ORDER_QUANTITY_EXCEEDED"))
		s.Golden(t, "changed over what is sold at once", s.Wrong(t, "UpdateCartItem", `{"quantity": 4}`,
			"MAX_ORDER_QUANTITY_EXCEEDED", s.Line(t, "D-10")))
		if is := s.Quantities(t); is != "D-10 2 " {
			t.Errorf("the cart holds %s", is)
		}

		s.Right(t, "ClearCart", "")
		s.Right(t, "AddCartItem", shoptest.Adding("W-1", 9999))
		s.Golden(t, "past the most of a line", s.Wrong(t, "AddCartItem", shoptest.Adding("W-1", 1),
			"VALIDATION_FAILED"))
		s.Golden(t, "far past the most of a line", s.Wrong(t, "AddCartItem", shoptest.Adding("W-1", 9999),
			"VALIDATION_FAILED"))
		if is := s.Quantities(t); is != "W-1 9999 " {
			t.Errorf("the cart holds %s", is)
		}
	})
}

// TestCartUnknownPlaces checks that businesses and lines that do not exist or belong to someone else all give
// the same 404.
func TestCartUnknownPlaces(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		theirs := s.API.Shopper(t, 2)
		theirs.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 2))
		own := s.Line(t, "D-13")
		for _, line := range []string{theirs.Line(t, "D-13"), "itemId=" + shoptest.NobodysID, "itemId=x",
			"itemId=<tools:variant:D-13>", "itemId=%00"} {
			s.Wrong(t, "UpdateCartItem", `{"quantity": 1}`, "NOT_FOUND", line)
			s.Wrong(t, "RemoveCartItem", "", "NOT_FOUND", line)
		}
		s.Golden(t, "line of another customer", s.Wrong(t, "UpdateCartItem", `{"quantity": 1}`, "NOT_FOUND",
			theirs.Line(t, "D-13")))
		s.Golden(t, "line at another shop", s.At(t, "mugs").Wrong(t, "UpdateCartItem", `{"quantity": 1}`,
			"NOT_FOUND", own))
		s.At(t, "mugs").Wrong(t, "RemoveCartItem", "", "NOT_FOUND", own)
		if mine, other := s.Quantities(t), theirs.Quantities(t); mine != "D-13 2 " || other != "D-13 1 " {
			t.Errorf("the carts hold %s and %s", mine, other)
		}
		s.Golden(t, "at another shop", s.At(t, "mugs").Right(t, "Cart", ""))
		for operation, input := range shopping {
			for _, business := range []string{shoptest.NobodysID, "x", "tools.example", "<tools:product:drill>"} {
				s.Wrong(t, operation, input, "NOT_FOUND", "businessId="+business,
					"itemId="+shoptest.NobodysID, "orderId="+shoptest.NobodysID,
					"productId="+shoptest.NobodysID)
			}
		}
	})
}

// shopping are the operations of a customer at a shop, each with a valid input.
var shopping = map[string]string{
	"Cart": "", "ClearCart": "", "AddCartItem": `{"storeItemVariantId": "<tools:variant:D-10>"}`,
	"UpdateCartItem": `{"quantity": 1}`,
	"RemoveCartItem": "", "Checkout": shoptest.ToHome, "Orders": "", "Order": "", "Favorites": "",
	"AddFavorite":    `{"productId": "<tools:product:drill>"}`,
	"RemoveFavorite": "",
}
