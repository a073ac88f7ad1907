package share

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// ErrGaveWay means that a slot was taken away, as others wanted one and its holder was slow.
var ErrGaveWay = errors.New("share: the slot was given to somebody faster")

// Held is a slot that may be taken away. Its context ends when it is, with ErrGaveWay as the cause.
type Held struct {
	context.Context
	of   *Slots
	by   *waiter
	end  context.CancelCauseFunc
	done atomic.Int64 // bytes
}

// NewYielding returns capacity slots for Begin, of which one client may have mostOfClient, and wait for as many. A slot
// is not taken away before it was held for stays.
func NewYielding(capacity, mostOfClient int, stays time.Duration) *Slots {
	s := NewForClients(capacity, mostOfClient)
	s.stays, s.freed = stays, make(chan struct{})
	return s
}

// Begin takes a slot for work whose speed is up to a client, such as a transfer. If none is free, the slowest of the
// client that has most gives way, and of the tenant that has most. So everybody waits for at most stays, but a client
// that has mostOfClient of more waits until one of these is free. It fails with ErrFull if too many of the client wait,
// or ctx ends while it has mostOfClient; else with the error of ctx when that ends.
func (s *Slots) Begin(ctx context.Context) (*Held, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.arrive(ctx)
	client := w.holder.client
	if client.held+client.waiting >= 2*s.mostOfClient {
		return nil, ErrFull
	}
	w.holder.wait(1)
	defer w.holder.wait(-1)
	for client.held >= s.mostOfClient || s.taken >= s.capacity {
		var matures <-chan time.Time
		if client.held < s.mostOfClient || s.mostOfClient >= s.capacity {
			slowest := s.slowest(time.Now())
			wait := s.stays - time.Since(slowest.by.since)
			if wait <= 0 {
				s.leave(slowest, ErrGaveWay)
				break
			}
			matures = time.After(wait)
		}
		freed := s.freed
		s.mu.Unlock()
		select {
		case <-freed:
		case <-matures:
		case <-ctx.Done():
		}
		s.mu.Lock()
		if ctx.Err() != nil && client.held >= s.mostOfClient {
			return nil, ErrFull
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	w.since = time.Now()
	s.give(w)
	h := &Held{of: s, by: w}
	h.Context, h.end = context.WithCancelCause(context.Background())
	s.held = append(s.held, h)
	return h, nil
}

// slowest returns the slot that is to give way next. Those that were not held for stays yet count as fast.
func (s *Slots) slowest(now time.Time) *Held {
	speed := func(h *Held) float64 {
		if held := now.Sub(h.by.since); held >= s.stays {
			return float64(h.done.Load()) / held.Seconds()
		}
		return math.Inf(1)
	}
	return slices.MinFunc(s.held, func(a, b *Held) int {
		return cmp.Or(cmp.Compare(b.by.holder.client.held, a.by.holder.client.held),
			cmp.Compare(b.by.holder.tenant.held, a.by.holder.tenant.held), cmp.Compare(speed(a), speed(b)))
	})
}

// leave frees a slot, unless that was done.
func (s *Slots) leave(h *Held, why error) {
	i := slices.Index(s.held, h)
	if i < 0 {
		return
	}
	s.held = slices.Delete(s.held, i, i+1)
	s.giveBack(h.by, time.Since(h.by.since))
	h.end(why)
	close(s.freed)
	s.freed = make(chan struct{})
}

// Leave frees the slot, unless it was taken away. A nil *Held stands for work that needs no slot.
func (h *Held) Leave() {
	if h == nil {
		return
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.of.leave(h, context.Canceled)
}

// Did records that so many bytes came or went.
func (h *Held) Did(bytes int) {
	if h != nil {
		h.done.Add(int64(bytes))
	}
}

// GaveWay reports whether the slot was taken away.
func (h *Held) GaveWay() bool { return h != nil && context.Cause(h) == ErrGaveWay }

// Cut calls cut when the slot is taken away, until uncut is called, which waits for a call that has begun.
func (h *Held) Cut(cut func()) (uncut func()) {
	done := make(chan struct{})
	forget := context.AfterFunc(h, func() {
		defer close(done)
		if h.GaveWay() {
			cut()
		}
	})
	return func() {
		if !forget() {
			<-done
		}
	}
}
