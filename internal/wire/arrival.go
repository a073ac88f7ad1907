package wire

import (
	"context"
	"time"
)

type arrivalKey struct{}

// WithArrival notes when a request arrived.
func WithArrival(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, arrivalKey{}, at)
}

// Arrival returns when the request of a context arrived, and false where that was not noted.
func Arrival(ctx context.Context) (time.Time, bool) {
	at, noted := ctx.Value(arrivalKey{}).(time.Time)
	return at, noted
}
