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
