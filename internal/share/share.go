// Package share divides a fixed number of slots, such as the connections of a database, between those who want them,
// so that one shop or one client cannot keep them from the others.
//
// The server says whose request a context belongs to (WithClient), package tenancy whose records are read
// (WithTenant), and package database takes a slot for each statement that reads. The server bounds the requests that
// run at once in the same way.
//
// A party that is alone may use all slots. As soon as another wants some too, each has at most half of them, and
// an eighth if it holds them long: then most slots, and most of the processors behind them, are free for requests
// that come and go. Those that have to wait are served in turn, one of each tenant and client after the other.
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
)

type (
	clientKey struct{}
	tenantKey struct{}
)

// WithClient returns a context whose work counts for the client with an address.
func WithClient(ctx context.Context, addr netip.Addr) context.Context {
	return context.WithValue(ctx, clientKey{}, Client(addr))
}

// Client returns the address that stands for a client: an IPv6 network of 64 bits counts as one.
func Client(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		network, _ := addr.Prefix(64) // fails for more bits than an address has alone
		return network.Addr()
	}
	return addr
}

// WithTenant returns a context whose work counts for a tenant.
func WithTenant(ctx context.Context, tenant uuid.UUID) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// Counts reports whether work counts for a tenant or a client. That of commands counts for nobody.
func Counts(ctx context.Context) bool {
	return ctx.Value(tenantKey{}) != nil || ctx.Value(clientKey{}) != nil
}

// Slots is a number of slots. Its methods may be called by several goroutines at once.
type Slots struct {
	capacity int

	mu      sync.Mutex
	taken   int
	tenants parties
	clients parties
	flows   map[flowKey]*flow // that have waiters
	turns   list.List         // *flow: the next to be served is first
}

// New returns slots of which capacity may be taken at once.
func New(capacity int) *Slots {
	return &Slots{
		capacity: capacity, flows: map[flowKey]*flow{},
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
}

// holder is the parties that a slot counts for; nil where none is known.
type holder struct{ tenant, client *party }

// Take waits for a slot until ctx ends; one that is free is taken whatever ctx says. The slot is free again once
// release is called, which may happen twice.
func (s *Slots) Take(ctx context.Context) (release func(), err error) {
	key := flowKey{tenant: ctx.Value(tenantKey{}), client: ctx.Value(clientKey{})}
	s.mu.Lock()
	now := time.Now()
	h := holder{tenant: s.tenants.want(key.tenant, now), client: s.clients.want(key.client, now)}
	if s.flows[key] == nil && s.taken < s.capacity && s.mayTake(h, now) {
		s.give(h)
		s.mu.Unlock()
		return s.releaser(h, now), nil
	}
	w := &waiter{holder: h, granted: make(chan struct{})}
	s.enqueue(key, w)
	s.mu.Unlock()
	select {
	case <-w.granted:
		return s.releaser(h, time.Now()), nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.forget(key, w) { // it was granted meanwhile
		s.giveBack(h, 0)
	} else {
		h.tenant.wanted(-1)
		h.client.wanted(-1)
	}
	return nil, ctx.Err()
}

func (s *Slots) releaser(h holder, began time.Time) func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.giveBack(h, time.Since(began))
	})
}

// mayTake reports whether the shares of the parties leave room for one slot more.
func (s *Slots) mayTake(h holder, now time.Time) bool {
	return s.tenants.mayTake(h.tenant, s.capacity, now) && s.clients.mayTake(h.client, s.capacity, now)
}

func (s *Slots) give(h holder) {
	s.taken++
	h.tenant.took()
	h.client.took()
}

// giveBack frees a slot that was held for a time, and gives free slots to those whose turn it is.
func (s *Slots) giveBack(h holder, held time.Duration) {
	s.taken--
	h.tenant.gave(held)
	h.client.gave(held)
	s.serve(time.Now())
}

// serve gives free slots to waiters: to one of each flow in turn, as far as the shares allow.
func (s *Slots) serve(now time.Time) {
	for next := s.turns.Front(); next != nil && s.taken < s.capacity; {
		f := next.Value.(*flow)
		first := f.waiters.Front()
		w := first.Value.(*waiter)
		if !s.mayTake(w.holder, now) {
			next = next.Next()
			continue
		}
		f.waiters.Remove(first)
		if f.waiters.Len() == 0 {
			s.turns.Remove(next)
			delete(s.flows, f.key)
		} else {
			s.turns.MoveToBack(next)
		}
		s.give(w.holder)
		close(w.granted)
		next = s.turns.Front()
	}
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

// forget takes a waiter out of its flow; false where it does not wait any more.
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
