package customer

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Crowd is customers who do something at the same time.
type Crowd struct {
	over, home chan struct{}
	end        sync.Once
	faults     []error
}

// ErrDone ends the steps of a customer who has done enough.
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
				if err := step(ctx, one, n); err != nil {
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

// For has customers take steps for a while.
func For[T any](ctx context.Context, d time.Duration, all []T, step func(context.Context, T, int) error) error {
	c := Go(ctx, all, step)
	_ = Wait(ctx, d) // an interrupt ends the steps, too
	return c.Stop()
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
