package cart_test

import (
	"fmt"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestOrderRaceOfAHotVariant lets customers add the same variants to their carts and check out, again and
// again, while the shop changes the stock. There must be no deadlock.
func TestOrderRaceOfAHotVariant(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		for _, sku := range []string{"D-10", "D-13"} {
			a.StockedUp(t, sku, 1_000_000)
		}
		initial := a.Units(t)
		all := shoptest.Crowd(t, 8, a.Patient(t), a.Patient(t))
		const orders = 6
		got := shoptest.Together(len(all), func(i int) (wrong []string) {
			for n := range orders * *shoptest.Rounds {
				skus := []string{"D-10"}
				if n%2 == 1 {
					skus = []string{"D-13", "D-10"}
				}
				for _, sku := range skus {
					if r := all[i].Ask(t, "AddCartItem", shoptest.Adding(sku, 1)); r.Code != "" {
						wrong = append(wrong, fmt.Sprintf("add: %d %s", r.Status, r.Body))
					}
				}
				if r := all[i].Ask(t, "Checkout", shoptest.ToHome); r.Code != "" {
					wrong = append(wrong, fmt.Sprintf("checkout: %d %s", r.Status, r.Body))
				}
			}
			return wrong
		})
		for _, wrong := range got {
			for _, what := range wrong {
				t.Error(what)
			}
		}
		if left, want := a.Stock(t, "D-10"), 1_000_000-orders**shoptest.Rounds*len(all); left != want {
			t.Errorf("%d are left, want %d", left, want)
		}
		a.Balances(t, initial)
	})
}
