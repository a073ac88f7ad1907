package contract_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// TestOrderRaceForLastUnits lets 100 customers order the last 10 units at once: ten of them succeed.
func TestOrderRaceForLastUnits(t *testing.T) {
	eachRace(t, func(t *testing.T, first, second *accounts) {
		all := crowd(t, 100, first, second)
		for _, s := range all {
			s.right(t, "AddCartItem", adding("D-10", 1))
		}
		got := together(len(all), func(i int) reply { return all[i].ask(t, "Checkout", toHome) })
		if counts := outcomes(got); counts[""] != 10 || counts["INSUFFICIENT_STOCK"] != 90 {
			t.Errorf("%v", counts)
		}
		for i, r := range got {
			switch r.code {
			case "":
				if order := r.order(t); order.TotalQuantity != 1 || all[i].quantities(t) != "" {
					t.Errorf("ordered %+v, the cart still holds %q", order, all[i].quantities(t))
				}
			case "INSUFFICIENT_STOCK":
				if is := r.short(t); is != "D-10 wants 1 of 0" {
					t.Errorf("the details are %s: %s", is, r.body)
				}
			}
		}
		if left := first.stock(t, "D-10"); left != 0 {
			t.Errorf("%d are left", left)
		}
	})
}

// TestOrderRaceOfOneCart sends one checkout of one cart many times at once: it makes one order, and later
// requests find the cart empty.
func TestOrderRaceOfOneCart(t *testing.T) {
	eachRace(t, func(t *testing.T, first, second *accounts) {
		customer := crowd(t, 1, first)[0]
		all := customer.everywhere(first, second)
		for round := range 3 {
			customer.right(t, "AddCartItem", adding("D-13", 1))
			customer.right(t, "AddCartItem", adding("D-10", 1))
			orders := map[string]bool{}
			for _, r := range together(20, func(i int) reply { return all[i%len(all)].ask(t, "Checkout", toHome) }) {
				switch r.code {
				case "":
					orders[r.order(t).ID] = true
				case "CART_EMPTY":
				default:
					t.Errorf("%d %s", r.status, r.body)
				}
			}
			if n := customer.withStatus(t, "pending"); len(orders) != 1 || n != round+1 {
				t.Errorf("round %d: answered are the orders %v; there are %d", round, orders, n)
			}
			customer.wrong(t, "Checkout", toHome, "CART_EMPTY")
		}
	})
}

// TestOrderRaceOfUnlikeCheckouts sends different checkouts of one cart at once: one makes an order.
func TestOrderRaceOfUnlikeCheckouts(t *testing.T) {
	eachRace(t, func(t *testing.T, first, second *accounts) {
		customer := crowd(t, 1, first)[0]
		all := customer.everywhere(first, second)
		customer.right(t, "AddCartItem", adding("D-13", 1))
		got := together(20, func(i int) reply {
			return all[i%len(all)].ask(t, "Checkout", strings.Replace(toHome, `"payment"`,
				fmt.Sprintf(`"customerNotes": "%d", "payment"`, i), 1))
		})
		counts := outcomes(got)
		if counts[""] != 1 || counts["CONFLICT"]+counts["CART_EMPTY"] != 19 {
			t.Errorf("%v", counts)
		}
		if n := customer.withStatus(t, "pending"); n != 1 {
			t.Errorf("%d orders", n)
		}
	})
}

// TestCartRaceOfAdds adds to one line many times at once: every unit counts, and none beyond the stock.
func TestCartRaceOfAdds(t *testing.T) {
	eachRace(t, func(t *testing.T, first, second *accounts) {
		customer := crowd(t, 1, first)[0]
		all := customer.everywhere(first, second)
		got := together(40, func(i int) reply { return all[i%len(all)].ask(t, "AddCartItem", adding("W-1", 1+i)) })
		if counts := outcomes(got); !maps.Equal(counts, map[string]int{"": 40}) ||
			customer.quantities(t) != "W-1 820 " {
			t.Errorf("%v; the cart holds %s", counts, customer.quantities(t))
		}
		customer.right(t, "ClearCart", "")
		got = together(20, func(i int) reply { return all[i%len(all)].ask(t, "AddCartItem", adding("D-13", 1)) })
		if counts := outcomes(got); !maps.Equal(counts, map[string]int{"": 11, "INSUFFICIENT_STOCK": 9}) ||
			customer.quantities(t) != "D-13 11 " {
			t.Errorf("%v; the cart holds %s", counts, customer.quantities(t))
		}
	})
}
