package share

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"storefront/internal/request"
)

// hall is bounded slots that record in which order they were had.
type hall struct {
	*Slots
	ctx   context.Context
	ran   []string // names of calls; guarded by the slots, of which one is free at once
	calls sync.WaitGroup
	full  atomic.Int64 // calls that were refused or displaced
}

// stranger and customer return the context of a client, which the first letter of its name identifies.
func (h *hall) stranger(name string) context.Context {
	return ofClient(h.ctx, netip.AddrFrom4([4]byte{203, 0, 113, name[0]}))
}

func (h *hall) customer(name string) context.Context { return known(h.stranger(name)) }

// wait begins a call of a client and returns when the call waits or has ended.
func (h *hall) wait(t *testing.T, ctx context.Context, name string) {
	h.calls.Go(func() {
		leave, err := h.Take(ctx)
		if errors.Is(err, ErrFull) {
			h.full.Add(1)
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		h.ran = append(h.ran, name)
		leave()
	})
	time.Sleep(time.Millisecond) // the next one arrives later
}

// check checks which calls ran, how many did not, and that nothing is left behind.
func (h *hall) check(t *testing.T, ran []string, full int64) {
	t.Helper()
	h.calls.Wait()
	if !slices.Equal(h.ran, ran) || h.full.Load() != full {
		t.Errorf("%v ran and %d did not, want %v and %d", h.ran, h.full.Load(), ran, full)
	}
	if h.taken != 0 || h.strangers != 0 || h.waiting != 0 || len(h.flows) != 0 || h.turns.Len() != 0 {
		t.Errorf("%d taken, %d by strangers, %d waiting, %d flows, %d turns", h.taken, h.strangers, h.waiting,
			len(h.flows), h.turns.Len())
	}
}

// TestBoundedLine checks that clients take turns, and that the client with the most waiting calls loses its newest.
func TestBoundedLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hall{Slots: NewBounded(1, 1, 4), ctx: t.Context()}
		leave := take(t, h.Slots, h.stranger("leader"))
		for n := range 4 {
			h.wait(t, h.stranger("flood"), fmt.Sprint("flood ", n))
		}
		h.wait(t, h.stranger("flood"), "flood 4") // refused: it has the most itself
		for _, name := range []string{"honest", "other", "third"} {
			h.wait(t, h.stranger(name), name)
		}
		h.wait(t, h.stranger("visitor"), "visitor") // refused: no other client has more
		leave()
		h.check(t, []string{"flood 0", "honest", "other", "third"}, 5)

		h = &hall{Slots: NewBounded(1, 1, 4), ctx: t.Context()}
		leave = take(t, h.Slots, h.stranger("leader"))
		for _, name := range []string{"flood 0", "flood 1", "flood 2", "honest"} {
			h.wait(t, h.stranger(name), name)
		}
		leave()
		h.check(t, []string{"flood 0", "honest", "flood 1", "flood 2"}, 0)
	})
}

// TestKnownFirst checks that known clients go before strangers, displace them, and still do not starve them.
func TestKnownFirst(t *testing.T) {
	for waited, order := range map[time.Duration][]string{
		0:             {"v", "w", "x", "y", "z", "a"},
		2 * headStart: {"a", "v", "w", "x", "y", "z"},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := &hall{Slots: NewBounded(1, 1, 6), ctx: t.Context()}
			leave := take(t, h.Slots, h.stranger("leader"))
			h.wait(t, h.stranger("a"), "a")
			h.wait(t, h.stranger("b"), "b")
			time.Sleep(waited)
			for _, name := range []string{"v", "w", "x", "y"} {
				h.wait(t, h.customer(name), name)
			}
			h.wait(t, h.customer("z"), "z") // in place of a stranger, though no client has more
			h.wait(t, h.stranger("z"), "c") // refused, at the address of a known client
			leave()
			h.check(t, order, 2)
		})
	}
}

// TestPlacesForStrangers checks that a flood of strangers leaves places to known clients, who may take all of them.
func TestPlacesForStrangers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hall{Slots: NewBounded(3, 2, 6), ctx: t.Context()}
		first, second := take(t, h.Slots, h.stranger("a")), take(t, h.Slots, h.stranger("b"))
		h.wait(t, h.stranger("c"), "c") // there is a place, but not for a third stranger
		take(t, h.Slots, h.customer("a"))()
		if h.waiting != 1 {
			t.Error("a third stranger ran")
		}
		first()
		h.calls.Wait()
		second()
		h.check(t, []string{"c"}, 0)
		for range 3 {
			defer take(t, h.Slots, h.customer("x"))()
		}
		if h.free() != 0 || h.strangers != 0 {
			t.Errorf("%d free, %d of strangers", h.free(), h.strangers)
		}
	})
}

// TestGivenUp checks that a call whose context ends waits no more, also when it gets a slot meanwhile.
func TestGivenUp(t *testing.T) {
	h := &hall{Slots: NewBounded(1, 1, 100), ctx: t.Context()}
	for range 200 {
		leave := take(t, h.Slots, h.customer("a"))
		ctx, cancel := context.WithCancel(h.customer("b"))
		h.calls.Go(func() {
			if leave, err := h.Take(ctx); err == nil {
				leave()
			}
		})
		h.calls.Go(cancel)
		leave()
		h.calls.Wait()
	}
	h.check(t, nil, 0)
}

// TestMany checks the bounds while many clients call at once.
func TestMany(t *testing.T) {
	h := &hall{Slots: NewBounded(3, 2, 20), ctx: t.Context()}
	var running, most, done atomic.Int64
	for n := range 400 {
		h.calls.Go(func() {
			ctx := h.stranger(string(rune('a' + n%7)))
			if n%2 == 0 {
				ctx = known(ctx)
			}
			leave, err := h.Take(ctx)
			if err != nil {
				h.full.Add(1)
				return
			}
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			runtime.Gosched()
			running.Add(-1)
			done.Add(1)
			leave()
		})
	}
	h.calls.Wait()
	if most.Load() > 3 || done.Load()+h.full.Load() != 400 || done.Load() < 23 {
		t.Errorf("%d ran at once; %d ran and %d did not", most.Load(), done.Load(), h.full.Load())
	}
	h.check(t, nil, h.full.Load())
}

func known(ctx context.Context) context.Context {
	return request.With(ctx, func(r *request.Request) { r.Client.Known = true })
}

func ofClient(ctx context.Context, addr netip.Addr) context.Context {
	return request.WithClient(ctx, request.ClientAt(addr))
}

func ofTenant(ctx context.Context, tenant uuid.UUID) context.Context {
	return request.With(ctx, func(r *request.Request) { r.Tenant = tenant })
}
