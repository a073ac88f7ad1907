package answercache

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// slow makes the computation of an answer wait. It returns the channel that ends it and the error of its
// context.
func (s *shop) slow(asked *Asked) (end chan bool, stopped chan error) {
	end, stopped = make(chan bool), make(chan error, 1)
	asked.Compute = func(ctx context.Context) (Answer, bool) {
		a, _ := s.compute(ctx)
		select {
		case keep := <-end:
			return a, keep
		case <-ctx.Done():
			stopped <- ctx.Err()
			return Answer{}, false
		}
	}
	return end, stopped
}

type result struct {
	body string
	left bool
}

func (s *shop) beside(ctx context.Context, asked Asked) chan result {
	got := make(chan result, 1)
	go func() {
		kept, left := s.Give(ctx, asked)
		got <- result{textOf(kept.Body), left}
	}()
	return got
}

// TestOneComputation sends one read many times at once. The first client leaves.
func TestOneComputation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		asked := s.asked("list")
		end, _ := s.slow(&asked)
		ctx, leave := context.WithCancel(t.Context())
		first := s.beside(ctx, asked)
		synctest.Wait()
		var others []chan result
		for range 10 {
			others = append(others, s.beside(t.Context(), asked))
		}
		synctest.Wait()
		leave()
		if got := <-first; !got.left || got.body != computed {
			t.Errorf("who left got %+v", got)
		}
		end <- true
		for _, other := range others {
			if got := <-other; got.left || got.body != "0" {
				t.Errorf("who stayed got %+v", got)
			}
		}
		if n := s.computed.Load(); n != 1 || len(s.running) > 0 {
			t.Errorf("%d computations, of which %d run", n, len(s.running))
		}
	})
}

// TestContentChangesDuringAComputation raises the version while others wait for the answer: they do not get it.
func TestContentChangesDuringAComputation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		asked := s.asked("list")
		end, _ := s.slow(&asked)
		first := s.beside(t.Context(), asked)
		synctest.Wait()
		s.version.Add(1)
		other := s.beside(t.Context(), asked)
		synctest.Wait()
		end <- true
		if got := <-first; got.left || got.body != computed {
			t.Errorf("the first got %+v", got)
		}
		end <- true // the other request had to compute
		if got := <-other; got.left || got.body != computed {
			t.Errorf("who came after the change got %+v", got)
		}
		s.is(t, asked, "1")
	})
}

// TestEverybodyLeaves checks that a computation for which no request waits ends, and that the next request
// begins another.
func TestEverybodyLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		asked := s.asked("list")
		_, stopped := s.slow(&asked)
		ctx, leave := context.WithCancel(t.Context())
		first := s.beside(ctx, asked)
		synctest.Wait()
		second := s.beside(ctx, asked)
		synctest.Wait()
		leave()
		<-first
		<-second
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("got the error %v in the computation, want %v", err, context.Canceled)
		}
		synctest.Wait()
		s.is(t, s.asked("list"), computed)
		s.is(t, s.asked("list"), "0")
	})
}

// TestFailedComputation checks that waiting requests compute their own answers if the one they waited for is
// not kept.
func TestFailedComputation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		asked := s.asked("list")
		end, _ := s.slow(&asked)
		var all []chan result
		for range 3 {
			all = append(all, s.beside(t.Context(), asked))
		}
		synctest.Wait()
		for range all {
			end <- false
			synctest.Wait()
		}
		for _, one := range all {
			if got := <-one; got.left || got.body != computed {
				t.Errorf("got %+v", got)
			}
		}
		if n := s.computed.Load(); n != 3 {
			t.Errorf("%d computations", n)
		}
	})
}

// TestTimeIsOver lets the deadline of the first request pass: it still gets the result, which is an error by
// then.
func TestTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		asked := s.asked("list")
		_, stopped := s.slow(&asked)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if kept, left := s.Give(ctx, asked); kept.Body != nil || left {
			t.Errorf("got %v, %v", kept.Body, left)
		}
		if err := <-stopped; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got the error %v in the computation, want %v", err, context.DeadlineExceeded)
		}
	})
}

// TestPanicReachesTheFirst checks that a panic in a computation, which has its own goroutine, reaches its
// request.
func TestPanicReachesTheFirst(t *testing.T) {
	s := newShop(1 << 20)
	asked := s.asked("list")
	asked.Compute = func(context.Context) (Answer, bool) { panic("broken") }
	defer func() {
		if got := recover(); got != "broken" {
			t.Errorf("recovered %v", got)
		}
		if len(s.running) > 0 {
			t.Errorf("%d computations run", len(s.running))
		}
	}()
	s.Give(t.Context(), asked)
}
