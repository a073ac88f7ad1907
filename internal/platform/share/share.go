// Package share divides a fixed number of slots, such as the connections of a database, among those who want
// them, so that one shop or one client cannot keep them from the others.
//
// The server records which client a context belongs to (Request.Client), package tenancy which tenant's records are
// read (Request.Tenant), and package database takes a slot for each statement that reads. The server bounds the
// requests that run at once in the same way.
//
// A party that is alone may use all slots. As soon as another one wants some, each has at most half of them,
// or an eighth if it holds them long, and all that hold them long share a part of the slots: so most slots,
// and most processors behind them, stay free for short requests. Waiters are served in the order of their
// arrival, but a part of the time for which their client and tenant have recently held slots is added to the
// time of arrival. So heavy users wait behind light ones, and no request waits long behind many new clients.
//
// For slots with a bounded line (NewBounded) clients take turns, and when too many wait, the newest waiter of the
// client with the most is refused. A flood from thousands of clients is held back where the caller recognizes
// those it knows (Client.Known): all others, strangers, have only a part of the slots, wait behind known
// clients, and lose their places in the line to them.
//
// Slots whose holders may be arbitrarily slow (NewYielding) have no line: a newcomer takes the slot of the slowest
// holder of the party that holds the most.
package share

import (
	"container/list"
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"storefront/internal/request"

	"github.com/google/uuid"
)

const (
	activeTime = time.Second           // a party is active for this long after it last wanted a slot
	longTime   = 50 * time.Millisecond // to hold a slot this long is long
	usageHalf  = 2 * time.Second       // after this time what a party used counts half
	keptTime   = 5 * time.Second       // a party is remembered for this long after it last wanted a slot
	headStart  = 2 * time.Second       // known clients are served as if they had arrived this much earlier
)

// ErrFull means that too many wait for a slot already.
var ErrFull = errors.New("share: too many are waiting")

// Counts reports whether work counts for a tenant or a client. The work of commands does not.
func Counts(ctx context.Context) bool {
	r := request.Of(ctx)
	return r.Tenant != uuid.Nil || r.Client != request.Client{}
}

// Slots is a number of slots. Its methods may be called by several goroutines at once.
type Slots struct {
	capacity, mostLong, mostOfClient, mostStrangers, mostWaiting int

	mu        sync.Mutex
	taken     int
	long      int // of taken: held by parties that hold them long
	strangers int // of taken: held by strangers
	waiting   int
	tenants   parties
	clients   parties
	flows     map[flowKey]*flow // those with waiters
	turns     list.List         // *flow: the next one to serve is first

	stays time.Duration // before a slot of held is taken away
	held  []*Held       // by Begin
	freed chan struct{} // closed when one of held is freed
}

// New returns capacity slots, of which parties that hold them long may have mostLong, at least 1, while
// others want some.
func New(capacity, mostLong int) *Slots {
	return &Slots{
		capacity: capacity, mostLong: mostLong, mostOfClient: capacity, mostStrangers: capacity,
		mostWaiting: math.MaxInt,
		flows:       map[flowKey]*flow{},
		tenants:     parties{byKey: map[any]*party{}}, clients: parties{byKey: map[any]*party{}},
	}
}

// NewForClients returns capacity slots, of which one client may have at most mostOfClient, even if others are free.
func NewForClients(capacity, mostOfClient int) *Slots {
	s := New(capacity, capacity)
	s.mostOfClient = mostOfClient
	return s
}

// NewBounded returns capacity slots for which at most mostWaiting wait, and of which strangers may have
// mostStrangers. Known clients may have all.
func NewBounded(capacity, mostStrangers, mostWaiting int) *Slots {
	s := New(capacity, capacity)
	s.mostStrangers, s.mostWaiting = mostStrangers, mostWaiting
	return s
}

// flowKey names the requests of one client for one tenant. Either may be unknown (nil), and then has no share.
type flowKey struct{ tenant, client any }

// flow is the waiters of a flowKey, the first to be served first.
type flow struct {
	waiters list.List     // *waiter
	turn    *list.Element // in Slots.turns
}

// waiter waits for a slot or, later, has it.
type waiter struct {
	key     flowKey
	holder  holder
	since   time.Time     // when it arrived or, later, got the slot
	long    bool          // whether its slot counts as one that is held long
	waits   *list.Element // in its flow; nil once it waits no more
	decided chan struct{} // closed when it has a slot or is refused
	full    bool          // it is refused
}

// holder is the parties that a slot counts for, as far as they are known.
type holder struct {
	tenant, client *party
	stranger       bool
}

// wait counts waiters of its parties.
func (h holder) wait(more int) {
	h.tenant.waiting += more
	h.client.waiting += more
}

func (h holder) holdsLong() bool { return h.tenant.holdsLong() || h.client.holdsLong() }

// used returns how much longer a waiter waits because of the recent usage of its parties, in whole
// milliseconds, less the head start of a known client. It is only a part of the usage: beside a flood from
// hundreds of new addresses, a customer would otherwise wait for as long as all their own requests took. All
// clients of a tenant together count less than the client.
func (h holder) used(now time.Time) time.Duration {
	used := time.Duration(1000*(h.client.used(now)/4+h.tenant.used(now)/8)) * time.Millisecond
	if !h.stranger {
		used -= headStart
	}
	return used
}

// TakeAtOnce takes a slot if one is free, and reports whether it did. It never waits.
func (s *Slots) TakeAtOnce(ctx context.Context) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.arrive(ctx)
	if !s.isFree(w) {
		return nil, false
	}
	s.give(w)
	return s.releaser(w), true
}

// Take waits for a slot until ctx ends; a free slot is taken even if ctx has ended. It fails with ErrFull when
// too many wait. release frees the slot; it may be called twice.
func (s *Slots) Take(ctx context.Context) (release func(), err error) {
	s.mu.Lock()
	w := s.arrive(ctx)
	if s.isFree(w) {
		s.give(w)
		s.mu.Unlock()
		return s.releaser(w), nil
	}
	s.enqueue(w)
	if s.waiting > s.mostWaiting {
		s.displace()
	}
	s.mu.Unlock()
	select {
	case <-w.decided:
		if w.full {
			return nil, ErrFull
		}
		w.since = time.Now()
		return s.releaser(w), nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.waits != nil {
		s.remove(w)
	} else if !w.full { // it was granted meanwhile
		s.giveBack(w, 0)
	}
	return nil, ctx.Err()
}

// arrive returns a waiter that does not wait yet.
func (s *Slots) arrive(ctx context.Context) *waiter {
	r, key := request.Of(ctx), flowKey{}
	if r.Tenant != uuid.Nil {
		key.tenant = r.Tenant
	}
	if r.Client != (request.Client{}) {
		key.client = r.Client
	}
	now := time.Now()
	h := holder{s.tenants.want(key.tenant, now), s.clients.want(key.client, now), !r.Client.Known}
	return &waiter{key: key, holder: h, since: now}
}

func (s *Slots) releaser(w *waiter) func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.giveBack(w, time.Since(w.since))
	})
}

// isFree reports whether a slot is free for one who has just arrived, and no request of the same client for
// the same tenant waits.
func (s *Slots) isFree(w *waiter) bool {
	return s.flows[w.key] == nil && s.taken < s.capacity && s.mayTake(w.holder, w.since)
}

// mayTake reports whether the shares of the parties and of strangers leave room for one slot more.
func (s *Slots) mayTake(h holder, now time.Time) bool {
	if !h.stranger {
		return true
	}
	if s.strangers >= s.mostStrangers || h.client.held >= s.mostOfClient || s.long >= s.mostLong && h.holdsLong() &&
		(s.tenants.contended(h.tenant, now) || s.clients.contended(h.client, now)) {
		return false
	}
	return s.tenants.mayTake(h.tenant, s.capacity, now) && s.clients.mayTake(h.client, s.capacity, now)
}

func (s *Slots) give(w *waiter) {
	w.long = w.holder.holdsLong()
	s.count(w, 1)
	w.holder.tenant.held++
	w.holder.client.held++
}

func (s *Slots) count(w *waiter, more int) {
	s.taken += more
	if w.long {
		s.long += more
	}
	if w.holder.stranger {
		s.strangers += more
	}
}

// giveBack frees a slot that was held for a time, and serves waiters.
func (s *Slots) giveBack(w *waiter, held time.Duration) {
	s.count(w, -1)
	now := time.Now()
	w.holder.tenant.gave(held, now)
	w.holder.client.gave(held, now)
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
	served := next.Value.(*flow).waiters.Front()
	if behind := served.Next(); behind != nil && s.mostWaiting < math.MaxInt {
		behind.Value.(*waiter).since = now // its client has had a turn
	}
	w := served.Value.(*waiter)
	s.turns.MoveToBack(next)
	s.remove(w)
	s.give(w)
	close(w.decided)
	return true
}

func (s *Slots) enqueue(w *waiter) {
	f := s.flows[w.key]
	if f == nil {
		f = &flow{}
		f.turn = s.turns.PushBack(f)
		s.flows[w.key] = f
	}
	w.decided = make(chan struct{})
	w.waits = f.waiters.PushBack(w)
	s.waiting++
	w.holder.wait(1)
}

func (s *Slots) remove(w *waiter) {
	f := s.flows[w.key]
	f.waiters.Remove(w.waits)
	if f.waiters.Len() == 0 {
		s.turns.Remove(f.turn)
		delete(s.flows, w.key)
	}
	w.waits = nil
	s.waiting--
	w.holder.wait(-1)
}

// displace refuses the newest waiter of the longest flow, which is one of strangers if there is any. Of equally
// long flows it takes the one whose turn is last.
func (s *Slots) displace() {
	var newest *waiter
	longest := 0
	for turn := s.turns.Front(); turn != nil; turn = turn.Next() {
		f := turn.Value.(*flow)
		w, length := f.waiters.Back().Value.(*waiter), f.waiters.Len()
		if w.holder.stranger {
			length += s.mostWaiting // no known client's is longer
		}
		if length >= longest {
			newest, longest = w, length
		}
	}
	s.remove(newest)
	newest.full = true
	close(newest.decided)
}

// Stats is the state of the slots at a moment.
type Stats struct {
	Capacity, Taken int
	Long            int // of those taken: held by parties that hold them long
	Waiting         int // for a slot
	OfOneTenant     int // held by the tenant that has the most
}

// Stats returns how the slots are taken now.
func (s *Slots) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := Stats{Capacity: s.capacity, Taken: s.taken, Long: s.long, Waiting: s.waiting}
	for p := s.tenants.recent.Front(); p != nil; p = p.Next() {
		stats.OfOneTenant = max(stats.OfOneTenant, p.Value.(*party).held)
	}
	return stats
}

// ShareOf returns how many slots one party may have while others want some, and how many if it holds them
// long.
func (s *Slots) ShareOf() (most, mostLong int) { return shareOf(s.capacity) }
