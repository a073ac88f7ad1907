package contract_test

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"storefront/internal/app"
)

// held is another instance of the service, whose first request waits before it reads sessions until release
// is called; reached is closed when it waits.
func (a *accounts) held(t testing.TB) (instance *accounts, reached <-chan struct{}, release func()) {
	t.Helper()
	waits, goes := make(chan struct{}), make(chan struct{})
	var begun atomic.Bool
	instance = a.watched(t, func(text string) {
		if strings.Contains(text, "sessions") && begun.CompareAndSwap(false, true) {
			close(waits)
			<-goes
		}
	})
	return instance, waits, sync.OnceFunc(func() { close(goes) })
}

// watched is another instance of the service, which calls before with each statement that it is about to send.
func (a *accounts) watched(t testing.TB, before func(text string)) *accounts {
	t.Helper()
	s, counter := counted(t, a.database)
	counter.before = before
	service, err := app.New(s, slog.New(slog.NewTextHandler(io.Discard, nil)),
		app.Options{Clock: a.clock.now, Key: a.key, PasswordCost: cheap})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	watched := *a
	watched.place, watched.service = &place{url: server.URL, store: s}, service
	return &watched
}

// TestOrderOverlap makes two checkouts overlap: one arrives, and reads the cart only after the other was
// answered. One that arrives later finds the cart empty.
func TestOrderOverlap(t *testing.T) {
	eachRace(t, func(t *testing.T, first, _ *accounts) {
		customer := crowd(t, 1, first)[0]
		for _, c := range []struct {
			name, late, code string
			elsewhere        bool // the other one is answered by another instance
			refilled         bool // the cart, before the late one looks at it
		}{
			{"alike", toHome, "", false, false},
			{"alike, at two instances", toHome, "", true, false},
			{"alike, with a cart filled anew", toHome, "", false, true},
			{"unlike", strings.Replace(toHome, "cash", "pos", 1), "CONFLICT", false, false},
			{"unlike, at two instances", strings.Replace(toHome, "cash", "pos", 1), "CONFLICT", true, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				slow, reached, release := first.held(t)
				late := customer.everywhere(slow)
				quick := late[1]
				if c.elsewhere {
					quick = customer
				}
				customer.right(t, "AddCartItem", adding("D-13", 1))
				var got reply
				var waiting sync.WaitGroup
				waiting.Go(func() { got = late[0].ask(t, "Checkout", c.late) })
				defer waiting.Wait()
				defer release()
				<-reached
				made := quick.right(t, "Checkout", toHome).order(t)
				if c.refilled {
					customer.right(t, "AddCartItem", adding("D-10", 1))
				}
				release()
				waiting.Wait()
				if got.code != c.code {
					t.Errorf("the late one is answered %d %s", got.status, got.body)
				}
				if got.code == "" && got.order(t).ID != made.ID {
					t.Errorf("the late one is answered with another order: %s", got.body)
				}
				if c.refilled {
					if is := customer.quantities(t); is != "D-10 1 " {
						t.Errorf("the cart holds %s", is)
					}
					customer.right(t, "ClearCart", "")
				}
				for _, later := range late {
					later.wrong(t, "Checkout", toHome, "CART_EMPTY")
				}
				customer.wrong(t, "Checkout", toHome, "CART_EMPTY")
			})
		}
	})
}
