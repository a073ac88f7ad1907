package live

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
)

// TestAShopHasItsShare takes all places for the staff of one shop: another shop's take those of its oldest listeners,
// and no shop beyond its share takes any.
func TestAShopHasItsShare(t *testing.T) {
	t.Parallel()
	s := New(nil, time.Now, nil)
	first, other := uuid.New(), uuid.New()
	n := 0
	ask := func(shop, order uuid.UUID) (*listener, error) {
		n++
		l := &listener{gone: make(chan struct{}),
			of: Of{Business: shop, Order: order, Caller: fmt.Sprint(n / 20), Address: fmt.Sprint(n / 200)}}
		return l, s.admit(l)
	}
	isGone := func(l *listener) bool {
		select {
		case <-l.gone:
			return true
		default:
			return false
		}
	}
	var all []*listener
	for range mostListeners {
		l, err := ask(first, uuid.Nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if _, err := ask(first, uuid.Nil); !fault.Is(err, fault.Unavailable) {
		t.Errorf("one more of the shop: got %v, want UNAVAILABLE", err)
	}
	for i := range mostOfShop {
		if _, err := ask(other, uuid.New()); err != nil || !isGone(all[i]) || isGone(all[i+1]) {
			t.Fatalf("another shop's %d: got %v, want the place of the oldest", i, err)
		}
	}
	if _, err := ask(other, uuid.Nil); !fault.Is(err, fault.Unavailable) {
		t.Errorf("beyond the share: got %v, want UNAVAILABLE", err)
	}
	for _, l := range all {
		s.leave(l)
	}
	if s.Listeners() != mostOfShop || s.counts["all"] != mostOfShop {
		t.Errorf("got %d listeners and a count of %d, want %d", s.Listeners(), s.counts["all"], mostOfShop)
	}
}

// TestARefusalEndsNothing fills the places of customers and all places, with one shop beyond its share among staff: a
// customer of another shop is refused, and nobody's subscription ends.
func TestARefusalEndsNothing(t *testing.T) {
	t.Parallel()
	for range 20 { // the bounds are in a map
		s := New(nil, time.Now, nil)
		n := 0
		ask := func(shop, order uuid.UUID) error {
			n++
			return s.admit(&listener{gone: make(chan struct{}),
				of: Of{Business: shop, Order: order, Caller: fmt.Sprint(n / 20), Address: fmt.Sprint(n / 200)}})
		}
		for range mostCustomers / mostOfShop {
			shop := uuid.New()
			for range mostOfShop {
				if err := ask(shop, uuid.New()); err != nil {
					t.Fatal(err)
				}
			}
		}
		staff := uuid.New()
		for range mostListeners - mostCustomers {
			if err := ask(staff, uuid.Nil); err != nil {
				t.Fatal(err)
			}
		}
		err := ask(uuid.New(), uuid.New())
		if !fault.Is(err, fault.Unavailable) || s.Listeners() != mostListeners {
			t.Fatalf("got %v and %d subscriptions, want UNAVAILABLE and all of them", err, s.Listeners())
		}
	}
}
