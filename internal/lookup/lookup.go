// Package lookup finds shops by their domain for many requests at once.
//
// Nearly every request begins with the same question: which shop is behind this domain, and which version has its
// content? Requests that ask while a look at the database is under way share the next look, however many they are
// and whatever they ask for. A look begins after the arrival of every request that it answers, so each sees what
// was committed before it came, by whichever instance or command; that is what answers kept in memory are compared
// with before they are given again.
package lookup

import (
	"context"
	"sync"
	"time"
)

// Shared looks up values for many callers at once. One look is under way at a time; callers who come meanwhile
// share the next one. Nothing is kept from one look to another.
type Shared[K comparable, V any] struct {
	look  func(ctx context.Context, keys []K) (map[K]V, error)
	limit time.Duration

	mu      sync.Mutex
	next    *look[K, V] // has callers and has not begun; nil: none
	running bool        // a goroutine takes one look after the other
}

// look is one look, with all who wait for it.
type look[K comparable, V any] struct {
	keys map[K]struct{}
	done chan struct{} // closed once found or err is set

	found map[K]V
	err   error
}

// NewShared returns a Shared whose looks are calls of look, each with at most limit to answer. look gets each key
// once; what it does not find is not in its result.
func NewShared[K comparable, V any](limit time.Duration,
	look func(ctx context.Context, keys []K) (map[K]V, error)) *Shared[K, V] {
	return &Shared[K, V]{look: look, limit: limit}
}

// Find looks up keys. What is found may hold other callers' keys too, and must not be changed. It fails with the
// error of the look, or with that of ctx, whose end leaves the look to the others.
func (s *Shared[K, V]) Find(ctx context.Context, keys ...K) (found map[K]V, err error) {
	l := s.join(keys)
	select {
	case <-l.done:
		return l.found, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join adds keys to the look that begins next.
func (s *Shared[K, V]) join(keys []K) *look[K, V] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = &look[K, V]{keys: make(map[K]struct{}, len(keys)), done: make(chan struct{})}
	}
	for _, key := range keys {
		s.next.keys[key] = struct{}{}
	}
	if !s.running {
		s.running = true
		go s.run()
	}
	return s.next
}

// run takes one look after the other until nobody waits for one.
func (s *Shared[K, V]) run() {
	for l := s.begin(); l != nil; l = s.begin() {
		s.take(l)
	}
}

// begin takes the look that is next from those who come from now on.
func (s *Shared[K, V]) begin() *look[K, V] {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.next
	s.next = nil
	s.running = l != nil
	return l
}

func (s *Shared[K, V]) take(l *look[K, V]) {
	defer close(l.done)
	keys := make([]K, 0, len(l.keys))
	for key := range l.keys {
		keys = append(keys, key)
	}
	ctx, stop := context.WithTimeout(context.Background(), s.limit)
	defer stop()
	l.found, l.err = s.look(ctx, keys)
}
