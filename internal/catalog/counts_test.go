package catalog

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/content/derive"
)

// TestCountsAreBoundedInBytes checks that the cached counts stay within their limit, whatever the filters
// hold and however large the results are.
func TestCountsAreBoundedInBytes(t *testing.T) {
	const bound = 2 << 20
	floods := map[string]struct {
		counts int
		count  func(ctx context.Context, r *Catalog, i int) error
	}{
		"totals of long filters": {2_000, func(ctx context.Context, r *Catalog, i int) error {
			filter := Filter{values: conditions(fmt.Sprint(i) + strings.Repeat("x", 50_000))}
			_, err := countOnce(ctx, r, subject{tenant: uuid.Max, what: "products.total", filter: filter},
				func(context.Context) (int, time.Time, error) { return i, time.Time{}, nil })
			return err
		}},
		"items of many categories": {300, func(ctx context.Context, r *Catalog, i int) error {
			_, err := countOnce(ctx, r, subject{tenant: uuid.Max, what: "categories.items", filter: i},
				func(context.Context) (itemCounts, time.Time, error) {
					counts := itemCounts{}
					for range 1_000 {
						counts[derive.CategoryFacet(uuid.New())] = 1
					}
					return counts, time.Time{}, nil
				})
			return err
		}},
	}
	for name, flood := range floods {
		t.Run(name, func(t *testing.T) {
			r := &Catalog{counts: newCountCache(bound)}
			before := heapInUse()
			for i := range flood.counts {
				ctx := WithScope(t.Context(), time.Now()) // a request of its own
				if err := flood.count(ctx, r, i); err != nil {
					t.Fatal(err)
				}
			}
			r.counts.cache.Evict()
			taken, weight := heapInUse()-before, int(r.counts.cache.Weight())
			if taken > bound*5/4 || weight > bound {
				t.Errorf("%d counts take %d bytes and weigh %d, at most %d are allowed", flood.counts,
					taken, weight, bound)
			}
			if weight < bound/4 {
				t.Errorf("they weigh %d: this was no flood", weight)
			}
			runtime.KeepAlive(r)
		})
	}
}

// TestCountsByFilter checks that a count is found by an equal filter and not by another one.
func TestCountsByFilter(t *testing.T) {
	r := &Catalog{counts: newCountCache(maxCountBytes)}
	ctx := WithScope(t.Context(), time.Now())
	subjects := []subject{
		{tenant: uuid.Max, what: "products.total", filter: Filter{searched: searched{words: "a b"}}},
		{tenant: uuid.Max, what: "products.total", filter: Filter{searched: searched{words: "a c"}}},
		{tenant: uuid.Max, what: "products.total", filter: Filter{inStore: optional[bool]{given: true}}},
		{tenant: uuid.Max, what: "products.brands", filter: Filter{searched: searched{words: "a b"}}},
		{tenant: uuid.Nil, what: "products.total", filter: Filter{searched: searched{words: "a b"}}},
		{tenant: uuid.Max, what: "forms"},
	}
	for i, s := range subjects {
		n, err := countOnce(ctx, r, s, func(context.Context) (int, time.Time, error) { return i, time.Time{}, nil })
		if err != nil || n != i {
			t.Errorf("%v counts %d (%v), want %d", s, n, err, i)
		}
	}
	for i, s := range subjects {
		if n, known := cachedCount[int](ctx, r, s); n != i || !known {
			t.Errorf("%v is kept as %d (%v), want %d", s, n, known, i)
		}
	}
	hits, misses, want := r.counts.hits.Load(), r.counts.misses.Load(), int64(len(subjects))
	if hits != want || misses != want {
		t.Errorf("%d hits and %d misses, want %d of each", hits, misses, want)
	}
}

// heapInUse returns the bytes in use on the heap.
func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
