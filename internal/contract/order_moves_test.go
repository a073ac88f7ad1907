package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/cart"
	"storefront/internal/fault"
	"storefront/internal/order"
	"storefront/internal/record"
)

// moves is the service that staff moves orders with.
func (a *accounts) moves() *order.Service {
	return order.New(a.store.Client, cart.New(a.store.Client, a.clock.now), a.clock.now)
}

// moved moves an order of the tool shop and returns the error's code.
func (s shopper) moved(t testing.TB, id string, to record.OrderStatus) string {
	t.Helper()
	note := "by hand"
	_, err := s.moves().Move(t.Context(), uuid.MustParse(s.named(t, "<tenant:tools>")),
		uuid.MustParse(id), to, &note)
	switch {
	case err == nil:
		return ""
	case ent.IsNotFound(err):
		return "NOT_FOUND"
	}
	return string(fault.From(err).Code)
}

// cancel cancels an order as its customer does; GraphQL alone has it.
func (s shopper) cancel(t testing.TB, id string) reply {
	t.Helper()
	const document = `mutation($b: ID!, $o: ID!) { body: cancelOrder(businessId: $b, orderId: $o) { ` +
		`message order {
		id status payment { status } history { status at note } updatedAt } } }`
	d := s.accounts.graphQL().with(s.access)
	return d.read(t, d.send(t, "POST", "/graphql", asked(document, fmt.Sprintf(`{"b": %q, "o": %q}`, s.business,
		id)), d.headers...))
}

// paths are the moves that lead to each status.
var paths = map[record.OrderStatus][]record.OrderStatus{
	"pending": nil, "confirmed": {"confirmed"}, "processing": {"confirmed", "processing"},
	"shipped":   {"confirmed", "processing", "shipped"},
	"delivered": {"confirmed", "processing", "shipped", "delivered"}, "cancelled": {"cancelled"},
}

// TestOrderMoves tries every move from every status, and checks history, payment and stock.
func TestOrderMoves(t *testing.T) {
	allowed := map[string]bool{
		"pending confirmed": true, "confirmed processing": true, "processing shipped": true,
		"shipped delivered": true,
		"pending cancelled": true, "confirmed cancelled": true, "processing cancelled": true,
	}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.rest().shopper(t, 1)
		for _, from := range record.OrderStatus("").Values() {
			for _, to := range record.OrderStatus("").Values() {
				a.stockedUp(t, "D-13", 11)
				made := s.bought(t, "D-13", 2)
				for _, step := range paths[record.OrderStatus(from)] {
					if code := s.moved(t, made.ID, step); code != "" {
						t.Fatalf("%s on the way to %s: %s", step, from, code)
					}
				}
				a.clock.pass(time.Second)
				before := s.right(t, "Order", "", "orderId="+made.ID).said
				stock := s.stock(t, "D-13")
				code := s.moved(t, made.ID, record.OrderStatus(to))
				got := s.right(t, "Order", "", "orderId="+made.ID)
				if !allowed[from+" "+to] {
					if code != "CONFLICT" || before != got.said || s.stock(t, "D-13") != stock {
						t.Errorf("%s to %s: %s; %s became %s", from, to, code, before, got.said)
					}
					continue
				}
				after := got.order(t)
				steps, returned, payment := append([]string{"pending"}, steps(from)...), 0, "pending"
				if to == "cancelled" {
					returned, payment = 2, "cancelled"
				}
				if code != "" || after.Status != to || after.statuses() != strings.Join(append(steps, to), " ") ||
					after.Payment.Status != payment {
					t.Errorf("%s to %s: %s; %+v", from, to, code, after)
				}
				if is := s.stock(t, "D-13"); is != stock+returned {
					t.Errorf("%s to %s: %d in stock became %d", from, to, stock, is)
				}
				if last := after.History[len(after.History)-1]; last.At != a.clock.now().Format(time.RFC3339Nano) ||
					last.Note == nil || *last.Note != "by hand" {
					t.Errorf("%s to %s: the last step is %+v", from, to, last)
				}
			}
		}
		if code := s.moved(t, nobodys, "confirmed"); code != "NOT_FOUND" {
			t.Errorf("an order that nobody has: %s", code)
		}
	})
}

func steps(to string) (names []string) {
	for _, step := range paths[record.OrderStatus(to)] {
		names = append(names, string(step))
	}
	return names
}

// statuses are those of the order's history.
func (o orderOf) statuses() string {
	var names []string
	for _, step := range o.History {
		names = append(names, step.Status)
	}
	return strings.Join(names, " ")
}

// stockedUp sets the stock of a variant of the tool shop.
func (a *accounts) stockedUp(t testing.TB, sku string, units int) {
	t.Helper()
	a.rest().nobody(t).stocked(t, sku, units)
}

// nobody is a shopper of the tool shop who is not signed in.
func (d door) nobody(t testing.TB) shopper {
	t.Helper()
	return shopper{door: d, business: d.named(t, "<tenant:tools>")}
}

// TestOrderCancel cancels orders as customers may: only their own and only while pending.
func TestOrderCancel(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.rest().shopper(t, 1)
		theirs := a.rest().shopper(t, 2)
		s.right(t, "AddCartItem", adding("D-10", 2))
		made := s.bought(t, "D-13", 11)
		if s.stock(t, "D-13") != 0 {
			t.Fatalf("%d are left", s.stock(t, "D-13"))
		}
		for _, id := range []string{nobodys, "x", made.OrderNumber} {
			if got := s.cancel(t, id); got.code != "NOT_FOUND" {
				t.Errorf("%s: %s", id, got.body)
			}
		}
		if got := theirs.cancel(t, made.ID); got.code != "NOT_FOUND" {
			t.Errorf("another customer: %s", got.body)
		}
		if got := s.at(t, "mugs").cancel(t, made.ID); got.code != "NOT_FOUND" {
			t.Errorf("at another shop: %s", got.body)
		}
		a.clock.pass(10 * time.Minute)
		got := s.cancel(t, made.ID)
		got.is(t, `{"message": "The order is cancelled.", "order": {"id": "<id>", "status": "cancelled", `+
			`"payment": {"status": "cancelled"}, "history": [
			{"status": "pending", "at": "2026-11-15T12:00:00Z", "note": null}, {"status": "cancelled", "at": `+
			`"2026-11-15T12:10:00Z", "note": null}],
			"updatedAt": "2026-11-15T12:10:00Z"}}`)
		if s.stock(t, "D-13") != 11 || s.stock(t, "D-10") != 10 {
			t.Errorf("%d and %d are in stock", s.stock(t, "D-13"), s.stock(t, "D-10"))
		}
		if got := s.cancel(t, made.ID); got.code != "CONFLICT" || s.stock(t, "D-13") != 11 {
			t.Errorf("again: %s; %d are in stock", got.body, s.stock(t, "D-13"))
		}
		made = s.bought(t, "D-13", 1)
		for _, to := range []record.OrderStatus{"confirmed", "processing", "shipped", "delivered"} {
			s.moved(t, made.ID, to)
			if got := s.cancel(t, made.ID); got.code != "CONFLICT" || s.stock(t, "D-13") != 10 {
				t.Errorf("%s: %s", to, got.body)
			}
		}
		a.balances(t, nil)
	})
}

// TestStockStaysImportable fills the stock of a variant up to the most that there may be while units of it
// are in an order: what comes back makes it no more, and the shop's export can be imported.
func TestStockStaysImportable(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		s := c.rest().shopper(t, 1)
		for _, key := range []string{"", "k"} {
			made := s.bought(t, "D-13", 3)
			c.stockedUp(t, "D-13", record.MostStock-1)
			cancel := fmt.Sprintf(`mutation { cancelOrder(businessId: %q, orderId: %q) { message } }`, s.business, made.ID)
			d := c.graphQL().with(s.access)
			if key != "" {
				d = d.key(key)
			}
			if got := d.graph(t, cancel); got.code != "" || s.stock(t, "D-13") != record.MostStock {
				t.Errorf("%d units are in stock, want %d: %s", s.stock(t, "D-13"), record.MostStock, got.body)
			}
			c.comesBack(t)
		}
	})
}

// TestOrderShowsInLists sells a shop out and cancels an order: public lists and pages follow at once.
func TestOrderShowsInLists(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.rest().shopper(t, 1)
		shown := func() string {
			text := ""
			for _, path := range []string{"/store-items?inStock=true&pageSize=1",
				"/store-items?inStock=false&pageSize=1", "/products?inStore=true&pageSize=1"} {
				var page struct{ Total int }
				readInto(t, a.get(t, tools+path), &page)
				text += fmt.Sprintf("%d ", page.Total)
			}
			var of struct{ Product struct{ InStock bool } }
			readInto(t, a.get(t, tools+"/products/mug"), &of)
			return text + fmt.Sprint(of.Product.InStock)
		}
		before := shown()
		etag := a.get(t, tools+"/products/mug").header.Get("ETag")
		made := s.bought(t, "MUG-S", 2)
		sold := shown()
		if sold == before || !strings.HasSuffix(sold, "false") {
			t.Errorf("sold out, lists show %q, before %q", sold, before)
		}
		if got := a.get(t, tools+"/products/mug", "If-None-Match", etag); got.status != 200 {
			t.Errorf("the page of what is sold out: %d", got.status)
		}
		s.cancel(t, made.ID)
		if is := shown(); is != before {
			t.Errorf("taken back, lists show %q, before %q", is, before)
		}
	})
}

func readInto(t testing.TB, got answer, into any) {
	t.Helper()
	if err := json.Unmarshal(got.body, into); err != nil || got.status != 200 {
		t.Fatalf("%d %s: %v", got.status, got.body, err)
	}
}
