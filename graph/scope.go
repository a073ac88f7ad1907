package graph

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/tenancy"
)

// scope is what the resolvers of one request share: a single now, so that one answer agrees with itself,
// the content version of each tenant it reached, and which records were loaded together.
type scope struct {
	now      time.Time
	mu       sync.Mutex
	versions map[uuid.UUID]int64
	siblings map[any]*siblings
}

type scopeKey struct{}

func withScope(ctx context.Context, now time.Time) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{
		now: now.UTC(), versions: map[uuid.UUID]int64{}, siblings: map[any]*siblings{},
	})
}

func scopeOf(ctx context.Context) *scope { return ctx.Value(scopeKey{}).(*scope) }

// requestTime is the moment the request is answered for.
func requestTime(ctx context.Context) time.Time {
	if earlier, ok := ctx.Value(earlierKey{}).(time.Time); ok {
		return earlier
	}
	return scopeOf(ctx).now
}

type earlierKey struct{}

// reached notes a tenant that the request has found; all of its records are reached through it.
func (s *scope) reached(t *ent.Tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions[t.ID] = t.ContentVersion
}

// version is the content version a tenant had when the request reached it.
func (s *scope) version(tenant uuid.UUID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.versions[tenant]
}

// inTenant gives a context that works on the records of one tenant.
func inTenant(ctx context.Context, tenant uuid.UUID) context.Context { return tenancy.In(ctx, tenant) }
