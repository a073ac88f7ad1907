package turns

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestTurns holds that no more work at once than may, that other keys do not wait for them, and that nothing is left behind.
func TestTurns(t *testing.T) {
	turns := New(3)
	var working, most atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			done, err := turns.Take(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer done()
			n := working.Add(1)
			for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
			}
			working.Add(-1)
		})
	}
	if all.Wait(); most.Load() > 3 {
		t.Errorf("%d worked at once", most.Load())
	}
	if len(turns.keys) != 0 {
		t.Errorf("%d keys are left", len(turns.keys))
	}
}

func TestTurnsAreGivenUp(t *testing.T) {
	turns := New(1)
	done, err := turns.Take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.Take(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("took a place that was not free: %v", err)
	}
	other, err := turns.Take(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	done()
	again, err := turns.Take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if again(); len(turns.keys) != 0 {
		t.Errorf("%d keys are left", len(turns.keys))
	}
}
