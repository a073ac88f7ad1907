package lookup

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// gate provides looks that wait until the test lets them finish, and then find each key.
type gate struct {
	began chan []string // the keys of each look, sorted
	let   chan error    // the error to fail with
}

func newGate() (gate, *Shared[string, string]) {
	g := gate{began: make(chan []string), let: make(chan error)}
	return g, newShared(time.Second, func(ctx context.Context, keys []string) (map[string]string, error) {
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

// ask looks a key up in a goroutine.
func ask(ctx context.Context, s *Shared[string, string], key string) chan result {
	got := make(chan result, 1)
	go func() {
		found, err := s.Find(ctx, key)
		got <- result{found, err}
	}()
	return got
}

// TestLooksAreShared has callers arrive during a look: they share the next one, and get no result of the
// look that began before they arrived.
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
				t.Errorf("%s: got %v, want %s!", key, got, key)
			}
		}
	})
}

// TestErrorReachesAll fails a look: all its callers get the error, and the next look is not affected.
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
			t.Errorf("the look before failed: got %v", got)
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
			t.Errorf("after an error: got %v", got)
		}
	})
}

// TestCallerLeaves ends the contexts of some callers of a look. The others get its result, and a look that
// all have left is not run.
func TestCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newGate()
		ctx, leave := context.WithCancel(t.Context())
		first := ask(t.Context(), s, "a")
		<-g.began
		leaving, staying := ask(ctx, s, "b"), ask(t.Context(), s, "c")
		synctest.Wait()
		leave()
		if got := <-leaving; !errors.Is(got.err, context.Canceled) {
			t.Errorf("who left got %v", got)
		}
		g.let <- nil
		<-first
		<-g.began
		ctx, leave = context.WithCancel(t.Context())
		alone := ask(ctx, s, "d")
		synctest.Wait()
		leave()
		<-alone
		g.let <- nil
		if got := <-staying; got.found["c"] != "c!" || got.err != nil {
			t.Errorf("who stayed got %v", got)
		}
		next := ask(t.Context(), s, "e")
		if keys := <-g.began; !slices.Equal(keys, []string{"e"}) {
			t.Errorf("the next look is for %q", keys)
		}
		g.let <- nil
		if got := <-next; got.found["e"] != "e!" || got.err != nil {
			t.Errorf("who came then got %v", got)
		}
	})
}

// TestCallerWithLittleTime has a caller run the look whose own time ends before the look does.
func TestCallerWithLittleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := newGate()
		ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
		defer stop()
		hasty := ask(ctx, s, "a")
		synctest.Wait()
		patient := ask(t.Context(), s, "a")
		<-g.began
		if got := <-hasty; !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("who had little time got %v", got)
		}
		g.let <- nil
		select {
		case got := <-patient:
			if got.found["a"] != "a!" || got.err != nil {
				t.Errorf("who had time got %v", got)
			}
		case <-g.began: // it came after the look had begun
			g.let <- nil
			<-patient
		}
	})
}

// TestPanicReachesItsCaller panics in a look: its caller can recover, and the next look works.
func TestPanicReachesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, broken := make(chan struct{}), true
		s := newShared(time.Second, func(context.Context, []string) (map[string]string, error) {
			if broken {
				<-begun
				panic("broken")
			}
			return map[string]string{"a": "a!"}, nil
		})
		panicked := make(chan any)
		go func() {
			defer func() { panicked <- recover() }()
			_, _ = s.Find(t.Context(), "a")
		}()
		begun <- struct{}{}
		if got := <-panicked; got != "broken" {
			t.Errorf("recovered %v", got)
		}
		broken = false
		if got := <-ask(t.Context(), s, "a"); got.found["a"] != "a!" || got.err != nil {
			t.Errorf("after a panic: got %v", got)
		}
	})
}

// TestCallersComeAndLeave has many callers leave at random moments; none of the others may wait for ever.
func TestCallersComeAndLeave(t *testing.T) {
	s := newShared(time.Minute, func(_ context.Context, keys []string) (map[string]int, error) {
		runtime.Gosched()
		return map[string]int{"a": len(keys)}, nil
	})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 3000 {
				ctx, leave := context.WithCancel(t.Context())
				if (i+n)%2 == 0 {
					go leave()
				}
				if found, err := s.Find(ctx, "a"); err == nil && found["a"] != 1 || err != nil && ctx.Err() == nil {
					t.Errorf("got %v, %v", found, err)
				}
				leave()
			}
		})
	}
	all.Wait()
}

// TestLookIsBounded has a database that does not answer: each caller waits at most for its own look and the
// one before.
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

// TestNothingIsOlderThanItsCaller increases a number while many look it up: nobody may find a lower one than
// there was when they asked.
func TestNothingIsOlderThanItsCaller(t *testing.T) {
	var number, looks atomic.Int64
	s := newShared(time.Minute, func(context.Context, []string) (map[string]int64, error) {
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
