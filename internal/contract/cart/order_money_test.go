package cart_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/locale/money"
)

// TestOrderMoneyIsExact orders at random prices and quantities in each currency of the demo shops and
// compares every amount in the JSON with exact arithmetic.
func TestOrderMoneyIsExact(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		random := rand.New(rand.NewPCG(1, 2))
		skus := []string{"D-10", "D-13", "MUG-S"}
		shoppers := shoptest.Crowd(t, 1, a)[0].Everywhere(a)
		for round := range 30 {
			currency := []string{"IRT", "IRR", "USD"}[round%3]
			s := shoppers[round%len(shoppers)]
			prices, sum := map[string]*big.Rat{}, new(big.Rat)
			for _, sku := range skus {
				minor := random.Int64N(1 << (10 + random.IntN(41))) // up to 1.1e15
				quantity := 1 + random.IntN(8)
				s.Variant(t, sku, func(u *ent.VariantUpdate) {
					u.SetPrice(minor).SetPriceCurrency(currency).SetStock(20).ClearMaxOrderQuantity()
				})
				s.Right(t, "AddCartItem", shoptest.Adding(sku, quantity))
				unit := big.NewRat(minor, 1)
				if currency == "USD" {
					unit.Quo(unit, big.NewRat(100, 1))
				}
				prices[sku] = unit
				sum.Add(sum, new(big.Rat).Mul(unit, big.NewRat(int64(quantity), 1)))
			}
			is := func(what, digits string, want *big.Rat) {
				t.Helper()
				decimals, _ := money.Exponent(currency)
				if digits != want.FloatString(decimals) {
					t.Errorf("%s in %s is %s, want %s", what, currency, digits, want.FloatString(decimals))
				}
			}
			most := big.NewRat(money.Max, 1)
			if currency == "USD" {
				most.Quo(most, big.NewRat(100, 1))
			}
			if sum.Cmp(most) > 0 {
				s.Wrong(t, "Checkout", shoptest.ToHome, "VALIDATION_FAILED").Blames(t, "total")
				s.Right(t, "ClearCart", "")
				continue
			}
			read := s.Cart(t)
			is("the cart's subtotal", string(read.Subtotal), sum)
			made := s.Right(t, "Checkout", shoptest.ToHome).Order(t)
			kept := s.Right(t, "Order", "", "orderId="+made.ID).Order(t)
			for _, order := range []shoptest.OrderOf{made, kept} {
				is("the subtotal", string(order.Subtotal), sum)
				is("the total", string(order.Total), sum)
				is("the payment", string(order.Payment.Amount), sum)
				for _, item := range order.Items {
					is("one of "+item.Sku, string(item.UnitPrice), prices[item.Sku])
					is("all of "+item.Sku, string(item.LineTotal), new(big.Rat).Mul(prices[item.Sku],
						big.NewRat(int64(item.Quantity), 1)))
				}
			}
		}
		a.Balances(t, nil)
	})
}
