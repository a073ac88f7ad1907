// Package lookup finds shops by their domain for many requests at once.
//
// Nearly every request begins with the same question: which shop has this domain, and what is the version of
// its content? Requests that arrive during a query (a look) share the next one, however many they are and
// whichever domains they ask for. A look begins after every request that it answers has arrived, so each
// request sees all changes that any instance or command had committed before. Stored answers are compared
// with that version before they are sent again.
package lookup

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"storefront/internal/platform/goroutine"
)

// Shared looks up values for many callers at once. One look is under way at a time; callers who arrive
// meanwhile share the next one, which one of them runs. Nothing is kept from one look to the next.
type Shared[K cmp.Ordered, V any] struct {
	look  func(ctx context.Context, keys []K) (map[K]V, error)
	limit time.Duration

	mu      sync.Mutex
	next    *look[K, V] // has callers and has not begun; nil: none
	running bool        // a look is under way, or its turn has been given to a caller
}

// look is one look with the callers that wait for it.
type look[K cmp.Ordered, V any] struct {
	keys    []K
	waiting int           // callers
	turn    chan struct{} // receives an element when a caller is to run the look
	done    chan struct{} // closed once found or err is set

	found map[K]V
	err   error
}

// newShared returns a Shared that calls look, and gives each call limit to return. look gets each key once; its
// result omits the keys that it does not find.
func newShared[K cmp.Ordered, V any](limit time.Duration,
	look func(ctx context.Context, keys []K) (map[K]V, error)) *Shared[K, V] {
	return &Shared[K, V]{look: look, limit: limit}
}

// Find looks up keys. The result may also hold other callers' keys, and must not be changed. Find fails with
// the error of the look, or with that of ctx; in that case the look continues for the other callers.
func (s *Shared[K, V]) Find(ctx context.Context, keys ...K) (found map[K]V, err error) {
	l, first := s.join(keys)
	if first {
		runtime.Gosched() // callers that are about to ask can share this look
		s.take(ctx, l)
	}
	for {
		select {
		case <-l.done:
			return l.found, l.err
		case <-l.turn:
			s.take(ctx, l)
		case <-ctx.Done():
			s.leave(l)
			return nil, ctx.Err()
		}
	}
}

// join adds keys to the look that begins next. The first caller must run it, if no look is under way.
func (s *Shared[K, V]) join(keys []K) (l *look[K, V], first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = &look[K, V]{turn: make(chan struct{}, 1), done: make(chan struct{})}
	}
	l = s.next
	l.waiting++
	for _, key := range keys {
		if n := len(l.keys); n == 0 || l.keys[n-1] != key { // most callers ask for the same key
			l.keys = append(l.keys, key)
		}
	}
	first = !s.running
	s.running = true
	return l, first
}

// take runs the next look. For a caller with little time left it runs in a goroutine, so that the others get
// the full time and the caller waits no longer than its own.
func (s *Shared[K, V]) take(ctx context.Context, l *look[K, V]) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < s.limit {
		goroutine.Start("looking up shops", func() { s.run(l) })
		return
	}
	s.run(l)
}

func (s *Shared[K, V]) run(l *look[K, V]) {
	s.begin(l)
	defer s.pass()
	defer close(l.done)
	slices.Sort(l.keys)
	l.keys = slices.Compact(l.keys)
	l.err = errUnfinished
	ctx, stop := context.WithTimeout(context.Background(), s.limit)
	defer stop()
	l.found, l.err = s.look(ctx, l.keys)
}

// errUnfinished is the error of a look that panicked.
var errUnfinished = errors.New("lookup: a look did not come to its end")

// begin closes a look to later callers.
func (s *Shared[K, V]) begin(l *look[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == l { // it has callers
		s.next = nil
	}
}

// pass lets one of the callers of the next look run it.
func (s *Shared[K, V]) pass() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.running = false
		return
	}
	s.next.turn <- struct{}{}
}

// leave removes a caller from a look. A look without callers is not run.
func (s *Shared[K, V]) leave(l *look[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.waiting--
	if l.waiting > 0 || s.next != l {
		return
	}
	s.next = nil
	select {
	case <-l.turn: // nobody is left to use it
		s.running = false
	default:
	}
}
