package wire

import "context"

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
