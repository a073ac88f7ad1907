// Package share divides a fixed number of slots, such as the connections of a database, among those who want
// them, so that one shop or one client cannot keep them from the others.
//
// The server records which client a context belongs to (WithClient), package tenancy which tenant's records
// are read (WithTenant), and package database takes a slot for each statement that reads. The server bounds
// the requests that run at once in the same way.
//
// A party that is alone may use all slots. As soon as another one wants some, each has at most half of them,
// or an eighth if it holds them long, and all that hold them long share a part of the slots: so most slots,
// and most processors behind them, stay free for short requests. Waiters are served in the order of their
// arrival, but a part of the time for which their client and tenant have recently held slots is added to the
// time of arrival. So heavy users wait behind light ones, and no request waits long behind many new clients.
package share

import (
	"container/list"
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	activeTime = time.Second           // a party is active for this long after it last wanted a slot
	longTime   = 50 * time.Millisecond // to hold a slot this long is long
	usageHalf  = 2 * time.Second       // after this time what a party used counts half
	keptTime   = 5 * time.Second       // a party is remembered for this long after it last wanted a slot
)

type (
	clientKey struct{}
	tenantKey struct{}
)

// WithClient returns a context whose work counts for the client with an address.
func WithClient(ctx context.Context, addr netip.Addr) context.Context {
	return context.WithValue(ctx, clientKey{}, Client(addr))
}

// Client returns the address that identifies a client: an IPv6 network of 64 bits counts as one.
func Client(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		network, _ := addr.Prefix(64) // fails if the address has fewer bits
		return network.Addr()
	}
	return addr
}

// WithTenant returns a context whose work counts for a tenant.
func WithTenant(ctx context.Context, tenant uuid.UUID) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// Counts reports whether work counts for a tenant or a client. The work of commands does not.
func Counts(ctx context.Context) bool {
	return ctx.Value(tenantKey{}) != nil || ctx.Value(clientKey{}) != nil
}

// Slots is a number of slots. Its methods may be called by several goroutines at once.
type Slots struct {
	capacity, mostLong int

	mu      sync.Mutex
	taken   int
	long    int // of taken: held by parties that hold them long
	tenants parties
	clients parties
	flows   map[flowKey]*flow // those with waiters
	turns   list.List         // *flow: the next one to serve is first
}

// New returns capacity slots, of which parties that hold them long may have mostLong, at least 1, while
// others want some.
func New(capacity, mostLong int) *Slots {
	return &Slots{
		capacity: capacity, mostLong: mostLong, flows: map[flowKey]*flow{},
		tenants: parties{byKey: map[any]*party{}}, clients: parties{byKey: map[any]*party{}},
	}
}

// flowKey names the requests of one client for one tenant. Either may be unknown (nil), and then has no share.
type flowKey struct{ tenant, client any }

// flow is the waiters of a flowKey, the first to be served first.
type flow struct {
	key     flowKey
	waiters list.List // *waiter
}

type waiter struct {
	holder  holder
	granted chan struct{}
	since   time.Time
	long    bool // whether the slot granted counts as one that is held long
}

// holder is the parties that a slot counts for, as far as they are known.
type holder struct{ tenant, client *party }

func (h holder) holdsLong() bool { return h.tenant.holdsLong() || h.client.holdsLong() }

// used returns how much longer a waiter waits because of the recent usage of its parties, in whole
// milliseconds. It is only a part of the usage: beside a flood from hundreds of new addresses, a customer
// would otherwise wait for as long as all their own requests took. All clients of a tenant together count
// less than the client.
func (h holder) used(now time.Time) time.Duration {
	return time.Duration(1000*(h.client.used(now)/4+h.tenant.used(now)/8)) * time.Millisecond
}

// TakeAtOnce takes a slot if one is free, and reports whether it did. It never waits.
func (s *Slots) TakeAtOnce(ctx context.Context) (release func(), ok bool) {
	key := flowKey{tenant: ctx.Value(tenantKey{}), client: ctx.Value(clientKey{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	h := holder{tenant: s.tenants.want(key.tenant, now), client: s.clients.want(key.client, now)}
	if !s.isFree(key, h, now) {
		h.tenant.wanted(-1)
		h.client.wanted(-1)
		return nil, false
	}
	return s.releaser(h, now, s.give(h)), true
}

// Take waits for a slot until ctx ends; a free slot is taken even if ctx has ended. release frees the slot;
// it may be called twice.
func (s *Slots) Take(ctx context.Context) (release func(), err error) {
	key := flowKey{tenant: ctx.Value(tenantKey{}), client: ctx.Value(clientKey{})}
	s.mu.Lock()
	now := time.Now()
	h := holder{tenant: s.tenants.want(key.tenant, now), client: s.clients.want(key.client, now)}
	if s.isFree(key, h, now) {
		long := s.give(h)
		s.mu.Unlock()
		return s.releaser(h, now, long), nil
	}
	w := &waiter{holder: h, granted: make(chan struct{}), since: now}
	s.enqueue(key, w)
	s.mu.Unlock()
	select {
	case <-w.granted:
		return s.releaser(h, time.Now(), w.long), nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.forget(key, w) { // it was granted meanwhile
		s.giveBack(h, 0, w.long)
	} else {
		h.tenant.wanted(-1)
		h.client.wanted(-1)
	}
	return nil, ctx.Err()
}

func (s *Slots) releaser(h holder, began time.Time, long bool) func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.giveBack(h, time.Since(began), long)
	})
}

// isFree reports whether a slot is free for a holder, and no request of the same client for the same tenant waits.
func (s *Slots) isFree(key flowKey, h holder, now time.Time) bool {
	return s.flows[key] == nil && s.taken < s.capacity && s.mayTake(h, now)
}

// mayTake reports whether the shares of the parties leave room for one slot more.
func (s *Slots) mayTake(h holder, now time.Time) bool {
	if s.long >= s.mostLong && h.holdsLong() &&
		(s.tenants.contended(h.tenant, now) || s.clients.contended(h.client, now)) {
		return false
	}
	return s.tenants.mayTake(h.tenant, s.capacity, now) && s.clients.mayTake(h.client, s.capacity, now)
}

// give gives a slot to a holder, and reports whether it counts as one that is held long.
func (s *Slots) give(h holder) (long bool) {
	s.taken++
	if long = h.holdsLong(); long {
		s.long++
	}
	h.tenant.took()
	h.client.took()
	return long
}

// giveBack frees a slot that was held for a time, and serves waiters.
func (s *Slots) giveBack(h holder, held time.Duration, long bool) {
	s.taken--
	if long {
		s.long--
	}
	now := time.Now()
	h.tenant.gave(held, now)
	h.client.gave(held, now)
	for s.taken < s.capacity && s.serveNext(now) {
	}
}

// serveNext gives a slot to the next waiter that its share allows one; it reports false if there is none.
func (s *Slots) serveNext(now time.Time) bool {
	var next *list.Element
	var first time.Time
	for turn := s.turns.Front(); turn != nil; turn = turn.Next() {
		w := turn.Value.(*flow).waiters.Front().Value.(*waiter)
		if at := w.since.Add(w.holder.used(now)); (next == nil || at.Before(first)) && s.mayTake(w.holder, now) {
			next, first = turn, at
		}
	}
	if next == nil {
		return false
	}
	f := next.Value.(*flow)
	w := f.waiters.Remove(f.waiters.Front()).(*waiter)
	if f.waiters.Len() == 0 {
		s.turns.Remove(next)
		delete(s.flows, f.key)
	} else {
		s.turns.MoveToBack(next)
	}
	w.long = s.give(w.holder)
	close(w.granted)
	return true
}

func (s *Slots) enqueue(key flowKey, w *waiter) {
	f := s.flows[key]
	if f == nil {
		f = &flow{key: key}
		s.flows[key] = f
		s.turns.PushBack(f)
	}
	f.waiters.PushBack(w)
}

// forget removes a waiter from its flow; it reports false if the waiter is not waiting any more.
func (s *Slots) forget(key flowKey, w *waiter) bool {
	f := s.flows[key]
	if f == nil {
		return false
	}
	for e := f.waiters.Front(); e != nil; e = e.Next() {
		if e.Value == w {
			f.waiters.Remove(e)
			if f.waiters.Len() == 0 {
				delete(s.flows, key)
				for turn := s.turns.Front(); turn != nil; turn = turn.Next() {
					if turn.Value == f {
						s.turns.Remove(turn)
						break
					}
				}
			}
			return true
		}
	}
	return false
}
