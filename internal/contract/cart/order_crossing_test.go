package cart_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestOrderRaceInOppositeOrders lets customers with the same items in opposite orders check out
// concurrently, again and again: none gets an error.
func TestOrderRaceInOppositeOrders(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		skus := []string{"D-10", "D-13", "MUG-S"}
		for _, sku := range skus {
			a.StockedUp(t, sku, 1000)
		}
		initial := a.Units(t)
		all := shoptest.Crowd(t, 16, a, a.Instance(t))
		for range 3 {
			for i, s := range all {
				for n := range skus {
					if i%2 == 1 {
						n = len(skus) - 1 - n
					}
					s.Right(t, "AddCartItem", shoptest.Adding(skus[n], 1))
				}
			}
			if counts := outcomes(shoptest.Together(len(all), func(i int) shoptest.Reply {
				return all[i].Ask(t, "Checkout", shoptest.ToHome)
			})); counts[""] != len(all) {
				t.Errorf("got %v", counts)
			}
		}
		for _, sku := range skus {
			if left := a.Stock(t, sku); left != 1000-48 {
				t.Errorf("%d of %s are left", left, sku)
			}
		}
		a.Balances(t, initial)
	})
}

// TestOrderRaceWithEdits checks a cart out while it is edited: earlier additions are in the order, later
// ones in the cart, and nothing is in both or lost.
func TestOrderRaceWithEdits(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		a.StockedUp(t, "D-13", 1000)
		initial := a.Units(t)
		customer := shoptest.Crowd(t, 1, a)[0]
		all := customer.Everywhere(a, a.Instance(t))
		added, ordered := 0, 0
		for range 4 {
			var placed atomic.Int64
			for _, r := range shoptest.Together(20, func(i int) shoptest.Reply {
				s := all[i%len(all)]
				if i%5 == 4 {
					return s.Ask(t, "Checkout", fmt.Sprintf(`{"customerNotes": "%d", %s`, i, shoptest.ToHome[1:]))
				}
				r := s.Ask(t, "AddCartItem", shoptest.Adding("D-13", 1+i%3))
				if r.Code == "" {
					placed.Add(int64(1 + i%3))
				}
				return r
			}) {
				if r.Code != "" && r.Code != "CONFLICT" && r.Code != "CART_EMPTY" {
					t.Errorf("%d %s", r.Status, r.Body)
				}
			}
			added += int(placed.Load())
		}
		for _, id := range strings.Fields(customer.Right(t, "Orders", "", "pageSize=50").Orders(t)) {
			ordered += customer.Right(t, "Order", "", "orderId="+id).Order(t).TotalQuantity
		}
		if left := customer.Cart(t).TotalQuantity; ordered == 0 || ordered+left != added ||
			a.Stock(t, "D-13") != 1000-ordered {
			t.Errorf("%d were added; %d ordered, %d are in the cart, %d in stock", added, ordered, left,
				a.Stock(t, "D-13"))
		}
		a.Balances(t, initial)
	})
}

// TestOrderRaceOfCancellations lets customers order and cancel while staff move their orders, from a stock
// too small for all: no unit is lost or sold twice, and an order is cancelled once.
func TestOrderRaceOfCancellations(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		all := shoptest.Crowd(t, 12, first, second)
		for round := range 4 {
			got := shoptest.Together(len(all), func(i int) shoptest.Reply {
				s := all[i]
				if r := s.Ask(t, "AddCartItem", shoptest.Adding("D-13", 3)); r.Code != "" {
					return r
				}
				return s.Ask(t, "Checkout", shoptest.ToHome)
			})
			var placed []int
			for i, r := range got {
				switch r.Code {
				case "":
					placed = append(placed, i)
				case "INSUFFICIENT_STOCK":
				default:
					t.Errorf("%d %s", r.Status, r.Body)
				}
				all[i].Right(t, "ClearCart", "")
			}
			if len(placed) == 0 {
				t.Fatalf("round %d: nobody got anything", round)
			}
			// Each order is cancelled twice and moved on, while others order what comes back.
			codes := shoptest.Together(4*len(placed), func(i int) string {
				s, id := all[placed[i/4]], got[placed[i/4]].Order(t).ID
				switch i % 4 {
				case 0, 1:
					return "cancel " + s.Cancel(t, id).Code
				case 2:
					return "move " + s.Moved(t, id, record.OrderConfirmed)
				}
				other := all[(placed[i/4]+1)%len(all)]
				if r := other.Ask(t, "AddCartItem", shoptest.Adding("D-13", 1)); r.Code != "" {
					return "order " + r.Code
				}
				return "order " + other.Ask(t, "Checkout", shoptest.ToHome).Code
			})
			counts := shoptest.Tallied(codes)
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
				s.Right(t, "ClearCart", "")
				for _, status := range []string{"pending", "confirmed"} {
					for _, id := range strings.Fields(s.Right(t, "Orders", "", "status="+status,
						"pageSize=50").Orders(t)) {
						if code := s.Moved(t, id, record.OrderCancelled); code != "" {
							t.Errorf("round %d: %s", round, code)
						}
					}
				}
			}
			if is := first.Stock(t, "D-13"); is != 11 {
				t.Errorf("round %d: %d are in stock", round, is)
			}
		}
	})
}
