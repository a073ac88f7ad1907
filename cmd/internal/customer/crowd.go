package customer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/must"
)

// Crowd is customers who do something at the same time.
type Crowd struct {
	over, home chan struct{}
	end        sync.Once
	faults     []error
}

// ErrDone ends the steps of a customer without a fault.
var ErrDone = errors.New("done")

// Go has each of some customers take one step after another, until Stop or an error; n counts the steps of each.
func Go[T any](ctx context.Context, all []T, step func(ctx context.Context, one T, n int) error) *Crowd {
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
				if err := must.Run(func() { must.Do(step(ctx, one, n)) }); err != nil {
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

// Home is closed when no customer takes steps any more.
func (c *Crowd) Home() <-chan struct{} { return c.home }

// Stop waits for the steps that are being taken, none of which is cut off, and returns what went wrong.
func (c *Crowd) Stop() error {
	c.end.Do(func() { close(c.over) })
	<-c.home
	return errors.Join(c.faults...)
}

// For has customers take steps for a while, and ends the trial where one goes wrong.
func For[T any](ctx context.Context, d time.Duration, all []T, step func(context.Context, T, int) error) {
	c := Go(ctx, all, step)
	_ = Wait(ctx, d) // an interrupt ends the steps, too
	must.Do(c.Stop())
}

// Times has customers take so many steps together, or until one goes wrong.
func Times[T any](ctx context.Context, times int, all []T, step func(context.Context, T, int) error) error {
	var taken atomic.Int64
	c := Go(ctx, all, func(ctx context.Context, one T, n int) error {
		if taken.Add(1) > int64(times) {
			return ErrDone
		}
		err := must.Run(func() { must.Do(step(ctx, one, n)) })
		if err != nil {
			taken.Store(int64(times))
		}
		return err
	})
	<-c.home
	return errors.Join(c.Stop(), ctx.Err())
}

// Ordering is the step of customers who order.
func Ordering(ctx context.Context, c *Customer, _ int) error {
	c.Order(ctx)
	return nil
}

// Browsing is the step of visitors.
func Browsing(ctx context.Context, c *Customer, _ int) error {
	c.Browse(ctx)
	return nil
}

// Shopping is the step of customers who of so many times order twice, look at their cart once, and browse.
func Shopping(of int, pause time.Duration) func(context.Context, *Customer, int) error {
	return func(ctx context.Context, c *Customer, n int) error {
		switch n % of {
		case 0, 1:
			c.Order(ctx)
		case 2:
			c.Own(ctx)
		default:
			c.Browse(ctx)
		}
		return Wait(ctx, pause)
	}
}
