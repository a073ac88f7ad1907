package catalog

import (
	"context"
	"hash/maphash"
	"math"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/maypok86/otter/v2"

	"storefront/internal/database"
)

// countCache caches results that need a whole list to be read: totals of lists, facets, items of categories,
// forms. A count is cached under the content version of its tenant, which every change of public content
// raises in its own transaction, so that it is never outdated. It is valid only until the next scheduled
// publication, which changes lists without a write.
type countCache struct {
	cache *otter.Cache[countKey, keptCount]
	seeds [2]maphash.Seed // unknown to clients, so that nobody can choose filters with equal hashes

	hits, misses atomic.Int64
}

// subject identifies a count.
type subject struct {
	tenant uuid.UUID
	what   string // such as "products.total"; a constant
	filter any    // a comparable value that determines what is counted, or nil
}

// countKey is a subject at a content version. Its filter is a hash, because filters hold search texts of any
// length and keys should have a fixed size.
type countKey struct {
	tenant  uuid.UUID
	version int64
	what    string
	filter  [2]uint64
}

type keptCount struct {
	value any
	until time.Time // zero: until the content changes
	bytes int       // the most memory of the value
}

// overtaken is the expiry of a count that was overtaken by a change of the content: it is never valid.
var overtaken = time.Unix(0, 0)

// maxCountBytes is the most memory of all cached counts. The least used ones are evicted first.
const maxCountBytes = 32 << 20

// countOverhead is the memory that the cache needs for a count besides its value.
const countOverhead = 400

func newCountCache() *countCache { return newBoundedCountCache(maxCountBytes) }

func newBoundedCountCache(bytes uint64) *countCache {
	return &countCache{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		cache: otter.Must(&otter.Options[countKey, keptCount]{
			MaximumWeight: bytes,
			Weigher: func(_ countKey, c keptCount) uint32 {
				return uint32(min(countOverhead+c.bytes, math.MaxUint32))
			},
		}),
	}
}

func (c *countCache) key(s subject, version int64) countKey {
	return countKey{
		tenant: s.tenant, version: version, what: s.what,
		filter: [2]uint64{maphash.Comparable(c.seeds[0], s.filter), maphash.Comparable(c.seeds[1], s.filter)},
	}
}

// sized is a cached value that is larger than a number.
type sized interface{ Bytes() int }

func bytesOf(value any) int {
	if s, ok := value.(sized); ok {
		return s.Bytes()
	}
	return 8
}

// countOnce returns the cached count of a subject, or counts it, once for all concurrent callers. count also
// returns the time until which its result is valid. A count within a joint transaction sees uncommitted
// changes that may be rolled back, so it is neither cached nor shared.
func countOnce[T any](
	ctx context.Context, r *Catalog, s subject, count func(context.Context) (T, time.Time, error),
) (T, error) {
	if database.Joined(ctx) {
		value, _, err := count(ctx)
		return value, err
	}
	if value, ok := cachedCount[T](ctx, r, s); ok {
		return value, nil
	}
	key := r.counts.key(s, ScopeOf(ctx).version(s.tenant))
	got, err := r.counts.cache.Get(ctx, key, otter.LoaderFunc[countKey, keptCount](
		func(ctx context.Context, _ countKey) (keptCount, error) {
			value, until, err := count(database.WithoutReadLimit(ctx))
			return keptCount{value: value, until: until, bytes: bytesOf(value)}, err
		}))
	if err != nil {
		var none T
		return none, err
	}
	if got.until.Equal(overtaken) {
		ScopeOf(ctx).isMoved(s.tenant)
	}
	return got.value.(T), nil
}

// surely makes a count check the content version again after counting, so that it is not cached under a wrong
// version.
func surely[T any](
	r *Catalog, tenant uuid.UUID, count func(context.Context) (T, time.Time, error),
) func(context.Context) (T, time.Time, error) {
	return func(ctx context.Context) (T, time.Time, error) {
		value, until, err := count(ctx)
		if err != nil {
			return value, until, err
		}
		reached := ScopeOf(ctx).tenant(tenant)
		version, err := r.currentVersion(ctx, reached)
		if err == nil && version != reached.ContentVersion {
			until = overtaken
		}
		return value, until, err
	}
}

// cachedCount returns the cached count of a subject if it is still valid. It removes an expired one.
func cachedCount[T any](ctx context.Context, r *Catalog, s subject) (value T, ok bool) {
	if database.Joined(ctx) { // it may have written
		return value, false
	}
	key := r.counts.key(s, ScopeOf(ctx).version(s.tenant))
	kept, ok := r.counts.cache.GetIfPresent(key)
	if !ok {
		r.counts.misses.Add(1)
		return value, false
	}
	if !kept.until.IsZero() && !RequestTime(ctx).Before(kept.until) {
		r.counts.cache.Invalidate(key)
		r.counts.misses.Add(1)
		return value, false
	}
	r.counts.hits.Add(1)
	return kept.value.(T), true
}
