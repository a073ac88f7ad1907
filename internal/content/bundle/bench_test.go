package bundle_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/content/bundle"
	"storefront/internal/database/store/storetest"
	"storefront/internal/testkit/testdb"
)

// BenchmarkImportBooks imports 10,000 products into an empty database, and then again. peak-MB is the growth
// of the heap at its peak; with PostgreSQL that is the importer alone.
func BenchmarkImportBooks(b *testing.B) {
	for name, create := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite,
		"postgres": testdb.Postgres} {
		b.Run(name, func(b *testing.B) {
			var first, again time.Duration
			var peak uint64
			for b.Loop() {
				b.StopTimer()
				s := storetest.Open(b, create(b))
				if err := s.Migrate(b.Context()); err != nil {
					b.Fatal(err)
				}
				stop := watchHeap()
				b.StartTimer()
				for _, spent := range []*time.Duration{&first, &again} {
					start := time.Now()
					if _, err := bundle.Import(b.Context(), s, books, nil); err != nil {
						b.Fatal(err)
					}
					*spent += time.Since(start)
				}
				peak = max(peak, stop())
			}
			b.ReportMetric(first.Seconds()/float64(b.N), "s/first")
			b.ReportMetric(again.Seconds()/float64(b.N), "s/again")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
		})
	}
}

// watchHeap begins to sample the size of the heap. The returned function stops that and returns the largest
// size seen, in bytes.
func watchHeap() (stop func() uint64) {
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				most.Store(max(most.Load(), now.HeapAlloc))
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return max(most.Load(), before.HeapAlloc) - before.HeapAlloc
	}
}
