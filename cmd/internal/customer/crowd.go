package customer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/must"
)

// Crowd is a group of customers that act concurrently.
type Crowd struct {
	over, home chan struct{}
	end        sync.Once
	faults     []error
}

// ErrDone ends the steps of a customer without a fault.
var ErrDone = errors.New("done")

// Step is what a customer does again and again. n counts the steps of the customer. An error, by package must,
// ends them.
type Step[T any] func(ctx context.Context, one T, n int)

// Go starts a goroutine for each customer that takes steps, until Stop or an error.
func Go[T any](ctx context.Context, all []T, step Step[T]) *Crowd {
	c := &Crowd{over: make(chan struct{}), home: make(chan struct{}), faults: make([]error, len(all))}
	var busy sync.WaitGroup
	for i, one := range all {
		busy.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				select {
				case <-c.over:
					return
				default:
				}
				if err := must.Run(func() { step(ctx, one, n) }); err != nil {
					if ctx.Err() == nil && !errors.Is(err, ErrDone) {
						c.faults[i] = err
					}
					return
				}
			}
		})
	}
	go func() {
		busy.Wait()
		close(c.home)
	}()
	return c
}

// Ended reports whether all customers have ended.
func (c *Crowd) Ended() bool {
	select {
	case <-c.home:
		return true
	default:
		return false
	}
}

// Stop waits until the current steps have ended, without interrupting them, and returns their errors.
func (c *Crowd) Stop() error {
	c.end.Do(func() { close(c.over) })
	<-c.home
	return errors.Join(c.faults...)
}

// For lets customers take steps for a while. It ends the trial if a step fails.
func For[T any](ctx context.Context, d time.Duration, all []T, step Step[T]) {
	c := Go(ctx, all, step)
	Pause(ctx, d) // an interrupt ends the steps, too
	must.Do(c.Stop())
}

// Times lets customers take the given number of steps in all, or until a step fails.
func Times[T any](ctx context.Context, times int, all []T, step Step[T]) error {
	var taken atomic.Int64
	c := Go(ctx, all, func(ctx context.Context, one T, n int) {
		if taken.Add(1) > int64(times) {
			must.Do(ErrDone)
		}
		if err := must.Run(func() { step(ctx, one, n) }); err != nil {
			taken.Store(int64(times))
			must.Do(err)
		}
	})
	<-c.home
	return errors.Join(c.Stop(), ctx.Err())
}

// Ordering is the step of customers who order.
func Ordering(ctx context.Context, c *Customer, _ int) { c.Order(ctx) }

// Shopping returns a step for customers. Of every of steps, two order, one reads the cart, and the others
// browse.
func Shopping(of int, pause time.Duration) Step[*Customer] {
	return func(ctx context.Context, c *Customer, n int) {
		switch n % of {
		case 0, 1:
			c.Order(ctx)
		case 2:
			c.Own(ctx)
		default:
			c.Browse(ctx)
		}
		Pause(ctx, pause)
	}
}
