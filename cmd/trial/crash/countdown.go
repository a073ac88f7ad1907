package crash

import (
	"context"
	"sync/atomic"
)

// countdown is over after so many answers.
type countdown struct {
	left atomic.Int64
	over chan struct{}
}

func newCountdown(answers int64) *countdown {
	c := &countdown{over: make(chan struct{})}
	c.left.Store(answers)
	return c
}

// tick counts an answer.
func (c *countdown) tick() {
	if c.left.Add(-1) == 0 {
		close(c.over)
	}
}

// wait waits until it is over, or until nobody ticks any more.
func (c *countdown) wait(ctx context.Context, nobody <-chan struct{}) error {
	select {
	case <-c.over:
		return nil
	case <-nobody:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
