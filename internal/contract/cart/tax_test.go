package cart_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// chargeOfOrder is a charge as REST shows it.
type chargeOfOrder struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Amount   int    `json:"amount"`
	Rate     *int   `json:"rate"`
	Included bool   `json:"included"`
}

// TestTaxes has a shop charge taxes: added to the prices and contained in them, on a category of variants and on
// delivery, and from a day of the shop's time zone on. The bill of the cart is what the order then costs.
func TestTaxes(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		c.StockedUp(t, "D-13", 50)
		var owner carrier
		var s, at shoptest.Shopper
		signIn := func(n int) {
			owner, s = carrier{c.Staff(t, c.Tools, record.Owner), c.Tools}, c.REST().Shopper(t, n)
			at = s
			at.API = c.GraphQL().With(s.Access)
		}
		signIn(1)
		rate := func(key, category string, rate int, more string) {
			t.Helper()
			owner.do(t, fmt.Sprintf(`createTaxRate(businessId: $shop, key: %q, input: {category: %q, name: %[1]q,
				nameFa: %[1]q, rate: %[3]d %s}) { id }`, key, category, rate, more))
		}
		want := func(subtotal, total int, message, charges string) {
			t.Helper()
			const members = ` subtotal total charges { kind name amount rate included } } } }`
			bill := fmt.Sprintf(`{"subtotal":%d,"total":%d,"charges":[%s]}`, subtotal, total, charges)
			for door, customer := range map[string]shoptest.Shopper{"REST": s, "GraphQL": at} {
				customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 2)) // 1,450,000 each
				got := at.Graph(t, fmt.Sprintf(`{ cart(businessId: %q) { bill {`, s.Business)+members)
				if got.Said != `{"cart":{"bill":`+bill+`}}` {
					t.Errorf("the cart has %s, want %s", got.Said, bill)
				}
				customer.Wrong(t, "Checkout", checkout(fmt.Sprintf(`"expectedTotal": %d`, total-1)), "PRICE_CHANGED")
				placed := customer.Right(t, "Checkout", checkout(fmt.Sprintf(`"expectedTotal": %d`, total)))
				var read struct {
					Message string
					Order   struct{ Charges []chargeOfOrder }
				}
				shoptest.Must(0, json.Unmarshal([]byte(placed.Said), &read))(t)
				if read.Message != "Thank you. Your order is placed."+message {
					t.Errorf("by %s: got the message %q", door, read.Message)
				}
				shown := shoptest.Must(json.Marshal(read.Order.Charges))(t)
				if door == "REST" && charges != "" && string(shown) != "["+charges+"]" {
					t.Errorf("the answer has %s, want %s", shown, charges)
				}
				got = at.Graph(t, fmt.Sprintf(`{ me { order(businessId: %q, orderId: %q) {`, s.Business,
					placed.Order(t).ID)+members)
				if got.Said != `{"me":{"order":`+bill+`}}` {
					t.Errorf("the order has %s, want %s", got.Said, bill)
				}
			}
		}
		tax := func(name string, amount, rate int, included bool) string {
			return fmt.Sprintf(`{"kind":"tax","name":%q,"amount":%d,"rate":%d,"included":%v}`, name, amount, rate,
				included)
		}
		want(2900000, 2900000, "", "")
		zone, err := time.LoadLocation("Asia/Tehran")
		if err != nil {
			t.Fatal(err)
		}
		tomorrow := c.Clock.Now().In(zone).AddDate(0, 0, 1)
		rate("nine", "standard", 90000, "")
		rate("ten", "standard", 100000, `, from: "`+tomorrow.Format(time.DateOnly)+`"`)
		rate("parcels", "delivery", 50000, "")
		want(2900000, 3161000, " Taxes are 261,000 toman.", tax("nine", 261000, 90000, false))
		y, m, d := tomorrow.Date()
		c.Clock.Pass(time.Date(y, m, d, 0, 0, 0, 0, zone).Sub(c.Clock.Now()) - time.Second)
		signIn(2)
		want(2900000, 3161000, " Taxes are 261,000 toman.", tax("nine", 261000, 90000, false))
		c.Clock.Pass(time.Second)
		want(2900000, 3190000, " Taxes are 290,000 toman.", tax("ten", 290000, 100000, false))
		owner.method(t, "post", `kind: flat, price: 1010`)
		post := `{"kind":"delivery","name":"post","amount":1010,"rate":null,"included":false}`
		want(2900000, 3191061, " Delivery costs 1,010 toman. Taxes are 290,051 toman.",
			post+","+tax("ten", 290000, 100000, false)+","+tax("parcels", 51, 50000, false))
		owner.do(t, `updateShop(businessId: $shop, input: {orderRules: {pricesIncludeTax: true}}) { id }`)
		want(2900000, 2901010, " Delivery costs 1,010 toman.",
			post+","+tax("ten", 263636, 100000, true)+","+tax("parcels", 48, 50000, true))
		owner.do(t, `updateProduct(businessId: $shop, slug: "drill", input: {variants: [
			{sku: "D-13", taxCategory: "books"}]}) { id }`)
		want(2900000, 2901010, " Delivery costs 1,010 toman.", post+","+tax("parcels", 48, 50000, true))
		for _, wrong := range []string{`rate: 1000001`, `rate: -1`, `from: "2026-13-01"`, `until: "1"`,
			`from: "2026-02-01", until: "2026-02-01"`} {
			owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!) { updateTaxRate(businessId: $shop, key: "nine",
				input: {`+wrong+`}) { id } }`, map[string]any{"shop": c.Tools})
		}
		c.Balances(t, nil)
	})
}
