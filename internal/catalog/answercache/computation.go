package answercache

import (
	"context"
	"errors"

	"storefront/internal/platform/goroutine"
)

// computation is an answer that is being computed for all requests that wait for it.
type computation struct {
	key     string
	done    chan struct{} // closed at its end
	stop    context.CancelFunc
	waiting int // guarded by Cache.mu

	// Set before its end.
	kept     bool
	panicked any
}

// join returns the running computation of a read, or begins one.
func (c *Cache) join(ctx context.Context, question Asked) (r *computation, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.running[question.Key]; r != nil {
		r.waiting++
		return r, false
	}
	r = &computation{key: question.Key, done: make(chan struct{}), waiting: 1}
	c.running[question.Key] = r
	lasting := r.context(ctx)
	goroutine.Start("computing an answer", func() { c.run(lasting, r, question) })
	return r, true
}

// context returns the context of the computation: that of the first request, except that it lasts when that
// request leaves.
func (r *computation) context(ctx context.Context) context.Context {
	lasting := context.WithoutCancel(ctx)
	if end, ok := ctx.Deadline(); ok {
		lasting, r.stop = context.WithDeadline(lasting, end)
	} else {
		lasting, r.stop = context.WithCancel(lasting)
	}
	return lasting
}

func (c *Cache) run(ctx context.Context, r *computation, question Asked) {
	defer close(r.done)
	defer r.stop()
	defer func() {
		r.panicked = recover()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.forget(r)
	}()
	r.kept = c.compute(ctx, question)
}

// finish waits for the end of a computation that the caller began, and reports whether it came before the caller was
// cancelled. A caller whose deadline passes still gets its result, as the computation has the same deadline.
func (c *Cache) finish(ctx context.Context, r *computation) bool {
	defer c.leave(r)
	over := ctx.Done()
	for {
		select {
		case <-r.done:
			if r.panicked != nil {
				panic(r.panicked)
			}
			return true
		case <-over:
			if errors.Is(ctx.Err(), context.Canceled) {
				return false
			}
			over = nil
		}
	}
}

// wait waits for the end of another request's computation. It reports false if ctx ends first.
func (c *Cache) wait(ctx context.Context, r *computation) bool {
	defer c.leave(r)
	select {
	case <-r.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// leave ends a computation for which no request waits any more.
func (c *Cache) leave(r *computation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.waiting--; r.waiting == 0 {
		c.forget(r)
		r.stop()
	}
}

// forget makes the next request begin a new computation. c.mu is held.
func (c *Cache) forget(r *computation) {
	if c.running[r.key] == r {
		delete(c.running, r.key)
	}
}
