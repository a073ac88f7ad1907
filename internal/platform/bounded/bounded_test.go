package bounded_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"storefront/internal/platform/bounded"
)

func TestWeightIsBounded(t *testing.T) {
	c := bounded.New(1000, func(key string, value int) uint32 { return uint32(len(key) + value) })
	for i := range 100 {
		c.Set(strconv.Itoa(i), 50)
	}
	c.Evict()
	if got := c.Weight(); got > 1000 || got < 500 {
		t.Errorf("the values weigh %d, want at most 1000 and at least half of it", got)
	}
}

func TestGetLoadDelete(t *testing.T) {
	c := bounded.New(1000, func(string, string) uint32 { return 1 })
	failed := errors.New("failed")
	load := func(value string, err error) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return value, err }
	}
	if got, err := c.Load(t.Context(), "a", load("lost", failed)); got != "" || !errors.Is(err, failed) {
		t.Errorf("got %q, %v, want the error", got, err)
	}
	for range 2 {
		if got, err := c.Load(t.Context(), "a", load("1", nil)); got != "1" || err != nil {
			t.Errorf("got %q, %v, want 1", got, err)
		}
	}
	if got, err := c.Load(t.Context(), "a", load("2", nil)); got != "1" || err != nil {
		t.Errorf("got %q, %v, want the value that is kept", got, err)
	}
	c.Delete("a")
	if got, ok := c.Get("a"); got != "" || ok {
		t.Errorf("got %q, %v, want nothing", got, ok)
	}
}

func TestConcurrentCallersLoadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := bounded.New(1000, func(string, int) uint32 { return 1 })
		var loads atomic.Int32
		goOn := make(chan struct{})
		load := func(context.Context) (int, error) {
			loads.Add(1)
			<-goOn
			return 7, nil
		}
		for range 8 {
			go func() {
				if got, err := c.Load(t.Context(), "a", load); got != 7 || err != nil {
					t.Errorf("got %d, %v, want 7", got, err)
				}
			}()
		}
		synctest.Wait() // all of them wait
		close(goOn)
		synctest.Wait()
		if n := loads.Load(); n != 1 {
			t.Errorf("the value was loaded %d times, want once", n)
		}
	})
}
