package wire

import (
	"context"
	"time"
)

type arrivalKey struct{}

// WithArrival returns a context with the time at which its request arrived.
func WithArrival(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, arrivalKey{}, at)
}

// Arrival returns when the request of a context arrived; it reports false if that is not known.
func Arrival(ctx context.Context) (time.Time, bool) {
	at, noted := ctx.Value(arrivalKey{}).(time.Time)
	return at, noted
}
