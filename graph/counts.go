package graph

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/maypok86/otter/v2"
)

// countCache keeps what could only be known by reading a whole list: totals of lists, facets, items of
// categories, forms. A count is kept under the content version of its tenant, which every change of public
// content raises in its own transaction, so that it is never outdated; and only until the next scheduled
// publication, which changes lists without a write.
type countCache struct {
	cache *otter.Cache[countKey, keptCount]
}

// subject names what is counted.
type subject struct {
	tenant uuid.UUID
	what   string // such as "products.total"
	filter any    // a comparable value that says all of what is counted, or nil
}

type countKey struct {
	subject
	version int64
}

type keptCount struct {
	value any
	until time.Time // zero: until the content changes
}

// maxCounts bounds how many counts are kept, one that has many parts for as many. Those that are asked for
// least go first.
const maxCounts = 50_000

func newCountCache() *countCache {
	return &countCache{cache: otter.Must(&otter.Options[countKey, keptCount]{
		MaximumWeight: maxCounts,
		Weigher:       func(_ countKey, c keptCount) uint32 { return weightOf(c.value) },
	})}
}

func weightOf(value any) uint32 {
	if many, ok := value.(interface{ weight() int }); ok {
		return uint32(1 + many.weight())
	}
	return 1
}

// countOnce gives the kept count of a subject, or counts it, once for all who ask at the same time. count
// also gives the time until which its result holds.
func countOnce[T any](
	ctx context.Context, r *Resolver, s subject, count func(context.Context) (T, time.Time, error),
) (T, error) {
	if value, ok := cachedCount[T](ctx, r, s); ok {
		return value, nil
	}
	key := countKey{subject: s, version: scopeOf(ctx).version(s.tenant)}
	got, err := r.counts.cache.Get(ctx, key, otter.LoaderFunc[countKey, keptCount](
		func(ctx context.Context, _ countKey) (keptCount, error) {
			value, until, err := count(ctx)
			return keptCount{value: value, until: until}, err
		}))
	if err != nil {
		var none T
		return none, err
	}
	return got.value.(T), nil
}

// cachedCount gives the kept count of a subject where there is one that still holds; one that does not is
// dropped.
func cachedCount[T any](ctx context.Context, r *Resolver, s subject) (value T, ok bool) {
	key := countKey{subject: s, version: scopeOf(ctx).version(s.tenant)}
	kept, ok := r.counts.cache.GetIfPresent(key)
	if !ok {
		return value, false
	}
	if !kept.until.IsZero() && !requestTime(ctx).Before(kept.until) {
		r.counts.cache.Invalidate(key)
		return value, false
	}
	return kept.value.(T), true
}
