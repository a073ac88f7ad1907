package app

import (
	"context"
	"time"

	"storefront/internal/bundle"
)

// movesEvery is the interval at which MoveLoop looks for unfinished moves of categories: those of a server
// that was stopped, or of an edit here that was not yet committed when it woke the loop.
const movesEvery = 5 * time.Second

// moves wakes MoveLoop.
type moves struct{ begun chan struct{} }

func newMoves() moves { return moves{make(chan struct{}, 1)} }

// wake makes MoveLoop look for moves at once.
func (m moves) wake() {
	select {
	case m.begun <- struct{}{}:
	default: // it is already awake
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

// FinishMoves finishes moves of categories once, unless another server is doing so.
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
