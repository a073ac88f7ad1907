package doors_test

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
		var told []string
		for _, update := range clients(t, s.Place, "sse.mjs", "tools.example", s.Access, order.ID) {
			told = append(told, string(update))
		}
		told = slices.DeleteFunc(told, func(update string) bool { // of shortly before, which may be told too
			return strings.HasPrefix(update, `["order_placed"`)
		})
		if want := []string{`[null,"pending"]`, `["order_moved","cancelled"]`}; !slices.Equal(told, want) {
			t.Errorf("got %v, want %v", told, want)
		}
	})
}
