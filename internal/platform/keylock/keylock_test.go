package keylock

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestLocks checks that no more callers than allowed hold a key, that other keys do not wait for them, and
// that nothing is left behind.
func TestLocks(t *testing.T) {
	locks := New(3)
	var working, most atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			unlock, err := locks.Lock(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			n := working.Add(1)
			for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
			}
			working.Add(-1)
		})
	}
	if all.Wait(); most.Load() > 3 {
		t.Errorf("%d worked at once", most.Load())
	}
	if len(locks.queues) != 0 {
		t.Errorf("%d keys are left", len(locks.queues))
	}
}

func TestLockEndsWithContext(t *testing.T) {
	locks := New(1)
	unlock, err := locks.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := locks.Lock(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("took a place that was not free: %v", err)
	}
	other, err := locks.Lock(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	unlock()
	again, err := locks.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if again(); len(locks.queues) != 0 {
		t.Errorf("%d keys are left", len(locks.queues))
	}
}
