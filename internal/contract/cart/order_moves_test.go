package cart_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

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
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		for _, from := range record.OrderStatus("").Values() {
			for _, to := range record.OrderStatus("").Values() {
				a.StockedUp(t, "D-13", 11)
				made := s.Bought(t, "D-13", 2)
				for _, step := range paths[record.OrderStatus(from)] {
					if code := s.Moved(t, made.ID, step); code != "" {
						t.Fatalf("%s on the way to %s: %s", step, from, code)
					}
				}
				a.Clock.Pass(time.Second)
				before := s.Right(t, "Order", "", "orderId="+made.ID).Said
				stock := s.Stock(t, "D-13")
				code := s.Moved(t, made.ID, record.OrderStatus(to))
				got := s.Right(t, "Order", "", "orderId="+made.ID)
				if !allowed[from+" "+to] {
					if code != "CONFLICT" || before != got.Said || s.Stock(t, "D-13") != stock {
						t.Errorf("%s to %s: %s; %s became %s", from, to, code, before, got.Said)
					}
					continue
				}
				after := got.Order(t)
				steps, returned, payment := append([]string{"pending"}, steps(from)...), 0, "pending"
				if to == "cancelled" {
					returned, payment = 2, "cancelled"
				}
				if code != "" || after.Status != to || after.Statuses() != strings.Join(append(steps, to), " ") ||
					after.Payment.Status != payment {
					t.Errorf("%s to %s: got %q and %+v, want the payment %s", from, to, code, after, payment)
				}
				if is := s.Stock(t, "D-13"); is != stock+returned {
					t.Errorf("%s to %s: got %d in stock, want %d", from, to, is, stock+returned)
				}
				if last := after.History[len(after.History)-1]; last.At != a.Clock.Now().Format(time.RFC3339Nano) ||
					last.Note == nil || *last.Note != "by hand" {
					t.Errorf("%s to %s: the last step is %+v", from, to, last)
				}
			}
		}
		if code := s.Moved(t, shoptest.NobodysID, "confirmed"); code != "NOT_FOUND" {
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

// TestOrderCancel cancels orders as customers may: only their own and only while pending.
func TestOrderCancel(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		theirs := a.REST().Shopper(t, 2)
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		made := s.Bought(t, "D-13", 11)
		if s.Stock(t, "D-13") != 0 {
			t.Fatalf("%d are left", s.Stock(t, "D-13"))
		}
		for _, id := range []string{shoptest.NobodysID, "x", made.OrderNumber} {
			if got := s.Cancel(t, id); got.Code != "NOT_FOUND" {
				t.Errorf("%s: got %s", id, got.Body)
			}
		}
		if got := theirs.Cancel(t, made.ID); got.Code != "NOT_FOUND" {
			t.Errorf("another customer: got %s", got.Body)
		}
		if got := s.At(t, "mugs").Cancel(t, made.ID); got.Code != "NOT_FOUND" {
			t.Errorf("at another shop: got %s", got.Body)
		}
		a.Clock.Pass(10 * time.Minute)
		got := s.Cancel(t, made.ID)
		got.Is(t, `{"message": "The order is cancelled.", "order": {"id": "<id>", "status": "cancelled", `+
			`"payment": {"status": "cancelled"}, "history": [
			{"status": "pending", "at": "2026-11-15T12:00:00Z", "note": null}, {"status": "cancelled", "at": `+
			`"2026-11-15T12:10:00Z", "note": null}],
			"updatedAt": "2026-11-15T12:10:00Z"}}`)
		if s.Stock(t, "D-13") != 11 || s.Stock(t, "D-10") != 10 {
			t.Errorf("got a stock of %d and %d, want 11 and 10", s.Stock(t, "D-13"), s.Stock(t, "D-10"))
		}
		if got := s.Cancel(t, made.ID); got.Code != "CONFLICT" || s.Stock(t, "D-13") != 11 {
			t.Errorf("again: %s; %d are in stock", got.Body, s.Stock(t, "D-13"))
		}
		made = s.Bought(t, "D-13", 1)
		for _, to := range []record.OrderStatus{"confirmed", "processing", "shipped", "delivered"} {
			s.Moved(t, made.ID, to)
			if got := s.Cancel(t, made.ID); got.Code != "CONFLICT" || s.Stock(t, "D-13") != 10 {
				t.Errorf("%s: got %s", to, got.Body)
			}
		}
		a.Balances(t, nil)
	})
}

// TestStockStaysImportable sets the stock of a variant to the maximum while an order has units of it.
// Cancelling the order must not exceed the maximum, so that the shop's export can be imported.
func TestStockStaysImportable(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		s := c.REST().Shopper(t, 1)
		for _, key := range []string{"", "k"} {
			made := s.Bought(t, "D-13", 3)
			c.StockedUp(t, "D-13", record.MostStock-1)
			cancel := fmt.Sprintf(`mutation { cancelOrder(businessId: %q, orderId: %q) { message } }`,
				s.Business, made.ID)
			d := c.GraphQL().With(s.Access)
			if key != "" {
				d = d.Key(key)
			}
			if got := d.Graph(t, cancel); got.Code != "" || s.Stock(t, "D-13") != record.MostStock {
				t.Errorf("%d units are in stock, want %d: %s", s.Stock(t, "D-13"), record.MostStock, got.Body)
			}
			c.ComesBack(t)
		}
	})
}

// TestOrderShowsInLists sells a shop out and cancels an order, and checks that public lists and pages change
// at once.
func TestOrderShowsInLists(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		shown := func() string {
			text := ""
			for _, path := range []string{"/store-items?inStock=true&pageSize=1",
				"/store-items?inStock=false&pageSize=1", "/products?inStore=true&pageSize=1"} {
				var page struct{ Total int }
				readInto(t, a.Get(t, shoptest.ToolsPath+path), &page)
				text += fmt.Sprintf("%d ", page.Total)
			}
			var of struct{ Product struct{ InStock bool } }
			readInto(t, a.Get(t, shoptest.ToolsPath+"/products/mug"), &of)
			return text + fmt.Sprint(of.Product.InStock)
		}
		before := shown()
		etag := a.Get(t, shoptest.ToolsPath+"/products/mug").Header.Get("ETag")
		made := s.Bought(t, "MUG-S", 2)
		sold := shown()
		if sold == before || !strings.HasSuffix(sold, "false") {
			t.Errorf("sold out, lists show %q, before %q", sold, before)
		}
		if got := a.Get(t, shoptest.ToolsPath+"/products/mug", "If-None-Match", etag); got.Status != 200 {
			t.Errorf("the page of what is sold out: got %d", got.Status)
		}
		s.Cancel(t, made.ID)
		if is := shown(); is != before {
			t.Errorf("taken back: got the lists %q, want %q as before", is, before)
		}
	})
}

func readInto(t testing.TB, got shoptest.Answer, into any) {
	t.Helper()
	if err := json.Unmarshal(got.Body, into); err != nil || got.Status != 200 {
		t.Fatalf("%d %s: %v", got.Status, got.Body, err)
	}
}
