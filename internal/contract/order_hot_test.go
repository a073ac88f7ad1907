package contract_test

import (
	"fmt"
	"testing"

	"entgo.io/ent/dialect"
)

// patient is an instance of the service whose PostgreSQL waits longer before it looks for a deadlock than a request may
// take: each deadlock is an error, and none is mended by trying again.
func (a *accounts) patient(t testing.TB) *accounts {
	t.Helper()
	if a.store.Dialect != dialect.Postgres { // SQLite has one writer at a time
		return a.instance(t)
	}
	patient := *a
	patient.database = withParameters(a.database, "deadlock_timeout=1min")
	return patient.instance(t)
}

// TestOrderRaceOfAHotVariant lets customers put the same variants into their carts and check out, again and again,
// while the shop moves stock: no two of them ever wait for each other.
func TestOrderRaceOfAHotVariant(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.clock.ticks.Store(true)
		for _, sku := range []string{"D-10", "D-13"} {
			a.stockedUp(t, sku, 1_000_000)
		}
		initial := a.units(t)
		all := crowd(t, 8, a.patient(t), a.patient(t))
		const orders = 6
		got := together(len(all), func(i int) (wrong []string) {
			for n := range orders * *rounds {
				skus := []string{"D-10"}
				if n%2 == 1 {
					skus = []string{"D-13", "D-10"}
				}
				for _, sku := range skus {
					if r := all[i].ask(t, "AddCartItem", adding(sku, 1)); r.code != "" {
						wrong = append(wrong, fmt.Sprintf("add: %d %s", r.status, r.body))
					}
				}
				if r := all[i].ask(t, "Checkout", toHome); r.code != "" {
					wrong = append(wrong, fmt.Sprintf("checkout: %d %s", r.status, r.body))
				}
			}
			return wrong
		})
		for _, wrong := range got {
			for _, what := range wrong {
				t.Error(what)
			}
		}
		if left, want := a.stock(t, "D-10"), 1_000_000-orders**rounds*len(all); left != want {
			t.Errorf("%d are left, want %d", left, want)
		}
		a.balances(t, initial)
	})
}
