package wire

import "context"

type stoppingKey struct{}

// WithStopping returns a context that knows when the server begins to stop.
func WithStopping(ctx context.Context, begins <-chan struct{}) context.Context {
	return context.WithValue(ctx, stoppingKey{}, begins)
}

// Stopping returns a channel that is closed when the server begins to stop, for answers that go on for long; nil where
// that is not known.
func Stopping(ctx context.Context) <-chan struct{} {
	begins, _ := ctx.Value(stoppingKey{}).(<-chan struct{})
	return begins
}
