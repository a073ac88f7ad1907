package wire

import (
	"context"
	"time"
)

type arrivalKey struct{}

type arrival struct{ at, own time.Time }

// WithArrival returns a context with the time at which its request arrived, some time ago.
func WithArrival(ctx context.Context, at time.Time, ago time.Duration) context.Context {
	return context.WithValue(ctx, arrivalKey{}, arrival{at, time.Now().Add(-ago)})
}

// Arrival returns when the request of a context arrived: by the clock that requests see, and by that of the process.
// It reports false if that is not known.
func Arrival(ctx context.Context) (at, own time.Time, noted bool) {
	a, noted := ctx.Value(arrivalKey{}).(arrival)
	return a.at, a.own, noted
}

type stoppingKey struct{}

// WithStopping returns a context that carries a channel which is closed when the server begins to stop.
func WithStopping(ctx context.Context, begins <-chan struct{}) context.Context {
	return context.WithValue(ctx, stoppingKey{}, begins)
}

// Stopping returns the channel of WithStopping, or nil. Long answers end when it is closed.
func Stopping(ctx context.Context) <-chan struct{} {
	begins, _ := ctx.Value(stoppingKey{}).(<-chan struct{})
	return begins
}
