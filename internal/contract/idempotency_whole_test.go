package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/record"
)

// checkingOut is a mutation that checks a cart out at a shop.
func (s shopper) checkingOut() string {
	return fmt.Sprintf(`checkout(businessId: %q, input: {payment: {type: cash}, shippingAddress: {province: "a", city: "b", `+
		`address: "c"}}) { order { id } } `, s.business)
}

// TestKeyedDocumentIsWhole sends documents of which a part is refused: nothing of them is done, however often
// they are sent, and the key is free.
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

// TestOneCheckoutInADocument checks out twice in a document, which a second order could not be told from the
// same one again: it is refused, and nothing is done.
func TestOneCheckoutInADocument(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.graphQL().shopper(t, 1)
		s.right(t, "AddCartItem", adding("D-13", 1))
		for _, d := range []door{s.door, s.key("two")} {
			got := d.graph(t, s.named(t, fmt.Sprintf(`mutation { first: %s
				addCartItem(businessId: %q, input: {storeItemVariantId: "<tools:variant:D-13>", quantity: 1}) {
					message }
				second: %s }`, s.checkingOut(), s.business, s.checkingOut())))
			if n := s.withStatus(t, "pending"); n != 0 || got.code != "LIMIT_EXCEEDED" || s.quantities(t) != "D-13 1 " {
				t.Errorf("%d orders: %s", n, got.body)
			}
		}
	})
}

// TestOrderDocumentsOfSeveral has six customers cancel three orders a document, with a key, while others buy
// the same things: nobody waits so long that it fails, and no unit is lost.
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

// TestKeyedAdjustmentsRace has staff adjust three variants with a key, half of them in the opposite order,
// while customers buy the same things: nobody is refused, each adjustment is done once, and no unit is lost.
// Several adjustments in a document, which would hold some variants while they wait for others, are refused.
func TestKeyedAdjustmentsRace(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		c.clock.ticks.Store(true)
		skus, by := []string{"D-10", "D-13", "MUG-S"}, []int{2, 3, -1}
		for _, sku := range skus {
			c.stockedUp(t, sku, 100_000)
		}
		staff, customers := make([]worker, 6), crowd(t, 2, c.accounts)
		for i := range staff {
			staff[i] = c.staff(t, c.tools, record.Owner)
		}
		adjust := func(who worker, key string, backwards bool) reply {
			var items []map[string]any
			for i, sku := range skus {
				items = append(items, map[string]any{"sku": sku, "by": by[i]})
			}
			if backwards {
				slices.Reverse(items)
			}
			return who.keyed(t, key, adjustStock, map[string]any{"shop": c.tools, "in": map[string]any{
				"reason": "count", "items": items}})
		}
		n := 4 * *rounds
		for round := range n {
			together(len(staff)+len(customers), func(i int) string {
				if i >= len(staff) {
					s := customers[i-len(staff)]
					for _, sku := range skus {
						s.right(t, "AddCartItem", adding(sku, 1))
					}
					s.right(t, "Checkout", toHome)
					return ""
				}
				if got := adjust(staff[i], fmt.Sprint(round), i%2 == 1).fresh(t); got.code != "" {
					t.Errorf("%s", got.body)
				}
				return ""
			})
		}
		if got := adjust(staff[0], "0", false); got.code != "CONFLICT" {
			t.Errorf("sent again: %s", got.body)
		}
		two := staff[0].keyed(t, "two", `mutation($shop: ID!) {
			a: adjustStock(businessId: $shop, input: {reason: "x", items: [{sku: "D-10", by: 1}]}) { items { sku } }
			b: adjustStock(businessId: $shop, input: {reason: "x", items: [{sku: "D-13", by: 1}]}) { items { sku } } }`,
			map[string]any{"shop": c.tools})
		wantGraphQL(t, two.answer, 200, "VALIDATION_FAILED", "Idempotency-Key")
		for i, sku := range skus {
			want := 100_000 + n*(len(staff)*by[i]-len(customers))
			if left := c.stock(t, sku); left != want {
				t.Errorf("%d of %s are in stock, want %d", left, sku, want)
			}
		}
		if got := c.rows(t, "SELECT count(*) FROM audit_entries WHERE action = 'adjustStock'"); got != n*len(staff) {
			t.Errorf("the audit log has %d adjustments, want %d", got, n*len(staff))
		}
	})
}

// TestAnswerTooLongToKeep repeats a checkout by its key whose answer is too long to be kept beside those that
// the customer has: it is not done again, and counted once.
func TestAnswerTooLongToKeep(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		for n, d := range []door{a.rest(), a.graphQL()} {
			s := d.shopper(t, n)
			a.store.Client.IdempotencyKey.Create().SetID("others").SetUserID(uuid.MustParse(s.id)).
				SetFingerprint([]byte("x")).SetSize(16 << 20).SetExpiresAt(a.clock.now().Add(time.Hour)).
				SaveX(t.Context())
			long := `"` + strings.Repeat("😀", 1000) + `"`
			body := strings.Replace(toHome, `"payment"`, `"customerNotes": `+long+`, "payment"`, 1)
			body = strings.Replace(body, `"cash"`, `"cash", "notes": `+long, 1)
			keyed := s
			keyed.door = s.key("long")
			s.right(t, "AddCartItem", adding("D-13", 1))
			made := keyed.right(t, "Checkout", body).fresh(t).order(t).ID
			s.right(t, "AddCartItem", adding("D-13", 2))
			for range 3 {
				got := keyed.ask(t, "Checkout", body)
				if got.code != "CONFLICT" || got.header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("sent again: %d %s", got.status, got.body)
				}
			}
			ids, is := strings.TrimSpace(s.right(t, "Orders", "").orders(t)), s.quantities(t)
			if ids != made || is != "D-13 2 " {
				t.Errorf("the orders are %s, want %s; the cart holds %s", ids, made, is)
			}
			if counted := countedBy(t, a.service.Registry())["orders_placed_total"]; int(counted) != n+1 {
				t.Errorf("%v orders are counted, want %d", counted, n+1)
			}
			a.store.Client.IdempotencyKey.DeleteOneID("others").ExecX(t.Context())
		}
		a.balances(t, nil)
	})
}
