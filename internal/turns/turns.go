// Package turns makes callers within one process wait for one another, by key.
package turns

import (
	"context"
	"sync"
)

// Turns lets some callers of one key work at once; the others wait.
type Turns struct {
	most int // at once
	mu   sync.Mutex
	keys map[string]*queue
}

type queue struct {
	places  chan struct{}
	callers int
}

// New makes turns of which at most `most` are taken at once under one key.
func New(most int) *Turns { return &Turns{most: most, keys: map[string]*queue{}} }

// Take waits for a place under a key, until ctx ends. The caller calls done when it is finished with it.
func (t *Turns) Take(ctx context.Context, key string) (done func(), err error) {
	t.mu.Lock()
	q := t.keys[key]
	if q == nil {
		q = &queue{places: make(chan struct{}, t.most)}
		t.keys[key] = q
	}
	q.callers++
	t.mu.Unlock()

	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if q.callers--; q.callers == 0 {
			delete(t.keys, key)
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
