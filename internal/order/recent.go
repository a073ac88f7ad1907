package order

import (
	"sync"
	"time"

	"storefront/internal/cart"
)

// recent knows when each cart that became an order in the last minute did so, which is longer than a
// request runs: a checkout that arrived before that has overlapped, even if it came to look at the cart
// only later.
type recent struct {
	mu   sync.Mutex
	over map[cart.Owner]time.Time
	line []checkedOut // in the order in which they were over
}

type checkedOut struct {
	cart cart.Owner
	at   time.Time
}

func newRecent() *recent { return &recent{over: map[cart.Owner]time.Time{}} }

// add notes that a checkout of a cart is over.
func (r *recent) add(of cart.Owner, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.line) > 0 && at.Sub(r.line[0].at) > time.Minute {
		if oldest := r.line[0]; r.over[oldest.cart].Equal(oldest.at) { // else it became another order since
			delete(r.over, oldest.cart)
		}
		r.line = r.line[1:]
	}
	r.over[of] = at
	r.line = append(r.line, checkedOut{of, at})
}

// endedAfter reports whether a checkout of a cart was over only after a moment.
func (r *recent) endedAfter(of cart.Owner, moment time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over[of].After(moment)
}
