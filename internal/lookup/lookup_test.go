package lookup

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// gate is a look that waits until it is let through, and then finds each key.
type gate struct {
	began chan []string // the keys of each look, sorted
	let   chan error    // what it fails with
}

func newGate() (gate, *Shared[string, string]) {
	g := gate{began: make(chan []string), let: make(chan error)}
	return g, NewShared(time.Second, func(ctx context.Context, keys []string) (map[string]string, error) {
		slices.Sort(keys)
		select {
		case g.began <- keys:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case err := <-g.let:
			found := map[string]string{}
			for _, key := range keys {
				found[key] = key + "!"
			}
			return found, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

type result struct {
	found map[string]string
	err   error
}

// ask looks a key up beside the test.
func ask(ctx context.Context, s *Shared[string, string], key string) chan result {
	got := make(chan result, 1)
	go func() {
		found, err := s.Find(ctx, key)
		got <- result{found, err}
	}()
	return got
}

// TestLooksAreShared has callers come while a look is under way: they share the next one, and get nothing of the
// one that began before they came.
func TestLooksAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newGate()
		first := ask(t.Context(), s, "a")
		if keys := <-g.began; !slices.Equal(keys, []string{"a"}) {
			t.Errorf("the first look is for %q", keys)
		}
		var later []chan result
		for _, key := range []string{"a", "b", "a", "c"} {
			later = append(later, ask(t.Context(), s, key))
		}
		synctest.Wait()
		g.let <- nil
		if got := <-first; got.found["a"] != "a!" || len(got.found) != 1 || got.err != nil {
			t.Errorf("the first caller got %v", got)
		}
		synctest.Wait()
		for i, got := range later {
			if len(got) > 0 {
				t.Errorf("caller %d has the answer of a look that began before it came", i)
			}
		}
		if keys := <-g.began; !slices.Equal(keys, []string{"a", "b", "c"}) {
			t.Errorf("the second look is for %q", keys)
		}
		g.let <- nil
		for i, key := range []string{"a", "b", "a", "c"} {
			if got := <-later[i]; got.found[key] != key+"!" || got.err != nil {
				t.Errorf("%s: %v", key, got)
			}
		}
	})
}

// TestErrorReachesAll fails a look: all who wait for it have its error, and the next one is not touched by it.
func TestErrorReachesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newGate()
		first := ask(t.Context(), s, "a")
		<-g.began
		one, other := ask(t.Context(), s, "a"), ask(t.Context(), s, "b")
		synctest.Wait()
		g.let <- nil
		<-g.began
		broken := errors.New("broken")
		g.let <- broken
		if got := <-first; got.err != nil {
			t.Errorf("the look before failed: %v", got)
		}
		for _, got := range []result{<-one, <-other} {
			if !errors.Is(got.err, broken) {
				t.Errorf("got %v", got)
			}
		}
		next := ask(t.Context(), s, "a")
		<-g.began
		g.let <- nil
		if got := <-next; got.found["a"] != "a!" || got.err != nil {
			t.Errorf("after an error: %v", got)
		}
	})
}

// TestCallerLeaves ends the context of one of two who share a look.
func TestCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newGate()
		ctx, leave := context.WithCancel(t.Context())
		leaving := ask(ctx, s, "a")
		<-g.began
		staying := ask(t.Context(), s, "a")
		synctest.Wait()
		leave()
		if got := <-leaving; !errors.Is(got.err, context.Canceled) {
			t.Errorf("who left got %v", got)
		}
		g.let <- nil
		<-g.began
		g.let <- nil
		if got := <-staying; got.found["a"] != "a!" || got.err != nil {
			t.Errorf("who stayed got %v", got)
		}
	})
}

// TestLookIsBounded has a database that says nothing: each caller waits for its own look and the one before at
// most.
func TestLookIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := newGate()
		began := time.Now()
		first := ask(t.Context(), s, "a")
		synctest.Wait()
		second := ask(t.Context(), s, "a")
		for i, got := range []result{<-first, <-second} {
			if !errors.Is(got.err, context.DeadlineExceeded) {
				t.Errorf("caller %d got %v", i, got)
			}
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// TestNothingIsOlderThanItsCaller raises a number while many look it up: nobody finds one that is lower than it
// was when they asked.
func TestNothingIsOlderThanItsCaller(t *testing.T) {
	var number, looks atomic.Int64
	s := NewShared(time.Minute, func(context.Context, []string) (map[string]int64, error) {
		looks.Add(1)
		return map[string]int64{"n": number.Load()}, nil
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2000 {
				least := number.Add(1)
				if found, err := s.Find(t.Context(), "n"); err != nil || found["n"] < least {
					t.Errorf("%d, asked at %d: %v", found["n"], least, err)
					return
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d looks for 16000 callers", looks.Load())
}
