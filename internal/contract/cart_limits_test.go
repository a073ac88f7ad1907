package contract_test

import (
	"fmt"
	"testing"
)

// TestCartLines fills a cart with 100 lines, fails to add one more, also concurrently, and orders all of
// them.
func TestCartLines(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.rest().shopper(t, 1)
		var variants []any
		for i := range 102 {
			variants = append(variants, map[string]any{"sku": fmt.Sprintf("N-%03d", i), "price": 1000 + i,
				"priceCurrency": "IRT", "stock": 100})
		}
		s.amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "category": "tools",
			"variants": variants})
		initial := a.units(t)
		all := s.everywhere(a, a.instance(t))
		id := func(i int) string { return adding(fmt.Sprintf("N-%03d", i), 2) }
		for i := range 98 {
			s.right(t, "AddCartItem", id(i))
		}
		counts := outcomes(together(4, func(i int) reply { return all[i].ask(t, "AddCartItem", id(98+i)) }))
		if counts[""] != 2 || counts["CONFLICT"] != 2 || len(s.cart(t).Items) != 100 {
			t.Errorf("%v; the cart has %d lines", counts, len(s.cart(t).Items))
		}
		s.right(t, "AddCartItem", id(5)) // which is in it
		made := s.right(t, "Checkout", toHome).order(t)
		if len(made.Items) != 100 || made.TotalQuantity != 202 || len(s.cart(t).Items) != 0 {
			t.Errorf("%d lines with %d units", len(made.Items), made.TotalQuantity)
		}
		a.balances(t, initial)
	})
}
