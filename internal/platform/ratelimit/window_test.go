package ratelimit_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/ent/rateevent"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/platform/ratelimit"
)

// partners returns limits like those of the SMS gateway.
func partners(number string) []ratelimit.Limit {
	return []ratelimit.Limit{
		{Key: "sms:partner:one", Window: time.Minute, Most: 30},
		{Key: "sms:to:" + number, Window: time.Minute, Most: 5},
	}
}

// TestTakeIsThreeStatements checks that booking takes three statements and refusing two, however many old
// events there are.
func TestTakeIsThreeStatements(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		l.fill(t, 20_000, "sms:partner:one")
		for i := range 7 {
			l.statements = nil
			wait, err := l.take(t.Context(), noon, partners("7")...)
			if err != nil {
				t.Fatal(err)
			}
			want := 3
			if i >= 5 {
				want = 2
			}
			if len(l.statements) != want || (wait > 0) != (i >= 5) {
				t.Errorf("the %dth: wait %v, %d statements: %v", i, wait, len(l.statements), l.statements)
			}
		}
	})
}

// TestOldEventsAreNotRead checks that the databases find the events of a window by the index, not by
// reading the table.
func TestOldEventsAreNotRead(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		l.fill(t, 20_000, "sms:partner:one")
		if _, err := l.take(t.Context(), noon, partners("7")...); err != nil {
			t.Fatal(err)
		}
		plan := l.plan(t, l.statements[1])
		text := strings.Join(plan, "\n")
		if !strings.Contains(text, "rateevent_key_at") || strings.Contains(text, "Seq Scan") ||
			strings.Contains(text, "SCAN") {
			t.Errorf("%s runs as\n%s", l.statements[1].text, text)
		}
	})
}

// TestWindowsAreExact compares Take with the simplest way to count, at times on and near the edges of
// windows.
func TestWindowsAreExact(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		chance := rand.New(rand.NewPCG(1, 2))
		booked := map[string][]time.Time{}
		now := noon
		of := func(key string, window time.Duration, most int) ratelimit.Limit {
			return ratelimit.Limit{Key: key, Window: window, Most: most}
		}
		for range 600 {
			limits := []ratelimit.Limit{
				of("a", 10*time.Microsecond, 6),
				of([]string{"b", "c"}[chance.IntN(2)], 10*time.Microsecond, 3),
			}
			if chance.IntN(4) == 0 {
				limits = append(limits, of("a", 4*time.Microsecond, 3)) // two windows of one key
			}
			now = now.Add(time.Duration(chance.IntN(4)) * time.Microsecond)
			var want time.Duration
			for _, limit := range limits {
				for try := time.Duration(0); ; try += time.Microsecond {
					inside := slices.DeleteFunc(slices.Clone(booked[limit.Key]), func(at time.Time) bool {
						return now.Add(try).Sub(at) >= limit.Window
					})
					if len(inside) < limit.Most {
						want = max(want, try)
						break
					}
				}
			}
			got, err := l.take(t.Context(), now, limits...)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Fatalf("at %v of %v: wait %v, want %v; booked %v", now, limits, got, want, booked)
			}
			if want == 0 {
				booked["a"] = append(booked["a"], now)
				booked[limits[1].Key] = append(booked[limits[1].Key], now)
			}
		}
	})
}

// TestSweep checks that all expired events are deleted, and no others.
func TestSweep(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		const old = 2500 // more than two batches
		l.fill(t, old, "sms:partner:one")
		moments := []time.Time{
			noon.Add(-25 * time.Hour), noon.Add(-time.Minute), noon.Add(-time.Minute + time.Microsecond), noon,
		}
		for i, now := range moments {
			if _, err := l.take(t.Context(), now, partners(string(rune('a'+i)))...); err != nil {
				t.Fatal(err)
			}
		}
		if err := sweep.Run(t.Context(), l.Client.Raw(), ratelimit.Old(noon), nil); err != nil {
			t.Fatal(err)
		}
		times := map[time.Time]int{}
		for _, e := range l.RateEvent.Query().AllX(t.Context()) {
			times[e.At.UTC()]++
		}
		if len(times) != 2 || times[noon] != 2 || times[noon.Add(-time.Minute+time.Microsecond)] != 2 {
			t.Errorf("left are %v", times)
		}
		keys := l.RateKey.Query().IDsX(t.Context())
		slices.Sort(keys)
		if want := []string{"sms:partner:one", "sms:to:b", "sms:to:c", "sms:to:d"}; !slices.Equal(keys, want) {
			t.Errorf("keys left are %q, want %q", keys, want)
		}
		if wait, err := l.take(t.Context(), noon, partners("d")...); err != nil || wait > 0 {
			t.Errorf("wait %v, %v", wait, err)
		}
		if n := l.RateEvent.Query().Where(rateevent.Key("sms:to:d")).CountX(t.Context()); n != 2 {
			t.Errorf("%d events", n)
		}
	})
}

// TestSweepGoesInBatches checks that no statement of a sweep deletes many rows.
func TestSweepGoesInBatches(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		l := open(t, url)
		l.fill(t, 2500, "sms:partner:one")
		tx, err := l.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = sweep.Run(t.Context(), tx.Client().Raw(), ratelimit.Old(noon), nil)
		if err := errors.Join(err, tx.Rollback()); err != nil {
			t.Fatal(err)
		}
		if n := len(l.statements); n != 3+1 {
			t.Errorf("%d statements for three batches of events and one of keys: %v", n, l.statements)
		}
		plan := strings.Join(l.plan(t, l.statements[0]), "\n")
		if !strings.Contains(plan, "rateevent_expires_at") {
			t.Errorf("a batch is removed by\n%s", plan)
		}
	})
}
