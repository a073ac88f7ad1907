package app

import (
	"context"
	"time"

	"storefront/internal/content/moves"
)

// movesEvery is the interval at which MoveLoop looks for unfinished moves of categories: those of a server
// that was stopped, or of an edit here that was not yet committed when it woke the loop.
const movesEvery = 5 * time.Second

// wake makes MoveLoop look for moves at once.
func wake(moves chan<- struct{}) {
	select {
	case moves <- struct{}{}:
	default: // it is already awake
	}
}

// MoveLoop finishes moves of categories, those of an earlier run first, until ctx is done.
func (a *App) MoveLoop(ctx context.Context) { every(ctx, movesEvery, a.moves, a.FinishMoves) }

// every calls do at once, after each interval and whenever it is woken, until ctx is done.
func every(ctx context.Context, interval time.Duration, woken <-chan struct{}, do func(context.Context)) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		do(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-woken:
		}
	}
}

// FinishMoves finishes moves of categories once, unless another server is doing so.
func (a *App) FinishMoves(ctx context.Context) {
	began := time.Now()
	shops, err := moves.Finish(ctx, a.store)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all records followed their categories to other lists; they will", "error", err)
	}
	if shops > 0 {
		a.log.Info("records followed their categories to other lists", "shops", shops, "duration", time.Since(began))
	}
}

// CancelLoop cancels orders whose payment is overdue, until ctx is done. It waits first, like SweepLoop: payments that
// were marked since a copy was made are unknown to who restores it.
func (a *App) CancelLoop(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(a.firstSweep):
		every(ctx, time.Minute, nil, a.cancelOverdue)
	}
}

// cancelOverdue cancels these orders once, unless another server is doing so.
func (a *App) cancelOverdue(ctx context.Context) {
	unlock, err := a.store.TryLock(ctx, "overdue orders", "")
	if err == nil && unlock == nil {
		return
	}
	cancelled := 0
	if err == nil {
		defer unlock()
		cancelled, err = a.orders.CancelOverdue(ctx)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all orders without payment were cancelled", "error", err)
	}
	if cancelled > 0 {
		a.log.Info("orders without payment were cancelled", "orders", cancelled)
	}
}
