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
// the tenants it reached with their content versions, and which records were loaded together.
type scope struct {
	now      time.Time
	mu       sync.Mutex
	tenants  map[uuid.UUID]*ent.Tenant // as they were when the request reached them
	counted  map[uuid.UUID]bool        // the tenants of which the answer shows how many records there are
	siblings map[any]*siblings
}

type scopeKey struct{}

func withScope(ctx context.Context, now time.Time) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{
		now: now.UTC(), tenants: map[uuid.UUID]*ent.Tenant{}, counted: map[uuid.UUID]bool{}, siblings: map[any]*siblings{},
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
	s.tenants[t.ID] = t
}

// version is the content version a tenant had when the request reached it.
func (s *scope) version(tenant uuid.UUID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tenants[tenant]; t != nil {
		return t.ContentVersion
	}
	return 0
}

// showsCount notes that the answer shows how many records of a tenant there are, beside some of them.
func (s *scope) showsCount(tenant uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted[tenant] = true
}

// ofOneMoment reports whether what the request read of each tenant is of one content version. An answer that
// shows a count beside records is of two when an import commits between them. Other answers are not looked at.
func (r *Resolver) ofOneMoment(ctx context.Context) (bool, error) {
	s := scopeOf(ctx)
	for id := range s.counted { // nothing of the request runs any more
		now, err := r.currentVersion(ctx, s.tenants[id])
		if err != nil || now != s.tenants[id].ContentVersion {
			return false, err
		}
	}
	return true, nil
}

// inTenant gives a context that works on the records of one tenant.
func inTenant(ctx context.Context, tenant uuid.UUID) context.Context { return tenancy.In(ctx, tenant) }
