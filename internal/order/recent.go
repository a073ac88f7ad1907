package order

import (
	"sync"
	"time"

	"storefront/internal/cart"
)

// recent records when checkouts of carts ended in the last minute, which is longer than a request runs: a
// checkout that arrived before that has overlapped, even if it reads the cart only later.
type recent struct {
	mu   sync.Mutex
	over map[cart.Owner]time.Time
	line []checkedOut // in the order in which they ended
}

type checkedOut struct {
	cart cart.Owner
	at   time.Time
}

func newRecent() *recent { return &recent{over: map[cart.Owner]time.Time{}} }

// add records that a checkout of a cart has ended.
func (r *recent) add(of cart.Owner, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.line) > 0 && at.Sub(r.line[0].at) > time.Minute {
		if oldest := r.line[0]; r.over[oldest.cart].Equal(oldest.at) { // else a later one of the cart has ended
			delete(r.over, oldest.cart)
		}
		r.line = r.line[1:]
	}
	r.over[of] = at
	r.line = append(r.line, checkedOut{of, at})
}

// endedAfter reports whether a checkout of a cart ended after a moment.
func (r *recent) endedAfter(of cart.Owner, moment time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over[of].After(moment)
}
