package catalog

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/platform/bounded"
	"storefront/internal/request"
)

// countCache caches results that need a whole list to be read: totals of lists, facets, items of categories,
// forms. A count is cached under the content version of its tenant, which every change of public content
// raises in its own transaction, so that it is never outdated. It is valid only until the next scheduled
// publication, which changes lists without a write.
type countCache struct {
	cache bounded.Cache[keptCount]
	seeds [2]maphash.Seed // unknown to clients, so that nobody can choose filters with equal hashes

	hits, misses atomic.Int64
}

// subject identifies a count.
type subject struct {
	tenant uuid.UUID
	what   string // such as "products.total"; a constant
	filter any    // a comparable value that determines what is counted, or nil
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
		cache: bounded.New(bytes, func(_ string, c keptCount) uint32 {
			return uint32(min(countOverhead+c.bytes, math.MaxUint32))
		}),
	}
}

// key returns the key of a subject at a content version. The filter is hashed, because filters hold search texts of any
// length and keys should have about the same size.
func (c *countCache) key(s subject, version int64) string {
	key := make([]byte, 0, 64)
	key = append(key, s.tenant[:]...)
	key = binary.BigEndian.AppendUint64(key, uint64(version))
	for _, seed := range c.seeds {
		key = binary.BigEndian.AppendUint64(key, maphash.Comparable(seed, s.filter))
	}
	return string(append(key, s.what...))
}

// sized is a cached value that is larger than a number.
type sized interface{ Bytes() int }

func bytesOf(value any) int {
	if s, ok := value.(sized); ok {
		return s.Bytes()
	}
	return 8
}

// keeps reports whether counts are cached and shared. In a mutation they are not: what it reads after its write is of
// a later version than the one that it reached, and may still be rolled back; and a request that holds the connection
// of its transaction must not wait for another request's count.
func keeps(ctx context.Context) bool {
	return !graphql.HasOperationContext(ctx) ||
		graphql.GetOperationContext(ctx).Operation.Operation != ast.Mutation
}

// countOnce returns the cached count of a subject, or counts it, once for all concurrent callers. count also
// returns the time until which its result is valid.
func countOnce[T any](
	ctx context.Context, r *Catalog, s subject, count func(context.Context) (T, time.Time, error),
) (T, error) {
	if !keeps(ctx) {
		value, _, err := count(database.WithoutReadLimit(ctx))
		return value, err
	}
	if value, ok := cachedCount[T](ctx, r, s); ok {
		return value, nil
	}
	key := r.counts.key(s, ScopeOf(ctx).version(s.tenant))
	got, err := r.counts.cache.Load(ctx, key, func(ctx context.Context) (keptCount, error) {
		value, until, err := count(database.WithoutReadLimit(ctx))
		return keptCount{value: value, until: until, bytes: bytesOf(value)}, err
	})
	if err != nil {
		var none T
		return none, err
	}
	if got.until.Equal(overtaken) {
		ScopeOf(ctx).isMoved(s.tenant)
	}
	return got.value.(T), nil
}

// publicCount is contentCount for what the time changes too: a count until the next record becomes public or ends.
func publicCount[T any](ctx context.Context, r *Catalog, s subject, count func(context.Context) (T, error)) (T, error) {
	return contentCount(ctx, r, s, func(ctx context.Context) (value T, until time.Time, err error) {
		if until, err = r.nextChange(ctx, s.tenant); err == nil {
			value, err = count(ctx)
		}
		return value, until, err
	})
}

// Counted returns what count makes of a shop's public content, which is kept until that changes. what, a constant, and
// key, a comparable value, say what is counted.
func Counted[T any](
	ctx context.Context, r *Catalog, shop uuid.UUID, what string, key any, count func(context.Context) (T, error),
) (T, error) {
	return publicCount(ctx, r, subject{shop, what, key}, count)
}

// contentCount is countOnce for content. It checks the content version again after counting, so that the count is not
// cached under a wrong version. A count of a shop that is gone is not cached.
func contentCount[T any](ctx context.Context, r *Catalog, s subject,
	count func(context.Context) (value T, until time.Time, err error),
) (T, error) {
	var reached *ent.Tenant
	if keeps(ctx) {
		var err error
		if reached, err = r.reach(ctx, s.tenant); err != nil {
			var none T
			return none, err
		}
	}
	if reached == nil {
		value, _, err := count(InTenant(database.WithoutReadLimit(ctx), s.tenant))
		return value, err
	}
	return countOnce(InTenant(ctx, s.tenant), r, s, func(ctx context.Context) (T, time.Time, error) {
		value, until, err := count(ctx)
		if err != nil {
			return value, until, err
		}
		version, err := r.currentVersion(ctx, reached)
		if err == nil && version != reached.ContentVersion {
			until = overtaken
		}
		return value, until, err
	})
}

// cachedCount returns the cached count of a subject if it is still valid. It removes an expired one.
func cachedCount[T any](ctx context.Context, r *Catalog, s subject) (value T, ok bool) {
	if !keeps(ctx) {
		return value, false
	}
	key := r.counts.key(s, ScopeOf(ctx).version(s.tenant))
	kept, ok := r.counts.cache.Get(key)
	if !ok {
		r.counts.misses.Add(1)
		return value, false
	}
	if !kept.until.IsZero() && !request.Of(ctx).Now.Before(kept.until) {
		r.counts.cache.Delete(key)
		r.counts.misses.Add(1)
		return value, false
	}
	r.counts.hits.Add(1)
	return kept.value.(T), true
}
