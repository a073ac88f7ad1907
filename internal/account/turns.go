package account

import (
	"context"
	"sync"
)

// turns lets at most `most` callers of one key work at once; the others wait. Guesses are counted as failures before they
// are known to be any, so without it a customer's own devices could lock each other out by signing in together.
type turns struct {
	most int
	mu   sync.Mutex
	keys map[string]*queue
}

type queue struct {
	places  chan struct{}
	callers int
}

func newTurns(most int) *turns { return &turns{most: most, keys: map[string]*queue{}} }

// take waits for a place under a key. The caller calls done when it is finished with it.
func (t *turns) take(ctx context.Context, key string) (done func(), err error) {
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
