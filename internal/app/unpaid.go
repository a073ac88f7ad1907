package app

import (
	"context"
	"time"
)

// unpaidEvery is the interval of CancelLoop.
const unpaidEvery = time.Minute

// CancelLoop cancels orders whose payment by a gateway did not come within UnpaidOrderTTL, until ctx is done.
func (a *App) CancelLoop(ctx context.Context) {
	if a.unpaidTTL > 0 {
		every(ctx, unpaidEvery, nil, a.cancelUnpaid)
	}
}

// cancelUnpaid cancels these orders once, unless another server is doing so.
func (a *App) cancelUnpaid(ctx context.Context) {
	unlock, err := a.store.TryLock(ctx, "unpaid orders", "")
	if err == nil && unlock == nil {
		return
	}
	cancelled := 0
	if err == nil {
		defer unlock()
		cancelled, err = a.orders.CancelUnpaid(ctx, a.unpaidTTL)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all orders without payment were cancelled", "error", err)
	}
	if cancelled > 0 {
		a.log.Info("orders without payment were cancelled", "orders", cancelled)
	}
}
