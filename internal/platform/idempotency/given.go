package idempotency

import (
	"context"
	"sync/atomic"
)

// Given is the key of a request that its handler itself makes idempotent. Messages of partners need this: an
// SMS cannot be undone with a transaction.
type Given struct {
	Key string

	replayed atomic.Bool
}

// Replay records that the answer is that of an earlier request.
func (g *Given) Replay() { g.replayed.Store(true) }

// Replayed reports whether the answer is that of an earlier request.
func (g *Given) Replayed() bool { return g.replayed.Load() }

type givenKey struct{}

// WithGiven returns a context that carries a key.
func WithGiven(ctx context.Context, g *Given) context.Context {
	return context.WithValue(ctx, givenKey{}, g)
}

// GivenOf returns the key of a context. If there is none, its Key is empty.
func GivenOf(ctx context.Context) *Given {
	if g, ok := ctx.Value(givenKey{}).(*Given); ok {
		return g
	}
	return new(Given)
}
