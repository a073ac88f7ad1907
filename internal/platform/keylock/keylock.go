// Package keylock makes callers within one process wait for one another, by key. It holds no lock in
// the database: internal/customer/account uses it so that few passwords of one cell are compared at once, and
// internal/platform/idempotency so that requests with one Idempotency-Key run one after another.
package keylock

import (
	"context"
	"sync"
)

// Locks lets a fixed number of callers hold one key at once; the others wait.
type Locks struct {
	holders int // of one key, at once
	mu      sync.Mutex
	queues  map[string]*queue
}

// queue is the callers of one key. It is removed when the last of them leaves.
type queue struct {
	places  chan struct{} // one element for each holder
	callers int           // that hold the key or wait for it
}

// New makes locks that let up to holders callers hold one key at once.
func New(holders int) *Locks { return &Locks{holders: holders, queues: map[string]*queue{}} }

// Lock waits until ctx ends for one of the places of a key. The caller must call unlock when it is done.
func (l *Locks) Lock(ctx context.Context, key string) (unlock func(), err error) {
	l.mu.Lock()
	q := l.queues[key]
	if q == nil {
		q = &queue{places: make(chan struct{}, l.holders)}
		l.queues[key] = q
	}
	q.callers++
	l.mu.Unlock()

	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if q.callers--; q.callers == 0 {
			delete(l.queues, key)
		}
	}
	select {
	case q.places <- struct{}{}:
		return func() { <-q.places; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
