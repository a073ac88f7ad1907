package share

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"
)

// ErrGaveWay means that a slot was taken away from a slow holder because others were waiting.
var ErrGaveWay = errors.New("share: the slot was given to somebody faster")

// Held is a slot that may be taken away. Its context ends when it is, with ErrGaveWay as the cause.
type Held struct {
	context.Context
	of   *Slots
	by   *waiter
	end  context.CancelCauseFunc
	done float64   // bytes, with the half-life of halving
	at   time.Time // of done
	came bool      // all has been transferred
}

// NewYielding returns capacity slots for Begin. One client may hold mostOfClient of them, and as many of its requests
// may wait. A slot is not taken away until it has been held for stays.
func NewYielding(capacity, mostOfClient int, stays time.Duration) *Slots {
	s := NewForClients(capacity, mostOfClient)
	s.stays, s.freed = stays, make(chan struct{})
	return s
}

// Begin takes a slot for work whose speed depends on a client, such as a transfer. If no slot is free, it takes one
// away: the slowest of those of the client, and then the tenant, that holds the most. A caller therefore waits for at
// most stays, unless its client already holds mostOfClient and that is less than capacity. Begin fails with ErrFull if
// too many requests of the client are waiting, or if ctx ends while the client holds mostOfClient, and otherwise with
// the error of ctx.
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
	h := &Held{of: s, by: w, at: w.since}
	h.Context, h.end = context.WithCancelCause(context.Background())
	s.held = append(s.held, h)
	return h, nil
}

// slowest returns the slot to take away next. Slots held for less than stays, and those whose transfer has ended, count
// as infinitely fast. Among equals it returns the one that was held longest.
func (s *Slots) slowest(now time.Time) *Held {
	speed := func(h *Held) float64 {
		if held := now.Sub(h.by.since); held >= s.stays && !h.came {
			return h.recently(now) / (1 - math.Exp2(-held.Seconds()/s.halving())) // corrects for a short time
		}
		return math.Inf(1)
	}
	return slices.MinFunc(s.held, func(a, b *Held) int {
		return cmp.Or(cmp.Compare(b.by.holder.client.held, a.by.holder.client.held),
			cmp.Compare(b.by.holder.tenant.held, a.by.holder.tenant.held), cmp.Compare(speed(a), speed(b)))
	})
}

// leave frees a slot. It does nothing if the slot is free already.
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

// Did records that a number of bytes was transferred.
func (h *Held) Did(bytes int) {
	if h != nil {
		h.of.mu.Lock()
		defer h.of.mu.Unlock()
		h.done = h.recently(time.Now()) + float64(bytes)
	}
}

// Came records that the transfer has ended. The time after that, such as waiting for a turn, does not count as slow.
func (h *Held) Came() {
	if h != nil {
		h.of.mu.Lock()
		defer h.of.mu.Unlock()
		h.came = true
	}
}

// halving returns the half-life of transferred bytes in seconds. It covers several pieces, as bytes arrive in pieces.
func (s *Slots) halving() float64 { return 4 * s.stays.Seconds() }

// recently returns what done has decayed to by now.
func (h *Held) recently(now time.Time) float64 {
	h.done *= math.Exp2(-now.Sub(h.at).Seconds() / h.of.halving())
	h.at = now
	return h.done
}

// GaveWay reports whether the slot was taken away.
func (h *Held) GaveWay() bool { return h != nil && context.Cause(h) == ErrGaveWay }

// Cut arranges for cut to be called when the slot is taken away. uncut undoes that, and waits if cut is running.
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
