// Package goroutine starts the goroutines that run beside requests. A panic in one would otherwise end the
// process with all its requests: here it is logged with its stack and counted, and only its own work ends.
// The rest of the service starts its goroutines here (internal/checks/goroutines_test.go).
package goroutine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

var panics atomic.Int64

// Panics returns how many panics there were in goroutines of this package.
func Panics() int64 { return panics.Load() }

// Start runs f in a goroutine. work names it in the log.
func Start(work string, f func()) {
	go run(work, f)
}

// run calls f, and reports whether f returned without a panic.
func run(work string, f func()) (ended bool) {
	defer func() {
		if cause := recover(); cause != nil {
			panics.Add(1)
			slog.Error("panic", "work", work, "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
		}
	}()
	f()
	return true
}

// pause is how long Keep waits after a panic before it starts the work again.
const pause = time.Second

// Keep runs f in a goroutine, and again a second after each panic, until f returns or ctx is done. Then it
// closes over.
func Keep(ctx context.Context, work string, f func(context.Context)) (over <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !run(work, func() { f(ctx) }) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
	}()
	return done
}

// Group is a set of goroutines that one caller waits for.
type Group struct{ running sync.WaitGroup }

// Start runs f in a goroutine of the group.
func (g *Group) Start(work string, f func()) {
	g.running.Go(func() { run(work, f) })
}

// Wait waits until all goroutines of the group have ended.
func (g *Group) Wait() { g.running.Wait() }
