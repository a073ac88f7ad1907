package graph

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/maypok86/otter/v2"
)

// counts keeps what would take reading a whole list to know: totals of lists, items of categories, forms. Each is kept under
// the tenant's content version, which every change of public content raises in its own transaction, so that it is never
// old; and only until the next scheduled publication, which changes lists without a write.
type counts struct {
	kept *otter.Cache[countKey, counted]
}

// countKey names something counted. what is a comparable value that says all of what was counted, filters included.
type countKey struct {
	tenant  uuid.UUID
	version int64
	what    any
}

type counted struct {
	value any
	until time.Time // zero: until the content changes
}

// countsKept bounds how many answers are kept, one that has many parts for as many; the ones that are asked for least go
// first.
const countsKept = 50_000

func newCounts() *counts {
	return &counts{kept: otter.Must(&otter.Options[countKey, counted]{MaximumWeight: countsKept, Weigher: weigh})}
}

func weigh(_ countKey, c counted) uint32 {
	if many, ok := c.value.(interface{ weight() int }); ok {
		return uint32(1 + many.weight())
	}
	return 1
}

// count gives what is kept for a tenant, or counts it, once for all who ask at the same time. The count also says until
// when it holds.
func count[T any](ctx context.Context, r *Resolver, tenant uuid.UUID, what any, count func(context.Context) (T, time.Time, error)) (T, error) {
	if value, ok := kept[T](ctx, r, tenant, what); ok {
		return value, nil
	}
	key := countKey{tenant, scopeOf(ctx).version(tenant), what}
	got, err := r.counts.kept.Get(ctx, key, otter.LoaderFunc[countKey, counted](
		func(ctx context.Context, _ countKey) (counted, error) {
			value, until, err := count(ctx)
			return counted{value, until}, err
		}))
	if err != nil {
		var none T
		return none, err
	}
	return got.value.(T), nil
}

// kept gives what is kept for a tenant and still holds; what does not hold any more is dropped.
func kept[T any](ctx context.Context, r *Resolver, tenant uuid.UUID, what any) (value T, ok bool) {
	key := countKey{tenant, scopeOf(ctx).version(tenant), what}
	old, ok := r.counts.kept.GetIfPresent(key)
	if !ok {
		return value, false
	}
	if !old.until.IsZero() && !now(ctx).Before(old.until) {
		r.counts.kept.Invalidate(key)
		return value, false
	}
	return old.value.(T), true
}
