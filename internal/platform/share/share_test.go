package share

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

var greedy, modest = uuid.UUID{1}, uuid.UUID{2}

// take takes a slot at once, or fails the test.
func take(t *testing.T, s *Slots, ctx context.Context) (release func()) {
	t.Helper()
	ctx, stop := context.WithCancel(ctx)
	stop()
	release, err := s.Take(ctx)
	if err != nil {
		t.Fatal("there was no slot")
	}
	return release
}

// occupy keeps 20 workers busy, each of which holds a slot for a time, until stop is called.
func occupy(s *Slots, ctx context.Context, held time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	for range 20 {
		workers.Go(func() {
			for ctx.Err() == nil {
				release, err := s.Take(ctx)
				if err != nil {
					return
				}
				time.Sleep(held)
				release()
			}
		})
	}
	return func() {
		cancel()
		workers.Wait()
	}
}

// free counts the slots that nobody holds.
func (s *Slots) free() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capacity - s.taken
}

// TestAloneHasAll checks that a single tenant, or a single client, may use every slot.
func TestAloneHasAll(t *testing.T) {
	client := netip.MustParseAddr("203.0.113.5")
	for _, ctx := range []context.Context{
		t.Context(), ofTenant(t.Context(), greedy), ofClient(t.Context(), client),
	} {
		s := New(8, 8)
		for range 8 {
			take(t, s, ctx)
		}
	}
}

// TestShares has one party that wants all slots, and another that wants one every 100 ms: that has to wait
// once at most; then half of the slots are free for it, or all but one if the other party holds them long.
func TestShares(t *testing.T) {
	other := netip.MustParseAddr("2001:db8::1")
	for name, c := range map[string]struct {
		greedy, modest context.Context
		held           time.Duration
		free           int
	}{
		"tenant, short": {greedy: ofTenant(context.Background(), greedy),
			modest: ofTenant(context.Background(), modest), held: 5 * time.Millisecond, free: 4},
		"tenant, long": {greedy: ofTenant(context.Background(), greedy),
			modest: ofTenant(context.Background(), modest), held: 300 * time.Millisecond, free: 7},
		"client, long": {greedy: ofClient(context.Background(), netip.MustParseAddr("203.0.113.5")),
			modest: ofClient(context.Background(), other), held: 300 * time.Millisecond, free: 7},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(8, 8)
				defer occupy(s, c.greedy, c.held)()
				synctest.Wait()
				if s.free() != 0 {
					t.Fatalf("%d slots are free while one party is alone", s.free())
				}
				for i := range 20 {
					began := time.Now()
					release, err := s.Take(c.modest)
					if err != nil {
						t.Fatal(err)
					}
					if waited := time.Since(began); i > 0 && waited > 0 {
						t.Errorf("waited %v for slot %d", waited, i)
					}
					release()
					time.Sleep(100 * time.Millisecond)
				}
				synctest.Wait()
				if s.free() != c.free {
					t.Errorf("%d slots are free, want %d", s.free(), c.free)
				}
				time.Sleep(2 * activeTime)
				synctest.Wait()
				if s.free() != 0 {
					t.Errorf("%d slots are free once the other party is gone", s.free())
				}
			})
		})
	}
}

// TestTurns checks that waiters of several tenants are served one after the other, however many each has.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(1, 1)
		first := take(t, s, t.Context())
		var order []string
		want := func(name string, tenant uuid.UUID) {
			go func() {
				release, err := s.Take(ofTenant(t.Context(), tenant))
				if err != nil {
					return
				}
				order = append(order, name)
				release()
			}()
			synctest.Wait()
		}
		for range 3 {
			want("greedy", greedy)
		}
		want("modest", modest)
		first()
		synctest.Wait()
		if len(order) != 4 || order[0] != "greedy" || order[1] != "modest" {
			t.Errorf("served %q", order)
		}
	})
}

// TestWaitingEnds checks that a waiter whose context ends is removed, and that a slot is released only once.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(1, 1)
		held := take(t, s, ofTenant(t.Context(), greedy))
		ctx, stop := context.WithTimeout(ofTenant(t.Context(), modest), time.Second)
		defer stop()
		if _, err := s.Take(ctx); err != context.DeadlineExceeded {
			t.Errorf("got %v", err)
		}
		held()
		held()
		if s.free() != 1 || len(s.flows) != 0 || s.turns.Len() != 0 {
			t.Errorf("%d free, %d flows, %d turns", s.free(), len(s.flows), s.turns.Len())
		}
		time.Sleep(2 * keptTime)
		take(t, s, ofTenant(t.Context(), uuid.UUID{3}))
		if len(s.tenants.byKey) != 1 {
			t.Errorf("%d tenants are remembered", len(s.tenants.byKey))
		}
	})
}

// TestLeastUsedComesFirst checks that, of two waiting clients, the one that has recently held slots for a
// shorter time is served first, in any order of arrival, and that usage is forgotten after a while.
func TestLeastUsedComesFirst(t *testing.T) {
	for name, c := range map[string]struct {
		since time.Duration
		first string
	}{
		"at once":    {0, "modest"},
		"much later": {time.Minute, "greedy"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(1, 1)
				client := map[string]context.Context{
					"greedy": ofClient(t.Context(), netip.MustParseAddr("203.0.113.5")),
					"modest": ofClient(t.Context(), netip.MustParseAddr("203.0.113.6")),
				}
				for who, held := range map[string]time.Duration{"greedy": time.Second, "modest": time.Millisecond} {
					release := take(t, s, client[who])
					time.Sleep(held)
					release()
				}
				time.Sleep(c.since)
				release := take(t, s, t.Context())
				var order []string
				for _, who := range []string{"greedy", "modest"} {
					go func() {
						if release, err := s.Take(client[who]); err == nil {
							order = append(order, who)
							release()
						}
					}()
					synctest.Wait()
				}
				release()
				synctest.Wait()
				if len(order) != 2 || order[0] != c.first {
					t.Errorf("served %q, want %s first", order, c.first)
				}
			})
		})
	}
}

// TestLongHoldersTogether checks that many clients that hold slots long share a part of the slots, so that
// others find one free.
func TestLongHoldersTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(8, 2)
		for i := range byte(8) {
			defer occupy(s, ofClient(context.Background(), netip.AddrFrom4([4]byte{203, 0, 113, i})), time.Second)()
		}
		time.Sleep(10 * time.Second) // by now they are known
		synctest.Wait()
		if s.free() != 6 {
			t.Errorf("%d slots are free beside those who hold them long, want 6", s.free())
		}
	})
}

// TestNewcomersDoNotStarve checks that a client that has held slots recently waits behind an endless
// sequence of new clients for no longer than it has held slots.
func TestNewcomersDoNotStarve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(1, 1)
		regular := ofClient(t.Context(), netip.MustParseAddr("203.0.113.5"))
		release := take(t, s, regular)
		time.Sleep(300 * time.Millisecond)
		release()
		ctx, stop := context.WithCancel(t.Context())
		for i := range 1000 { // two at a time, where there is time for one
			go func() {
				time.Sleep(time.Duration(i/2) * 10 * time.Millisecond)
				release, err := s.Take(ofClient(ctx, netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)})))
				if err == nil {
					time.Sleep(10 * time.Millisecond)
					release()
				}
			}()
		}
		time.Sleep(time.Second)
		began := time.Now()
		release, err := s.Take(regular)
		if err != nil {
			t.Fatal(err)
		}
		release()
		if waited := time.Since(began); waited > 2*time.Second {
			t.Errorf("waited %v behind newcomers", waited)
		}
		stop()
		time.Sleep(10 * time.Second) // all of them have finished
	})
}
