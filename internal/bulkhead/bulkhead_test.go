package bulkhead

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// hall is a bulkhead whose calls say in which order they ran.
type hall struct {
	*Bulkhead
	t     *testing.T
	ran   []string // names of calls; guarded by the bulkhead, in which one call runs at once
	calls sync.WaitGroup
	full  atomic.Int64 // calls that were refused or displaced
}

// wait begins a call of a client and returns when it waits, or has been refused.
func (h *hall) wait(client, name string) {
	h.t.Helper()
	h.mu.Lock()
	before := h.room
	h.mu.Unlock()
	full := h.full.Load()
	h.calls.Go(func() {
		leave, err := h.Enter(h.t.Context(), client)
		if errors.Is(err, ErrFull) {
			h.full.Add(1)
			return
		}
		if err != nil {
			h.t.Error(err)
			return
		}
		h.ran = append(h.ran, name)
		leave()
	})
	for h.full.Load() == full {
		h.mu.Lock()
		after := h.room
		h.mu.Unlock()
		if after != before {
			return
		}
		runtime.Gosched()
	}
}

// TestTurns checks that clients take turns, and that the client with the longest queue loses its newest call.
func TestTurns(t *testing.T) {
	h := &hall{Bulkhead: New(1, 4), t: t}
	leave, err := h.Enter(t.Context(), "first")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		h.wait("flood", fmt.Sprint("flood ", n))
	}
	h.wait("flood", "flood 4") // refused: its own queue is the longest
	h.wait("honest", "honest 0")
	h.wait("other", "other 0")
	h.wait("third", "third 0")
	h.wait("fourth", "fourth 0") // refused: no queue is longer than its own would be
	leave()
	h.calls.Wait()
	want := []string{"flood 0", "honest 0", "other 0", "third 0"}
	if !slices.Equal(h.ran, want) || h.full.Load() != 5 {
		t.Errorf("%v ran and %d did not, want %v", h.ran, h.full.Load(), want)
	}
	h.empty(1, 4)
}

// empty checks that nothing is left behind.
func (h *hall) empty(free, room int) {
	h.t.Helper()
	if h.free != free || h.room != room || len(h.queues) != 0 || len(h.clients) != 0 {
		h.t.Errorf("%d free, room for %d, queues %v of %v", h.free, h.room, h.queues, h.clients)
	}
}

// TestGivenUp checks that a call whose context ends leaves its queue, also when it is admitted meanwhile.
func TestGivenUp(t *testing.T) {
	h := &hall{Bulkhead: New(1, 100), t: t}
	for range 200 {
		leave, err := h.Enter(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		h.calls.Go(func() {
			if leave, err := h.Enter(ctx, "b"); err == nil {
				leave()
			}
		})
		h.calls.Go(cancel)
		leave()
		h.calls.Wait()
	}
	h.empty(1, 100)
}

// TestMany checks the bounds while many clients call at once.
func TestMany(t *testing.T) {
	h := &hall{Bulkhead: New(3, 20), t: t}
	var running, most, done atomic.Int64
	for n := range 400 {
		h.calls.Go(func() {
			leave, err := h.Enter(t.Context(), fmt.Sprint(n%7))
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
	h.empty(3, 20)
}
