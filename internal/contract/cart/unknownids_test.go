package cart_test

import (
	"fmt"
	"slices"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestUnknownIdsAreNamed sends ids of nothing, and empty ones, in bodies: the error names their members.
func TestUnknownIdsAreNamed(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		for _, of := range []struct{ operation, member, input string }{
			{"AddCartItem", "storeItemVariantId", `{"storeItemVariantId": %q}`},
			{"AddFavorite", "productId", `{"productId": %q}`},
			{"Checkout", "addressId", `{"addressId": %q, "payment": {"type": "cash"}}`},
			{"CreateComment", "entityId", `{"entityType": "blog", "entityId": %q, "authorName": "A", "text": "B"}`},
			{"CreateExpertReview", "productId", `{"productId": %q, "authorName": "A", "rate": 1, "text": "B",
				"positivePoints": [], "negativePoints": []}`},
		} {
			for _, id := range []string{shoptest.NobodysID, "none"} {
				s.Wrong(t, of.operation, fmt.Sprintf(of.input, id), "NOT_FOUND", "domain="+shoptest.ToolsShop).
					Blames(t, of.member)
			}
			if of.operation != "Checkout" { // where an empty one is absent
				s.Wrong(t, of.operation, fmt.Sprintf(of.input, ""), "VALIDATION_FAILED",
					"domain="+shoptest.ToolsShop).Blames(t, of.member)
			}
		}
		if !s.GraphQL {
			return
		}
		got := s.Read(t, s.Send(t, "POST", "/graphql", shoptest.GraphQLBody(
			`mutation($shop: ID!, $items: [CartItemInput!]!) { addToCart(businessId: $shop, items: $items) {
				cart { id } } }`, s.Named(t, `{"shop": "`+s.Business+`", "items": [
				{"storeItemVariantId": "none"}, {"storeItemVariantId": "<tools:variant:D-13>"},
				{"storeItemVariantId": "<mugs:variant:TEA-1>"}]}`)), s.Headers...))
		if want := []string{"items.0.storeItemVariantId", "items.2.storeItemVariantId"}; got.Code != "NOT_FOUND" ||
			!slices.Equal(got.Fields, want) {
			t.Errorf("got %s, want it to name %q", got.Body, want)
		}
	})
}
