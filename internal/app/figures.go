package app

import (
	"context"
	"time"
)

// keepEvery is the interval of KeepLoop.
const keepEvery = time.Minute

// KeepLoop adds up the orders of days that are over, for reports, until ctx is done.
func (a *App) KeepLoop(ctx context.Context) {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		a.KeepFigures(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// KeepFigures adds up the orders of days that are over, once, unless another server is doing so.
func (a *App) KeepFigures(ctx context.Context) {
	unlock, err := a.store.TryLock(ctx, "order days", "")
	if err == nil && unlock == nil {
		return
	}
	kept, began := 0, time.Now()
	if err == nil {
		defer unlock()
		kept, err = a.reports.Keep(ctx)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all days with orders were added up; reports read these orders", "error", err)
	}
	if took := time.Since(began); took > keepEvery/10 {
		a.log.Info("days with orders were added up", "days", kept, "duration", took)
	}
}
