package contract_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"storefront/internal/record"
)

// TestOrderRaceInOppositeOrders lets customers with the same items in opposite orders check out
// concurrently, again and again: none gets an error.
func TestOrderRaceInOppositeOrders(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.clock.ticks.Store(true)
		skus := []string{"D-10", "D-13", "MUG-S"}
		for _, sku := range skus {
			a.stockedUp(t, sku, 1000)
		}
		initial := a.units(t)
		all := crowd(t, 16, a, a.instance(t))
		for range 3 {
			for i, s := range all {
				for n := range skus {
					if i%2 == 1 {
						n = len(skus) - 1 - n
					}
					s.right(t, "AddCartItem", adding(skus[n], 1))
				}
			}
			if counts := outcomes(together(len(all), func(i int) reply {
				return all[i].ask(t, "Checkout", toHome)
			})); counts[""] != len(all) {
				t.Errorf("%v", counts)
			}
		}
		for _, sku := range skus {
			if left := a.stock(t, sku); left != 1000-48 {
				t.Errorf("%d of %s are left", left, sku)
			}
		}
		a.balances(t, initial)
	})
}

// TestOrderRaceWithEdits checks a cart out while it is edited: earlier additions are in the order, later
// ones in the cart, and nothing is in both or lost.
func TestOrderRaceWithEdits(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.clock.ticks.Store(true)
		a.stockedUp(t, "D-13", 1000)
		initial := a.units(t)
		customer := crowd(t, 1, a)[0]
		all := customer.everywhere(a, a.instance(t))
		added, ordered := 0, 0
		for range 4 {
			var placed atomic.Int64
			for _, r := range together(20, func(i int) reply {
				s := all[i%len(all)]
				if i%5 == 4 {
					return s.ask(t, "Checkout", fmt.Sprintf(`{"customerNotes": "%d", %s`, i, toHome[1:]))
				}
				r := s.ask(t, "AddCartItem", adding("D-13", 1+i%3))
				if r.code == "" {
					placed.Add(int64(1 + i%3))
				}
				return r
			}) {
				if r.code != "" && r.code != "CONFLICT" && r.code != "CART_EMPTY" {
					t.Errorf("%d %s", r.status, r.body)
				}
			}
			added += int(placed.Load())
		}
		for _, id := range strings.Fields(customer.right(t, "Orders", "", "pageSize=50").orders(t)) {
			ordered += customer.right(t, "Order", "", "orderId="+id).order(t).TotalQuantity
		}
		if left := customer.cart(t).TotalQuantity; ordered == 0 || ordered+left != added ||
			a.stock(t, "D-13") != 1000-ordered {
			t.Errorf("%d were added; %d ordered, %d are in the cart, %d in stock", added, ordered, left,
				a.stock(t, "D-13"))
		}
		a.balances(t, initial)
	})
}

// TestOrderRaceOfCancellations lets customers order and cancel while staff move their orders, from a stock
// too small for all: no unit is lost or sold twice, and an order is cancelled once.
func TestOrderRaceOfCancellations(t *testing.T) {
	eachRace(t, func(t *testing.T, first, second *accounts) {
		all := crowd(t, 12, first, second)
		for round := range 4 {
			got := together(len(all), func(i int) reply {
				s := all[i]
				if r := s.ask(t, "AddCartItem", adding("D-13", 3)); r.code != "" {
					return r
				}
				return s.ask(t, "Checkout", toHome)
			})
			var placed []int
			for i, r := range got {
				switch r.code {
				case "":
					placed = append(placed, i)
				case "INSUFFICIENT_STOCK":
				default:
					t.Errorf("%d %s", r.status, r.body)
				}
				all[i].right(t, "ClearCart", "")
			}
			if len(placed) == 0 {
				t.Fatalf("round %d: nobody got anything", round)
			}
			// Each order is cancelled twice and moved on, while others order what comes back.
			codes := together(4*len(placed), func(i int) string {
				s, id := all[placed[i/4]], got[placed[i/4]].order(t).ID
				switch i % 4 {
				case 0, 1:
					return "cancel " + s.cancel(t, id).code
				case 2:
					return "move " + s.moved(t, id, record.OrderConfirmed)
				}
				other := all[(placed[i/4]+1)%len(all)]
				if r := other.ask(t, "AddCartItem", adding("D-13", 1)); r.code != "" {
					return "order " + r.code
				}
				return "order " + other.ask(t, "Checkout", toHome).code
			})
			counts := tallied(codes)
			if counts["cancel "]+counts["move "] < len(placed) || counts["cancel "] > len(placed) {
				t.Errorf("round %d: %v of %d", round, counts, len(placed))
			}
			for what := range counts {
				switch what {
				case "cancel ", "cancel CONFLICT", "move ", "move CONFLICT", "order ", "order INSUFFICIENT_STOCK",
					"order CONFLICT", "order CART_EMPTY":
				default:
					t.Errorf("round %d: %v", round, counts)
				}
			}
			for _, s := range all { // what is left goes back, for the next round
				s.right(t, "ClearCart", "")
				for _, status := range []string{"pending", "confirmed"} {
					for _, id := range strings.Fields(s.right(t, "Orders", "", "status="+status, "pageSize=50").orders(t)) {
						if code := s.moved(t, id, record.OrderCancelled); code != "" {
							t.Errorf("round %d: %s", round, code)
						}
					}
				}
			}
			if is := first.stock(t, "D-13"); is != 11 {
				t.Errorf("round %d: %d are in stock", round, is)
			}
		}
	})
}
