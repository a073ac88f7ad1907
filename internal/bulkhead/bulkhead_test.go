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

// hall is a bulkhead whose calls record the order in which they ran.
type hall struct {
	*Bulkhead
	t     *testing.T
	ran   []string // names of calls; guarded by the bulkhead, in which one call runs at once
	calls sync.WaitGroup
	full  atomic.Int64 // calls that were refused or displaced
}

// wait begins a call of a client and returns when the call waits or was refused.
func (h *hall) wait(client, name string) { h.waitAs(Stranger, client, name) }

func (h *hall) waitAs(standing Standing, client, name string) {
	h.t.Helper()
	h.mu.Lock()
	before := h.room
	h.mu.Unlock()
	full := h.full.Load()
	h.calls.Go(func() {
		leave, err := h.Enter(h.t.Context(), client, standing)
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
	h := &hall{Bulkhead: New(1, 1, 4), t: t}
	leave, err := h.Enter(t.Context(), "first", Stranger)
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
	h.empty(1, 1, 4)
}

// TestKnownFirst checks that known clients go before strangers, displace them, and still leave them a turn.
func TestKnownFirst(t *testing.T) {
	h := &hall{Bulkhead: New(1, 1, 6), t: t}
	leave, err := h.Enter(t.Context(), "first", Stranger)
	if err != nil {
		t.Fatal(err)
	}
	h.wait("a", "a")
	h.wait("b", "b")
	for _, customer := range []string{"v", "w", "x", "y"} {
		h.waitAs(Known, customer, customer)
	}
	h.waitAs(Known, "z", "z") // instead of one of the strangers, all of whom have one call
	h.wait("c", "c")          // refused
	leave()
	h.calls.Wait()
	if want := []string{"v", "w", "x", "a", "y", "z"}; !slices.Equal(h.ran, want) || h.full.Load() != 2 {
		t.Errorf("%v ran and %d did not, want %v", h.ran, h.full.Load(), want)
	}
	h.empty(1, 1, 6)
}

// TestPlacesForStrangers checks that a flood of strangers leaves places to known clients, who may take all of them.
func TestPlacesForStrangers(t *testing.T) {
	h := &hall{Bulkhead: New(3, 2, 6), t: t}
	var running []func()
	for _, c := range []struct {
		client   string
		standing Standing
	}{{"a", Stranger}, {"b", Stranger}, {"x", Known}} {
		if c.standing == Known {
			h.wait("c", "c") // there is a place, but not for a third stranger
		}
		leave, err := h.Enter(t.Context(), c.client, c.standing)
		if err != nil {
			t.Fatal(err)
		}
		running = append(running, leave)
	}
	running[2]()
	if h.room != 5 {
		t.Error("a third stranger ran")
	}
	running[0]()
	h.calls.Wait()
	running[1]()
	if h.full.Load() != 0 || !slices.Equal(h.ran, []string{"c"}) {
		t.Errorf("%v ran and %d did not", h.ran, h.full.Load())
	}
	h.empty(3, 2, 6)
	for range 3 {
		leave, err := h.Enter(t.Context(), "y", Known)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	if h.free != 0 || h.forStrangers != 2 {
		t.Errorf("%d free, %d for strangers", h.free, h.forStrangers)
	}
}

// empty checks that nothing is left behind.
func (h *hall) empty(free, strangers, room int) {
	h.t.Helper()
	if h.free != free || h.forStrangers != strangers || h.room != room {
		h.t.Errorf("got %d free, %d for strangers, room for %d; want %d, %d, %d", h.free, h.forStrangers,
			h.room, free, strangers, room)
	}
	for _, l := range h.lines {
		if len(l.queues) != 0 || len(l.clients) != 0 {
			h.t.Errorf("queues %v of %v", l.queues, l.clients)
		}
	}
}

// TestGivenUp checks that a call whose context ends leaves its queue, also when it is admitted meanwhile.
func TestGivenUp(t *testing.T) {
	h := &hall{Bulkhead: New(1, 1, 100), t: t}
	for range 200 {
		leave, err := h.Enter(t.Context(), "a", Known)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		h.calls.Go(func() {
			if leave, err := h.Enter(ctx, "b", Known); err == nil {
				leave()
			}
		})
		h.calls.Go(cancel)
		leave()
		h.calls.Wait()
	}
	h.empty(1, 1, 100)
}

// TestMany checks the bounds while many clients call at once.
func TestMany(t *testing.T) {
	h := &hall{Bulkhead: New(3, 2, 20), t: t}
	var running, most, done atomic.Int64
	for n := range 400 {
		h.calls.Go(func() {
			leave, err := h.Enter(t.Context(), fmt.Sprint(n%7), Standing(n%2))
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
	h.empty(3, 2, 20)
}
