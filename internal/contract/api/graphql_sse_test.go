package api_test

import (
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestSubscriptionsOfGraphQLSSE listens to an order by the client of the package graphql-sse.
func TestSubscriptionsOfGraphQLSSE(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		order := s.Bought(t, "D-13", 1)
		var got []string
		for _, update := range clients(t, s.Place, "sse.mjs", "tools.example", s.Access, order.ID) {
			got = append(got, string(update))
		}
		got = slices.DeleteFunc(got, func(update string) bool { // it may come if it was committed just before
			return strings.HasPrefix(update, `["order_placed"`)
		})
		if want := []string{`[null,"pending"]`, `["order_moved","cancelled"]`}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
