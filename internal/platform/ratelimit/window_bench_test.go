package ratelimit_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/platform/ratelimit"
)

// BenchmarkWindows books messages as the SMS gateway does, in two windows at once, with and without a
// million former events. The time of a booking must not grow with the number of former events.
func BenchmarkWindows(b *testing.B) {
	for _, old := range []int{0, 1_000_000} {
		for _, kind := range []struct {
			name string
			url  func(testing.TB) string
		}{{"sqlite", storetest.Migrated.SQLite}, {"postgres", storetest.Migrated.Postgres}} {
			b.Run(fmt.Sprintf("old=%d/%s", old, kind.name), func(b *testing.B) {
				l := open(b, kind.url(b))
				l.fill(b, old, "sms:partner:one")
				now, i := noon, 0
				for b.Loop() {
					now, i = now.Add(3*time.Second), i+1 // 20 in a window of 30
					if wait, err := l.take(b.Context(), now, partners(strconv.Itoa(i%100))...); wait > 0 || err != nil {
						b.Fatal(wait, err)
					}
				}
			})
		}
	}
}

// BenchmarkSweep removes a million former events.
func BenchmarkSweep(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{
		"sqlite": storetest.Migrated.SQLite, "postgres": storetest.Migrated.Postgres,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				l := open(b, url(b))
				l.fill(b, 1_000_000, "sms:partner:one")
				b.StartTimer()
				if err := sweep.Run(b.Context(), l.Client.Raw(), ratelimit.Old(noon), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
