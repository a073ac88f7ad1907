package catalog

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/request"
)

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
	key := r.counts.key(ctx, s)
	got, err := r.counts.cache.Load(ctx, key, func(ctx context.Context) (keptCount, error) {
		value, until, err := count(database.WithoutReadLimit(ctx))
		return keptCount{value, until}, err
	})
	if err != nil {
		var none T
		return none, err
	}
	if got.until.Equal(overtaken) {
		ScopeOf(ctx).note(s.tenant, (*reads).isMoved)
	}
	return got.value.(T), nil
}

// Counted returns what count makes of a shop's public content. It is kept until that changes, or the next record
// becomes public or ends. what, a constant, and key, a comparable value, say what is counted.
func Counted[T any](
	ctx context.Context, r *Catalog, shop uuid.UUID, what string, key any, count func(context.Context) (T, error),
) (T, error) {
	of := subject{shop, what, key}
	return contentCount(ctx, r, of, func(ctx context.Context) (value T, until time.Time, err error) {
		if until, err = r.nextChange(ctx, shop); err == nil {
			value, err = count(ctx)
		}
		return value, until, err
	})
}

// contentCount is countOnce for content. It checks the content version again after counting, so that the count is not
// cached under a wrong version. A count of a shop that is gone is not cached.
func contentCount[T any](ctx context.Context, r *Catalog, s subject,
	count func(context.Context) (value T, until time.Time, err error),
) (value T, err error) {
	ctx = tenancy.In(ctx, s.tenant)
	var reached *ent.Tenant
	if keeps(ctx) {
		if reached, err = r.reach(ctx, s.tenant); err != nil {
			return value, err
		}
	}
	if reached == nil {
		value, _, err = count(database.WithoutReadLimit(ctx))
		return value, err
	}
	return countOnce(ctx, r, s, func(ctx context.Context) (T, time.Time, error) {
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
	key := r.counts.key(ctx, s)
	kept, ok := r.counts.cache.Get(key)
	if ok && !kept.until.IsZero() && !request.Of(ctx).Now.Before(kept.until) {
		r.counts.cache.Delete(key)
		ok = false
	}
	if !ok {
		r.counts.misses.Add(1)
		return value, false
	}
	r.counts.hits.Add(1)
	return kept.value.(T), true
}
