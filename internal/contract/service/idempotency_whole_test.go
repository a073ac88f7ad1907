package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// checkingOut returns a mutation that checks a cart out at a shop.
func checkingOut(s shoptest.Shopper) string {
	return fmt.Sprintf(`checkout(businessId: %q, input: {payment: {type: cash}, `+
		`shippingAddress: {province: "a", city: "b", `+
		`address: "c"}}) { order { id } } `, s.Business)
}

// TestKeyedAnswerIsWhole sends a checkout of whose answer a part cannot be given. Nothing of it must be done, however
// often it is sent, and the key stays unused. Without a key it is done.
func TestKeyedAnswerIsWhole(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.GraphQL().Shopper(t, 1)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		const refused = `order { id items { product { commentsConnection(after: "none") { edges { cursor } } } } }`
		document := `mutation { ` + strings.Replace(checkingOut(s), "order { id }", refused, 1) + `}`
		for range 3 {
			got := s.Key("whole").Graph(t, s.Named(t, document)).Fresh(t)
			if got.Code == "" || !strings.Contains(string(got.Body), `"data":null`) {
				t.Errorf("got %s", got.Body)
			}
		}
		if n, is := s.WithStatus(t, "pending"), s.Quantities(t); n != 0 || is != "D-13 1 " ||
			s.Stock(t, "D-13") != 11 {
			t.Errorf("%d orders, the cart holds %s", n, is)
		}
		if counted := shoptest.CountedBy(t, a.Service.Registry())["orders_placed_total"]; counted != 0 {
			t.Errorf("%v orders are counted", counted)
		}
		first := s.Key("whole").Graph(t, `mutation { `+checkingOut(s)+`}`).Fresh(t)
		s.Key("whole").Graph(t, `mutation { `+checkingOut(s)+`}`).Again(t, first)
		if n := s.WithStatus(t, "pending"); n != 1 || first.Code != "" {
			t.Errorf("%d orders, got %s", n, first.Body)
		}
	})
}

// TestOneCheckoutInADocument checks out twice in a document. That is refused, and nothing is done, because a
// second order could not be distinguished from a repetition.
func TestOneCheckoutInADocument(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.GraphQL().Shopper(t, 1)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		for _, d := range []shoptest.API{s.API, s.Key("two")} {
			got := d.Graph(t, s.Named(t, fmt.Sprintf(`mutation { first: %s
				addToCart(businessId: %q, items: [{storeItemVariantId: "<tools:variant:D-13>", quantity: 1}]) {
					message }
				second: %s }`, checkingOut(s), s.Business, checkingOut(s))))
			if n := s.WithStatus(t, "pending"); n != 0 || got.Code != "LIMIT_EXCEEDED" ||
				s.Quantities(t) != "D-13 1 " {
				t.Errorf("%d orders: got %s", n, got.Body)
			}
		}
	})
}

// TestOrderDocumentsOfSeveral lets six customers cancel three orders per document while others
// buy the same variants. No request may fail for waiting too long, and no unit may be lost.
func TestOrderDocumentsOfSeveral(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		skus := []string{"D-10", "D-13", "MUG-S"}
		for _, sku := range skus {
			a.StockedUp(t, sku, 18) // few enough that their number is public
		}
		initial := a.Units(t)
		all := shoptest.Crowd(t, 8, a)
		failed := map[string]int{}
		for range 2 * *shoptest.Rounds {
			orders := make([][]string, 6)
			for i, s := range all[:6] {
				for n := range 3 {
					orders[i] = append(orders[i], s.Bought(t, skus[(n*(1+i%2)+i)%3], 1).ID)
				}
			}
			got := shoptest.Together(len(all), func(i int) (replies []shoptest.Reply) {
				s := all[i]
				if i < 6 {
					var fields strings.Builder
					for n, id := range orders[i] {
						fmt.Fprintf(&fields, "o%d: cancelOrder(businessId: %q, orderId: %q) { order { "+
							"status } } ", n, s.Business, id)
					}
					d := a.GraphQL().With(s.Access)
					return []shoptest.Reply{d.Graph(t, `mutation { `+fields.String()+`}`)}
				}
				for range 4 {
					for _, sku := range skus {
						replies = append(replies, s.Ask(t, "AddCartItem", shoptest.Adding(sku, 1)))
					}
					replies = append(replies, s.Ask(t, "Checkout", shoptest.ToHome))
				}
				return replies
			})
			for _, replies := range got {
				for _, r := range replies {
					if r.Code != "" {
						failed[r.Code]++
					}
				}
			}
			for _, s := range all[6:] {
				for _, id := range strings.Fields(s.Right(t, "Orders", "", "status=pending",
					"pageSize=50").Orders(t)) {
					s.Cancel(t, id)
				}
			}
			for _, s := range all[:6] {
				if n := s.WithStatus(t, "pending"); n != 0 {
					failed["not cancelled"] += n
				}
			}
		}
		if len(failed) > 0 {
			t.Errorf("got %v", failed)
		}
		for _, sku := range skus {
			if left := a.Stock(t, sku); left != 18 {
				t.Errorf("%d of %s are left", left, sku)
			}
		}
		a.Balances(t, initial)
	})
}

// TestKeyedAdjustmentsRace has staff adjust three variants with a key, half of them in the opposite order,
// while customers buy the same variants. No request is refused, each adjustment is done once, and no unit
// is lost. Several adjustments in one document, which would lock some variants while waiting for others,
// are refused.
func TestKeyedAdjustmentsRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		c.Clock.Ticks.Store(true)
		skus, by := []string{"D-10", "D-13", "MUG-S"}, []int{2, 3, -1}
		for _, sku := range skus {
			c.StockedUp(t, sku, 100_000)
		}
		staff, customers := make([]shoptest.Worker, 6), shoptest.Crowd(t, 2, c.Accounts)
		for i := range staff {
			staff[i] = c.Staff(t, c.Tools, record.Owner)
		}
		adjust := func(who shoptest.Worker, key string, backwards bool) shoptest.Reply {
			var items []map[string]any
			for i, sku := range skus {
				items = append(items, map[string]any{"sku": sku, "by": by[i]})
			}
			if backwards {
				slices.Reverse(items)
			}
			return who.Keyed(t, key, shoptest.AdjustStock, map[string]any{"shop": c.Tools, "in": map[string]any{
				"reason": "count", "items": items}})
		}
		n := 4 * *shoptest.Rounds
		for round := range n {
			shoptest.Together(len(staff)+len(customers), func(i int) string {
				if i >= len(staff) {
					s := customers[i-len(staff)]
					for _, sku := range skus {
						s.Right(t, "AddCartItem", shoptest.Adding(sku, 1))
					}
					s.Right(t, "Checkout", shoptest.ToHome)
					return ""
				}
				if got := adjust(staff[i], fmt.Sprint(round), i%2 == 1).Fresh(t); got.Code != "" {
					t.Errorf("got %s", got.Body)
				}
				return ""
			})
		}
		if got := adjust(staff[0], "0", false); got.Code != "CONFLICT" {
			t.Errorf("sent again: got %s", got.Body)
		}
		two := staff[0].Keyed(t, "two", `mutation($shop: ID!) {
			a: adjustStock(businessId: $shop, input: {reason: "x", items: [{sku: "D-10", by: 1}]}) { items { sku } }
			b: adjustStock(businessId: $shop, input: {reason: "x", items: [{sku: "D-13", by: 1}]}) { items { sku } } }`,
			map[string]any{"shop": c.Tools})
		shoptest.WantGraphQL(t, two.Answer, 200, "VALIDATION_FAILED", "Idempotency-Key")
		for i, sku := range skus {
			want := 100_000 + n*(len(staff)*by[i]-len(customers))
			if left := c.Stock(t, sku); left != want {
				t.Errorf("%d of %s are in stock, want %d", left, sku, want)
			}
		}
		// An entry for each variant of an adjustment.
		want := n * len(staff) * len(skus)
		if got := c.Rows(t, "SELECT count(*) FROM audit_entries WHERE action = 'adjustStock'"); got != want {
			t.Errorf("the audit log has %d adjustments, want %d", got, want)
		}
	})
}

// TestAnswerTooLongToKeep repeats a checkout with a key whose answer is too long to be stored with the
// customer's other answers. It must not be done again, and must be counted once.
func TestAnswerTooLongToKeep(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for n, d := range []shoptest.API{a.REST(), a.GraphQL()} {
			s := d.Shopper(t, n)
			a.Store.Client.IdempotencyKey.Create().SetID("others").SetUserID(uuid.MustParse(s.ID)).
				SetFingerprint([]byte("x")).SetSize(16 << 20).SetExpiresAt(a.Clock.Now().Add(time.Hour)).
				SaveX(t.Context())
			long := `"` + strings.Repeat("😀", 1000) + `"`
			body := strings.Replace(shoptest.ToHome, `"payment"`, `"customerNotes": `+long+`, "payment"`, 1)
			body = strings.Replace(body, `"cash"`, `"cash", "notes": `+long, 1)
			keyed := s
			keyed.API = s.Key("long")
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			made := keyed.Right(t, "Checkout", body).Fresh(t).Order(t).ID
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 2))
			for range 3 {
				got := keyed.Ask(t, "Checkout", body)
				if got.Code != "CONFLICT" || got.Header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("sent again: got %d %s", got.Status, got.Body)
				}
			}
			ids, is := strings.TrimSpace(s.Right(t, "Orders", "").Orders(t)), s.Quantities(t)
			if ids != made || is != "D-13 2 " {
				t.Errorf("the orders are %s, want %s; the cart holds %s", ids, made, is)
			}
			if counted := shoptest.CountedBy(t, a.Service.Registry())["orders_placed_total"]; int(counted) != n+1 {
				t.Errorf("%v orders are counted, want %d", counted, n+1)
			}
			a.Store.Client.IdempotencyKey.DeleteOneID("others").ExecX(t.Context())
		}
		a.Balances(t, nil)
	})
}
