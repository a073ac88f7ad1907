package share

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"storefront/internal/request"

	"github.com/google/uuid"
)

// TestEverybodyMayBegin fills all slots with slow clients of one tenant. Each of the others begins after stays at
// most, and the slowest of the party that has most gives way.
func TestEverybodyMayBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewYielding(8, 4, time.Second)
		of := func(client string, tenant byte) context.Context {
			return request.WithClient(ofTenant(t.Context(), uuid.UUID{tenant}), request.Client{Name: client})
		}
		held := map[string]*Held{}
		begin := func(name, client string, tenant byte, bytes int) {
			t.Helper()
			h, err := s.Begin(of(client, tenant))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			h.Did(bytes)
			held[name] = h
		}
		for i := range 4 {
			begin(fmt.Sprint("a", i), "a", 1, 100*(i+1))
		}
		for i, client := range []string{"b", "c", "d"} {
			begin(client, client, 1, i)
		}
		begin("e", "e", 2, 0)
		hasty, stop := context.WithTimeout(of("a", 3), time.Millisecond)
		defer stop()
		var waiting sync.WaitGroup
		for range 4 {
			waiting.Go(func() {
				if _, err := s.Begin(hasty); err != ErrFull {
					t.Errorf("a fifth of one client: got %v, want %v", err, ErrFull)
				}
			})
		}
		synctest.Wait()
		if _, err := s.Begin(of("a", 3)); err != ErrFull {
			t.Errorf("where four of a client wait: got %v, want %v", err, ErrFull)
		}
		waiting.Wait()
		cuts := make(chan string, 8)
		for name, h := range held {
			defer h.Cut(func() { cuts <- name })()
		}
		want := func(name string, waits time.Duration, gone string) {
			t.Helper()
			began := time.Now()
			begin(name, name, 3, 0)
			synctest.Wait()
			if got := <-cuts; got != gone || time.Since(began) != waits || !held[gone].GaveWay() {
				t.Errorf("%s: %s gave way after %v, want %s after %v", name, got, time.Since(began), gone, waits)
			}
			held[gone].Leave() // changes nothing
		}
		want("f", time.Second-time.Millisecond, "a0")
		want("g", 0, "a1")
		want("h", 0, "a2")
		want("i", 0, "b") // each has one: the tenant that has most
		if held["e"].GaveWay() || s.Stats().Taken != 8 {
			t.Errorf("e gave way: %t; %d are taken", held["e"].GaveWay(), s.Stats().Taken)
		}
		time.AfterFunc(time.Millisecond, held["a3"].Leave)
		begin("j", "j", 1, 0) // takes the free one
		if _, err := s.Begin(of("j", 1)); err != nil {
			t.Error(err)
		}
	})
}

// TestAClientThatMayHaveAllMakesItsOwnGiveWay has one client take all slots and want another one.
func TestAClientThatMayHaveAllMakesItsOwnGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewYielding(2, 2, time.Minute)
		ctx := request.WithClient(t.Context(), request.Client{Name: "an agency"})
		slow, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		fast, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		fast.Did(1)
		began := time.Now()
		if _, err := s.Begin(ctx); err != nil || time.Since(began) != time.Minute || !slow.GaveWay() || fast.GaveWay() {
			t.Errorf("got %v after %v; the slow one gave way: %t", err, time.Since(began), slow.GaveWay())
		}
	})
}

// TestWhoDripsGivesWay has one transfer begin with much and then drip, and another come steadily: the first gives way.
func TestWhoDripsGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewYielding(2, 2, time.Second)
		ctx := request.WithClient(t.Context(), request.Client{Name: "an agency"})
		drips, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		steady, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		drips.Did(19 << 20)
		for range 30 {
			time.Sleep(time.Second)
			drips.Did(1)
			steady.Did(64 << 10)
		}
		if _, err := s.Begin(ctx); err != nil || !drips.GaveWay() || steady.GaveWay() {
			t.Errorf("got %v; the one that drips gave way: %t", err, drips.GaveWay())
		}
	})
}

// TestWhatHasComeStays checks that a slot whose transfer has ended keeps it while its work waits, and that a slow
// transfer gives way instead.
func TestWhatHasComeStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewYielding(2, 2, time.Minute)
		ctx := request.WithClient(t.Context(), request.Client{Name: "an agency"})
		came, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		drips, err := s.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		came.Did(40 << 20)
		came.Came()
		for range 20 {
			time.Sleep(30 * time.Second)
			drips.Did(64 << 10)
		}
		if _, err := s.Begin(ctx); err != nil || came.GaveWay() || !drips.GaveWay() {
			t.Errorf("got %v; the one that had come gave way: %t", err, came.GaveWay())
		}
	})
}

// TestBeginningEndsWithItsContext has a client wait for a slot until its time is over, and another until one is free.
func TestBeginningEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewYielding(1, 1, time.Minute)
		first, err := s.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := s.Begin(ctx); err != context.DeadlineExceeded {
			t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
		}
		time.AfterFunc(time.Second, first.Leave)
		began := time.Now()
		if _, err := s.Begin(t.Context()); err != nil || time.Since(began) != time.Second {
			t.Errorf("got %v after %v, want a slot after 1s", err, time.Since(began))
		}
	})
}
