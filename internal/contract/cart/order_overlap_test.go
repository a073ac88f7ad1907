package cart_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// held returns another instance of the service. Its first request waits before it reads sessions, until
// release is called; reached is closed when it waits.
func held(t testing.TB, a *shoptest.Accounts) (instance *shoptest.Accounts, reached <-chan struct{}, release func()) {
	t.Helper()
	waits, goes := make(chan struct{}), make(chan struct{})
	var begun atomic.Bool
	instance = a.Watched(t, func(text string) {
		if strings.Contains(text, "sessions") && begun.CompareAndSwap(false, true) {
			close(waits)
			<-goes
		}
	})
	return instance, waits, sync.OnceFunc(func() { close(goes) })
}

// TestOrderOverlap lets two checkouts overlap: one arrives, but reads the cart only after the other was
// answered. A checkout that arrives later finds the cart empty.
func TestOrderOverlap(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, _ *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		for _, c := range []struct {
			name, late, code string
			elsewhere        bool // another instance answers the other one
			refilled         bool // the cart is filled again before the late one reads it
		}{
			{"alike", shoptest.ToHome, "", false, false},
			{"alike, at two instances", shoptest.ToHome, "", true, false},
			{"alike, with a cart filled anew", shoptest.ToHome, "", false, true},
			{"unlike", strings.Replace(shoptest.ToHome, "cash", "pos", 1), "CONFLICT", false, false},
			{"unlike, at two instances", strings.Replace(shoptest.ToHome, "cash", "pos", 1), "CONFLICT", true, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				slow, reached, release := held(t, first)
				late := customer.Everywhere(slow)
				quick := late[1]
				if c.elsewhere {
					quick = customer
				}
				customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
				var got shoptest.Reply
				var waiting sync.WaitGroup
				waiting.Go(func() { got = late[0].Ask(t, "Checkout", c.late) })
				defer waiting.Wait()
				defer release()
				<-reached
				made := quick.Right(t, "Checkout", shoptest.ToHome).Order(t)
				if c.refilled {
					customer.Right(t, "AddCartItem", shoptest.Adding("D-10", 1))
				}
				release()
				waiting.Wait()
				if got.Code != c.code {
					t.Errorf("the late one is answered %d %s", got.Status, got.Body)
				}
				if got.Code == "" && got.Order(t).ID != made.ID {
					t.Errorf("the late one is answered with another order: got %s", got.Body)
				}
				if c.refilled {
					if is := customer.Quantities(t); is != "D-10 1 " {
						t.Errorf("the cart holds %s", is)
					}
					customer.Right(t, "ClearCart", "")
				}
				for _, later := range late {
					later.Wrong(t, "Checkout", shoptest.ToHome, "CART_EMPTY")
				}
				customer.Wrong(t, "Checkout", shoptest.ToHome, "CART_EMPTY")
			})
		}
	})
}

// TestOrderOverlapAfterPriceRise lets two checkouts overlap after a price has risen. Both report it, since the
// customer had not seen the new price when they were sent. The next one goes through.
func TestOrderOverlapAfterPriceRise(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, _ *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		slow, reached, release := held(t, first)
		late := customer.Everywhere(slow)
		customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		customer.Priced(t, "D-13", 1500000)
		var got shoptest.Reply
		var waiting sync.WaitGroup
		waiting.Go(func() { got = late[0].Ask(t, "Checkout", shoptest.ToHome) })
		defer waiting.Wait()
		defer release()
		<-reached
		late[1].Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
		release()
		waiting.Wait()
		if got.Code != "PRICE_CHANGED" {
			t.Errorf("the late one is answered %d %s", got.Status, got.Body)
		}
		if made := late[1].Right(t, "Checkout", shoptest.ToHome).Order(t); made.Total != "1500000" {
			t.Errorf("got a total of %s, want 1500000", made.Total)
		}
	})
}

// TestOrderDoubleClickOverPriceRise clicks twice over a risen price. The second click arrives before the first one
// gets the price, and reads the cart after that: it must not buy.
func TestOrderDoubleClickOverPriceRise(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		for n, quick := range []*shoptest.Accounts{first, second} { // at one instance, and at two
			slow, reached, release := held(t, first)
			late := customer.Everywhere(slow)[0]
			customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			customer.Priced(t, "D-13", 1500000+int64(n))
			var got shoptest.Reply
			var waiting sync.WaitGroup
			waiting.Go(func() { got = late.Ask(t, "Checkout", shoptest.ToHome) })
			<-reached
			customer.Everywhere(quick)[0].Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
			release()
			waiting.Wait()
			if got.Code != "PRICE_CHANGED" {
				t.Errorf("the late click is answered %d %s", got.Status, got.Body)
			}
			if n := customer.WithStatus(t, "pending"); n != 0 {
				t.Errorf("%d orders are placed", n)
			}
			customer.Right(t, "ClearCart", "")
		}
	})
}

// TestOrderRepeatBeforeTheCommit sends a checkout again. The repeat arrives before the commit of the first one and
// reads the cart after it: it gets the same order.
func TestOrderRepeatBeforeTheCommit(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, first)[0]
		for _, quick := range []*shoptest.Accounts{first, second} {
			slow, reached, release := held(t, first)
			late := customer.Everywhere(slow)[0]
			customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			var got shoptest.Reply
			var waiting sync.WaitGroup
			waiting.Go(func() { got = late.Ask(t, "Checkout", shoptest.ToHome) })
			<-reached
			made := customer.Everywhere(quick)[0].Right(t, "Checkout", shoptest.ToHome).Order(t)
			release()
			waiting.Wait()
			if got.Code != "" || got.Order(t).ID != made.ID {
				t.Errorf("the repeat is answered %d %s", got.Status, got.Body)
			}
		}
	})
}

// TestOrderPriceRiseReportedMeanwhile has another instance report a risen price after a checkout on PostgreSQL has read
// the cart, and before it locks the cart. The checkout reports the price, too.
func TestOrderPriceRiseReportedMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		slow, happens := a.Meanwhile(t)
		customer := shoptest.Crowd(t, 1, a)[0]
		late := customer.Everywhere(slow)[0]
		customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		customer.Priced(t, "D-13", 1500000)
		if strings.HasPrefix(a.Database, "postgres") { // SQLite has one instance
			happens(func() { customer.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED") })
		}
		late.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
		late.Right(t, "Checkout", shoptest.ToHome)
	})
}

// TestArrivalByTheDatabasesClock reports a risen price at a server whose clock is an hour ahead of the
// database's. There the next checkout has arrived before the report, by the database's clock; at a server with
// the same clock it goes through.
func TestArrivalByTheDatabasesClock(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		customer := shoptest.Crowd(t, 1, a)[0]
		instance := a.Instance(t, func(o *app.Options) { o.Ahead = func() time.Duration { return -time.Hour } })
		ahead := customer.Everywhere(instance)[0]
		customer.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		customer.Priced(t, "D-13", 1500000)
		for range 2 {
			ahead.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
		}
		customer.Right(t, "Checkout", shoptest.ToHome)
	})
}
