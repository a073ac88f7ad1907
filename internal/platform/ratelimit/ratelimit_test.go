package ratelimit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/platform/ratelimit"
)

// counters is a database with a clock for its limits.
type counters struct {
	t      *testing.T
	client *ent.Client
	now    time.Time
}

func each(t *testing.T, f func(l *counters)) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		f(&counters{t, s.Client, time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)})
	})
}

// in runs f in a transaction, again after a conflict with another one.
func (l *counters) in(f func(tx *ent.Tx) error) {
	for {
		tx, err := l.client.Tx(context.Background())
		if err == nil {
			err = errors.Join(f(tx), tx.Commit())
		}
		if err == nil {
			return
		}
		if !database.IsRetryable(err) {
			l.t.Error(err)
			return
		}
	}
}

// peek checks the result of Peek, which books nothing, however often it is called.
func (l *counters) peek(want ratelimit.Full, of ...ratelimit.Limit) {
	l.t.Helper()
	for range 2 {
		if got, err := ratelimit.Peek(context.Background(), l.client, l.now, of...); err != nil || got != want {
			l.t.Errorf("peeked %v, %v; want %v", got, err, want)
		}
	}
}

// TestPeek checks that Peek agrees with Take, and names the full limit.
func TestPeek(t *testing.T) {
	each(t, func(l *counters) {
		one := ratelimit.Limit{Key: "one", Window: time.Minute, Most: 1}
		two := ratelimit.Limit{Key: "two", Window: time.Hour, Most: 2}
		l.peek(ratelimit.Full{}, one, two)
		l.take(0, one, two)
		l.peek(ratelimit.Full{Limit: one, Wait: time.Minute}, one, two)
		l.take(0, two)
		l.peek(ratelimit.Full{Limit: two, Wait: time.Hour}, one, two)
		l.pass(time.Minute)
		l.peek(ratelimit.Full{}, one)
		l.peek(ratelimit.Full{Limit: two, Wait: 59 * time.Minute}, one, two)
	})
}

// TestQuota checks that a quota counts exactly, even in parallel, and starts again after its span.
func TestQuota(t *testing.T) {
	each(t, func(l *counters) {
		quota := ratelimit.Quota{Key: "quota", Window: time.Minute, Most: 25}
		use := func() (wait time.Duration) {
			l.in(func(tx *ent.Tx) (err error) {
				wait, err = quota.Take(context.Background(), tx, func() time.Time { return l.now })
				return err
			})
			return wait
		}
		peek := func() time.Duration {
			wait, err := quota.Peek(context.Background(), l.client, l.now)
			if err != nil {
				t.Error(err)
			}
			return wait
		}
		for range 2 {
			if peek() != 0 {
				t.Error("an unused quota is used up")
			}
			var taken atomic.Int64
			var all sync.WaitGroup
			for range 40 {
				all.Go(func() {
					if use() == 0 {
						taken.Add(1)
					}
				})
			}
			if all.Wait(); taken.Load() != 25 {
				t.Errorf("%d were taken", taken.Load())
			}
			l.pass(45 * time.Second)
			if use() != 15*time.Second || peek() != 15*time.Second {
				t.Errorf("the wait is %v, and %v for one who only looks", use(), peek())
			}
			l.pass(15 * time.Second)
		}
	})
}

// take books an event, and checks how long the wait is.
func (l *counters) take(wait time.Duration, of ...ratelimit.Limit) (booked ratelimit.Booking) {
	l.t.Helper()
	l.in(func(tx *ent.Tx) error {
		got, full, err := ratelimit.Take(context.Background(), tx, func() time.Time { return l.now }, of...)
		is := full.Wait
		if booked = got; is != wait || (is == 0) != (len(got) > 0) {
			l.t.Errorf("at %v the wait is %v, want %v, with the booking %v", l.now.Format(time.TimeOnly), is, wait, got)
		}
		return err
	})
	return booked
}

func (l *counters) pass(d time.Duration) { l.now = l.now.Add(d) }

// TestWindowSlides checks that the limit holds for any span of the window's length, not for fixed spans.
func TestWindowSlides(t *testing.T) {
	each(t, func(l *counters) {
		three := ratelimit.Limit{Key: "a", Window: time.Minute, Most: 3}
		l.take(0, three)
		l.pass(50 * time.Second)
		l.take(0, three)
		l.take(0, three)
		l.take(10*time.Second, three)
		l.pass(10*time.Second - time.Microsecond)
		l.take(time.Microsecond, three)
		l.pass(time.Microsecond)
		l.take(0, three)
		l.take(50*time.Second, three) // those of second 50 hold until second 110
		l.take(0, ratelimit.Limit{Key: "b", Window: time.Minute, Most: 3})
	})
}

// TestAllOrNone checks that nothing is booked under any limit if one is full, and that the longest wait
// counts.
func TestAllOrNone(t *testing.T) {
	each(t, func(l *counters) {
		narrow := ratelimit.Limit{Key: "narrow", Window: time.Minute, Most: 1}
		wide := ratelimit.Limit{Key: "wide", Window: time.Hour, Most: 2}
		l.take(0, narrow, wide)
		for range 5 {
			l.take(time.Minute, narrow, wide)
		}
		l.take(0, wide)
		l.take(time.Hour, wide, narrow)
		l.pass(time.Hour)
		l.take(0, wide, narrow)
	})
}

// TestLimitsOfOneKey checks that limits with the same key count the same events.
func TestLimitsOfOneKey(t *testing.T) {
	each(t, func(l *counters) {
		both := []ratelimit.Limit{{Key: "a", Window: time.Hour, Most: 2}, {Key: "a", Window: 24 * time.Hour, Most: 3}}
		l.take(0, both...)
		l.take(0, both...)
		l.take(time.Hour, both...)
		l.pass(time.Hour)
		l.take(0, both...)
		l.take(23*time.Hour, both...)
	})
}

func TestUndoAndForget(t *testing.T) {
	each(t, func(l *counters) {
		two := ratelimit.Limit{Key: "a", Window: time.Minute, Most: 2}
		l.take(0, two)
		booked := l.take(0, two)
		l.take(time.Minute, two)
		l.in(func(tx *ent.Tx) error { return ratelimit.Undo(context.Background(), tx, booked) })
		l.take(0, two)
		l.take(time.Minute, two)
		l.in(func(tx *ent.Tx) error { return ratelimit.Forget(context.Background(), tx, "b") })
		l.take(time.Minute, two)
		l.in(func(tx *ent.Tx) error { return ratelimit.Forget(context.Background(), tx, "a") })
		l.take(0, two)
	})
}

// TestTakeRaces takes concurrently: no more is booked than allowed, and keys in any order do not deadlock.
func TestTakeRaces(t *testing.T) {
	each(t, func(l *counters) {
		a := ratelimit.Limit{Key: "a", Window: time.Minute, Most: 7}
		b := ratelimit.Limit{Key: "b", Window: time.Minute, Most: 100}
		var taken atomic.Int64
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				of := []ratelimit.Limit{a, b}
				if i%2 == 0 {
					of = []ratelimit.Limit{b, a}
				}
				l.in(func(tx *ent.Tx) error {
					_, full, err := ratelimit.Take(context.Background(), tx, func() time.Time { return l.now }, of...)
					if err == nil && full.Wait == 0 {
						taken.Add(1)
					}
					return err
				})
			})
		}
		if all.Wait(); taken.Load() != 7 {
			t.Errorf("%d were taken", taken.Load())
		}
	})
}

// try counts a failure, and checks how long the key is locked.
func (l *counters) try(r ratelimit.Lockout, wait time.Duration) {
	l.t.Helper()
	l.in(func(tx *ent.Tx) error {
		is, err := r.Try(context.Background(), tx, l.now)
		if is != wait {
			l.t.Errorf("the wait is %v, want %v", is, wait)
		}
		return err
	})
}

func TestLockout(t *testing.T) {
	each(t, func(l *counters) {
		run := ratelimit.Lockout{Key: "a", Free: 3, First: time.Minute, Most: 5 * time.Minute}
		for range 3 {
			l.try(run, 0)
		}
		for _, pause := range []time.Duration{
			time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute,
		} {
			l.try(run, pause)
			l.try(run, pause)
			l.pass(pause - time.Microsecond)
			l.try(run, time.Microsecond)
			l.pass(time.Microsecond)
			l.try(run, 0)
		}
		l.try(run, 5*time.Minute)
		l.in(func(tx *ent.Tx) error { return run.Clear(context.Background(), tx) })
		for range 3 {
			l.try(run, 0)
		}
		l.try(run, time.Minute)
		l.try(ratelimit.Lockout{Key: "b", Free: 3, First: time.Minute, Most: time.Hour}, 0)
	})
}

// TestSweepForgetsWhatHasPassed checks that only rows which no limit reads are deleted.
func TestSweepForgetsWhatHasPassed(t *testing.T) {
	each(t, func(l *counters) {
		ctx := context.Background()
		short := ratelimit.Limit{Key: "short", Window: time.Minute, Most: 1}
		long := ratelimit.Limit{Key: "long", Window: time.Hour, Most: 1}
		run := ratelimit.Lockout{Key: "run", Free: 1, First: time.Hour, Most: time.Hour}
		l.take(0, short, long)
		l.try(run, 0)
		l.pass(time.Minute)
		if err := sweep.Run(ctx, l.client.Raw(), ratelimit.Old(l.now), nil); err != nil {
			t.Fatal(err)
		}
		if n := l.client.RateEvent.Query().CountX(ctx); n != 1 {
			t.Errorf("%d events are left, want the one of an hour", n)
		}
		l.take(59*time.Minute, long)
		l.try(run, 59*time.Minute)
		l.pass(25 * time.Hour)
		if err := sweep.Run(ctx, l.client.Raw(), ratelimit.Old(l.now), nil); err != nil {
			t.Fatal(err)
		}
		events, keys := l.client.RateEvent.Query().CountX(ctx), l.client.RateKey.Query().CountX(ctx)
		if events+keys != 0 {
			t.Errorf("%d events and %d keys are left", events, keys)
		}
	})
}
