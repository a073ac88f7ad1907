package ratelimit_test

import (
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent/rateevent"
	"storefront/internal/database/store/storetest"
	"storefront/internal/platform/ratelimit"
)

// TestClockIsReadUnderTheLock lets an event wait three seconds for the lock of its key: it is booked at the
// time when it has the lock, since an earlier time would let one event too many into the window.
func TestClockIsReadUnderTheLock(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		limit := ratelimit.Limit{Key: "sms:to:1", Window: time.Minute, Most: 5}
		var mu sync.Mutex
		now, asked := noon, make(chan struct{}, 10)
		clock := func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			asked <- struct{}{}
			return now
		}
		first, err := l.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer first.Rollback()
		if _, _, err := ratelimit.Take(t.Context(), first, func() time.Time { return noon }, limit); err != nil {
			t.Fatal(err)
		}
		var waiting sync.WaitGroup
		waiting.Go(func() {
			tx, err := l.Client.Tx(t.Context()) // on SQLite it waits here
			if err != nil {
				t.Error(err)
				return
			}
			defer tx.Rollback()
			if _, _, err := ratelimit.Take(t.Context(), tx, clock, limit); err != nil {
				t.Error(err)
			}
			if err := tx.Commit(); err != nil {
				t.Error(err)
			}
		})
		if l.Dialect() == dialect.Postgres {
			<-asked
		}
		mu.Lock()
		now = noon.Add(3 * time.Second)
		mu.Unlock()
		if err := first.Commit(); err != nil {
			t.Fatal(err)
		}
		waiting.Wait()
		if n := l.RateEvent.Query().Where(rateevent.At(noon.Add(3 * time.Second))).CountX(t.Context()); n != 1 {
			t.Errorf("%d events at the time at which the lock was had, want 1", n)
		}
		wait, err := l.take(t.Context(), noon.Add(time.Second), limit) // taken by a server whose clock is behind
		if n := l.RateEvent.Query().Where(rateevent.At(noon.Add(3 * time.Second))).CountX(t.Context()); n != 2 ||
			wait > 0 || err != nil {
			t.Errorf("%d events, wait %v, %v: want none booked before the last one", n, wait, err)
		}
	})
}

// TestQuotaBeginsUnderTheLock lets the first use of a span wait three seconds for the lock of its key: the
// span begins when it has the lock.
func TestQuotaBeginsUnderTheLock(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		quota := ratelimit.Quota{Key: "public@192.0.2.1", Window: time.Minute, Most: 1}
		var mu sync.Mutex
		now, asked := noon, make(chan struct{}, 10)
		clock := func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			asked <- struct{}{}
			return now
		}
		earlier := func() time.Time { return noon.Add(-time.Minute) } // its span is over at noon
		first, err := l.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer first.Rollback()
		if _, err := quota.Take(t.Context(), first, earlier); err != nil {
			t.Fatal(err)
		}
		var waiting sync.WaitGroup
		waiting.Go(func() {
			tx, err := l.Client.Tx(t.Context()) // on SQLite it waits here
			if err != nil {
				t.Error(err)
				return
			}
			defer tx.Rollback()
			if wait, err := quota.Take(t.Context(), tx, clock); wait > 0 || err != nil {
				t.Errorf("wait %v, %v, want room", wait, err)
			}
			if err := tx.Commit(); err != nil {
				t.Error(err)
			}
		})
		if l.Dialect() == dialect.Postgres {
			<-asked
		}
		mu.Lock()
		now = noon.Add(3 * time.Second)
		mu.Unlock()
		if err := first.Commit(); err != nil {
			t.Fatal(err)
		}
		waiting.Wait()
		if wait, err := quota.Peek(t.Context(), l.Client, noon); wait != 63*time.Second || err != nil {
			t.Errorf("a use at noon waits %v, %v, want 63s: a minute from when the lock was had", wait, err)
		}
	})
}
