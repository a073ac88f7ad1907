package app

import (
	"context"
	"time"

	"storefront/internal/bundle"
)

// movesEvery is the time between two looks for categories whose records are to follow them to other lists: a
// move that a server began which was stopped, or that an edit began here before it was committed.
const movesEvery = 5 * time.Second

// moves finishes the moves of categories.
type moves struct{ begun chan struct{} }

func newMoves() moves { return moves{make(chan struct{}, 1)} }

// wake makes MoveLoop look at once.
func (m moves) wake() {
	select {
	case m.begun <- struct{}{}:
	default: // it will
	}
}

// MoveLoop finishes moves of categories, those of an earlier run first, until ctx is done.
func (a *App) MoveLoop(ctx context.Context) {
	tick := time.NewTicker(movesEvery)
	defer tick.Stop()
	for {
		a.FinishMoves(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-a.moves.begun:
		}
	}
}

// FinishMoves does what MoveLoop does, once, unless another server is doing so.
func (a *App) FinishMoves(ctx context.Context) {
	began := time.Now()
	shops, err := bundle.FinishMoves(ctx, a.store)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all records followed their categories to other lists; they will", "error", err)
	}
	if shops > 0 {
		a.log.Info("records followed their categories to other lists", "shops", shops, "duration", time.Since(began))
	}
}
