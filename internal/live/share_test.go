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
