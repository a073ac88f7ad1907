package cart_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestOrderRaceForLastUnits lets 100 customers order the last 10 units at once: ten of them succeed.
func TestOrderRaceForLastUnits(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		all := shoptest.Crowd(t, 100, first, second)
		for _, s := range all {
			s.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
		}
		got := shoptest.Together(len(all), func(i int) shoptest.Reply {
			return all[i].Ask(t, "Checkout",
				shoptest.ToHome)
		})
		if counts := outcomes(got); counts[""] != 10 || counts["INSUFFICIENT_STOCK"] != 90 {
			t.Errorf("got %v", counts)
		}
		for i, r := range got {
			switch r.Code {
			case "":
				if order := r.Order(t); order.TotalQuantity != 1 || all[i].Quantities(t) != "" {
					t.Errorf("ordered %+v, the cart still holds %q", order, all[i].Quantities(t))
				}
			case "INSUFFICIENT_STOCK":
				if is := r.Short(t); is != "D-10 wants 1 of 0" {
					t.Errorf("the details are %s: %s", is, r.Body)
				}
			}
		}
		if left := first.Stock(t, "D-10"); left != 0 {
			t.Errorf("%d are left", left)
		}
	})
}

// TestOrderRaceOfOneCart sends one checkout of one cart many times at once: it makes one order, and later
// requests find the cart empty.
func TestOrderRaceOfOneCart(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		all := customer.Everywhere(first, second)
		for round := range 3 {
			customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			customer.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
			orders := map[string]bool{}
			for _, r := range shoptest.Together(20,
				func(i int) shoptest.Reply { return all[i%len(all)].Ask(t, "Checkout", shoptest.ToHome) }) {
				switch r.Code {
				case "":
					orders[r.Order(t).ID] = true
				case "CART_EMPTY":
				default:
					t.Errorf("%d %s", r.Status, r.Body)
				}
			}
			if n := customer.WithStatus(t, "pending"); len(orders) != 1 || n != round+1 {
				t.Errorf("round %d: got the orders %v answered and %d there, want one more each round",
					round, orders, n)
			}
			customer.Wrong(t, "Checkout", shoptest.ToHome, "CART_EMPTY")
		}
	})
}

// TestOrderRaceOfUnlikeCheckouts sends different checkouts of one cart at once: one makes an order.
func TestOrderRaceOfUnlikeCheckouts(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		all := customer.Everywhere(first, second)
		customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		got := shoptest.Together(20, func(i int) shoptest.Reply {
			return all[i%len(all)].Ask(t, "Checkout", strings.Replace(shoptest.ToHome, `"payment"`,
				fmt.Sprintf(`"customerNotes": "%d", "payment"`, i), 1))
		})
		counts := outcomes(got)
		if counts[""] != 1 || counts["CONFLICT"]+counts["CART_EMPTY"] != 19 {
			t.Errorf("got %v", counts)
		}
		if n := customer.WithStatus(t, "pending"); n != 1 {
			t.Errorf("%d orders", n)
		}
	})
}

// TestCartRaceOfAdds adds to one line many times at once: every unit counts, and none beyond the stock.
func TestCartRaceOfAdds(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		all := customer.Everywhere(first, second)
		got := shoptest.Together(40, func(i int) shoptest.Reply {
			return all[i%len(all)].Ask(t, "AddCartItem",
				shoptest.Adding("W-1", 1+i))
		})
		if counts := outcomes(got); !maps.Equal(counts, map[string]int{"": 40}) ||
			customer.Quantities(t) != "W-1 820 " {
			t.Errorf("%v; the cart holds %s", counts, customer.Quantities(t))
		}
		customer.Right(t, "ClearCart", "")
		got = shoptest.Together(20, func(i int) shoptest.Reply {
			return all[i%len(all)].Ask(t, "AddCartItem",
				shoptest.Adding("D-13", 1))
		})
		if counts := outcomes(got); !maps.Equal(counts, map[string]int{"": 11, "INSUFFICIENT_STOCK": 9}) ||
			customer.Quantities(t) != "D-13 11 " {
			t.Errorf("%v; the cart holds %s", counts, customer.Quantities(t))
		}
	})
}
