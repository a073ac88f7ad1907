package cart_test

import (
	"fmt"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestCartLines fills a cart with 100 lines, fails to add one more, also concurrently, and orders all of
// them.
func TestCartLines(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		var variants []any
		for i := range 102 {
			variants = append(variants, map[string]any{"sku": fmt.Sprintf("N-%03d", i), "price": 1000 + i,
				"priceCurrency": "IRT", "stock": 100})
		}
		s.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "category": "tools",
			"variants": variants})
		initial := a.Units(t)
		all := s.Everywhere(a, a.Instance(t))
		id := func(i int) string { return shoptest.Adding(fmt.Sprintf("N-%03d", i), 2) }
		for i := range 98 {
			s.Right(t, "AddCartItem", id(i))
		}
		counts := outcomes(shoptest.Together(4,
			func(i int) shoptest.Reply { return all[i].Ask(t, "AddCartItem", id(98+i)) }))
		if counts[""] != 2 || counts["CONFLICT"] != 2 || len(s.Cart(t).Items) != 100 {
			t.Errorf("%v; the cart has %d lines", counts, len(s.Cart(t).Items))
		}
		s.Right(t, "AddCartItem", id(5)) // which is in it
		made := s.Right(t, "Checkout", shoptest.ToHome).Order(t)
		if len(made.Items) != 100 || made.TotalQuantity != 202 || len(s.Cart(t).Items) != 0 {
			t.Errorf("%d lines with %d units", len(made.Items), made.TotalQuantity)
		}
		a.Balances(t, initial)
	})
}
