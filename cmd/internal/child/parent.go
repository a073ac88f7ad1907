package child

import (
	"context"
	"os"
	"time"
)

// withParent returns a context that ends when the parent process does: `go run` passes no SIGTERM on, and a
// server must not outlive the run it belongs to.
func withParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		look := time.NewTicker(time.Second)
		defer look.Stop()
		for os.Getppid() == parent {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
		}
		cancel()
	}()
	return ctx, cancel
}
