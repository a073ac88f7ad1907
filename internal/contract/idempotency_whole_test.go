package contract_test

import (
	"fmt"
	"strings"
	"testing"
)

// checkingOut is a mutation that checks a cart out at a shop.
func (s shopper) checkingOut() string {
	return fmt.Sprintf(`checkout(businessId: %q, input: {payment: {type: cash}, shippingAddress: {province: "a", city: "b", `+
		`address: "c"}}) { order { id } } `, s.business)
}

// TestKeyedDocumentIsWhole sends documents of which a part is refused: nothing of them is done, however often they are sent, and
// the key is free.
func TestKeyedDocumentIsWhole(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.graphQL().shopper(t, 1)
		s.right(t, "AddCartItem", adding("D-13", 1))
		const unknown = `addFavorite(businessId: "<tenant:tools>", input: {productId: "<tenant:mugs>"}) { message } `
		for _, document := range []string{
			s.checkingOut() + unknown, unknown + s.checkingOut(),
			addingAddress("one", "x") + s.checkingOut() + `updateProfile(input: {firstName: "New"}) { message } ` + unknown,
		} {
			for range 4 {
				got := s.key("whole").graph(t, s.named(t, `mutation { `+document+`}`)).fresh(t)
				if got.code != "NOT_FOUND" || !strings.Contains(string(got.body), `"data":null`) {
					t.Errorf("%s: %s", document, got.body)
				}
			}
		}
		if n, is := s.withStatus(t, "pending"), s.quantities(t); n != 0 || is != "D-13 1 " || s.stock(t, "D-13") != 11 {
			t.Errorf("%d orders, the cart holds %s", n, is)
		}
		s.hasAddresses(t, 0)
		if counted := countedBy(t, a.service.Registry())["orders_placed_total"]; counted != 0 {
			t.Errorf("%v orders are counted", counted)
		}

		// A price that has risen is reported once, also beside others.
		s.priced(t, "D-13", 1500000)
		both := `mutation { ` + addingAddress("one", "x") + s.checkingOut() + `}`
		if got := s.key("whole").graph(t, both).fresh(t); got.code != "PRICE_CHANGED" {
			t.Errorf("%s", got.body)
		}
		s.hasAddresses(t, 0)
		first := s.key("whole").graph(t, both).fresh(t)
		if first.code != "" {
			t.Errorf("%s", first.body)
		}
		s.key("whole").graph(t, both).again(t, first)
		s.hasAddresses(t, 1)
		if n, is := s.withStatus(t, "pending"), s.quantities(t); n != 1 || is != "" {
			t.Errorf("%d orders, the cart holds %s", n, is)
		}

		// What cannot be undone with others stands alone.
		for _, alone := range []string{
			fmt.Sprintf(`changePassword(input: {currentPassword: %q, newPassword: %q}) { message } `, goodPassword, otherPassword),
			fmt.Sprintf(`closeAccount(input: {currentPassword: %q}) { message } `, goodPassword),
		} {
			got := s.key("alone").graph(t, `mutation { `+addingAddress("one", "x")+alone+`}`)
			wantGraphQL(t, got.answer, 200, "VALIDATION_FAILED", "Idempotency-Key")
		}
	})
}

// TestOrderDocumentsOfSeveral has six customers cancel three orders a document, with a key, while others buy the same things:
// nobody waits so long that it fails, and no unit is lost.
func TestOrderDocumentsOfSeveral(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.clock.ticks.Store(true)
		skus := []string{"D-10", "D-13", "MUG-S"}
		for _, sku := range skus {
			a.stockedUp(t, sku, 18) // few enough that their number is public
		}
		initial := a.units(t)
		all := crowd(t, 8, a)
		failed := map[string]int{}
		for round := range 2 * *rounds {
			orders := make([][]string, 6)
			for i, s := range all[:6] {
				for n := range 3 {
					orders[i] = append(orders[i], s.bought(t, skus[(n*(1+i%2)+i)%3], 1).ID)
				}
			}
			got := together(len(all), func(i int) (replies []reply) {
				s := all[i]
				if i < 6 {
					var fields strings.Builder
					for n, id := range orders[i] {
						fmt.Fprintf(&fields, "o%d: cancelOrder(businessId: %q, orderId: %q) { order { status } } ", n, s.business, id)
					}
					d := a.graphQL().with(s.access).key(fmt.Sprint("round-", round))
					return []reply{d.graph(t, `mutation { `+fields.String()+`}`)}
				}
				for range 4 {
					for _, sku := range skus {
						replies = append(replies, s.ask(t, "AddCartItem", adding(sku, 1)))
					}
					replies = append(replies, s.ask(t, "Checkout", toHome))
				}
				return replies
			})
			for _, replies := range got {
				for _, r := range replies {
					if r.code != "" {
						failed[r.code]++
					}
				}
			}
			for _, s := range all[6:] {
				for _, id := range strings.Fields(s.right(t, "Orders", "", "status=pending", "pageSize=50").orders(t)) {
					s.cancel(t, id)
				}
			}
			for _, s := range all[:6] {
				if n := s.withStatus(t, "pending"); n != 0 {
					failed["not cancelled"] += n
				}
			}
		}
		if len(failed) > 0 {
			t.Errorf("%v", failed)
		}
		for _, sku := range skus {
			if left := a.stock(t, sku); left != 18 {
				t.Errorf("%d of %s are left", left, sku)
			}
		}
		a.balances(t, initial)
	})
}
