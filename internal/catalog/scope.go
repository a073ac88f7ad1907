package catalog

import (
	"context"
	"sync"
	"time"

	"entgo.io/ent/dialect/sql"
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
	moved    map[uuid.UUID]bool        // the tenants whose content was read in another version, too
	unsure   map[uuid.UUID]bool        // the tenants of which something was read in a version that is not known
	siblings map[any]*siblings
	known    map[any]any        // by Once
	previews map[uuid.UUID]bool // the products that are shown as they would be published
}

type scopeKey struct{}

func WithScope(ctx context.Context, now time.Time) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{
		now: now.UTC(), tenants: map[uuid.UUID]*ent.Tenant{}, counted: map[uuid.UUID]bool{},
		moved: map[uuid.UUID]bool{}, unsure: map[uuid.UUID]bool{}, siblings: map[any]*siblings{},
		known: map[any]any{}, previews: map[uuid.UUID]bool{},
	})
}

func ScopeOf(ctx context.Context) *scope { return ctx.Value(scopeKey{}).(*scope) }

// RequestTime is the moment the request is answered for.
func RequestTime(ctx context.Context) time.Time {
	if earlier, ok := ctx.Value(earlierKey{}).(time.Time); ok {
		return earlier
	}
	return ScopeOf(ctx).now
}

type earlierKey struct{}

// Reached notes a tenant that the request has found; all of its records are reached through it.
func (s *scope) Reached(t *ent.Tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tenants[t.ID] = t
}

// version is the content version a tenant had when the request reached it.
func (s *scope) version(tenant uuid.UUID) int64 {
	if t := s.tenant(tenant); t != nil {
		return t.ContentVersion
	}
	return 0
}

// tenant is a tenant as it was when the request reached it; nil: it did not.
func (s *scope) tenant(id uuid.UUID) *ent.Tenant {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tenants[id]
}

// showsCount notes that the answer shows how many records of a tenant there are, beside some of them.
func (s *scope) showsCount(tenant uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted[tenant] = true
}

// saw notes the version in which records of a tenant were read.
func (s *scope) saw(tenant uuid.UUID, version int64) {
	if version != s.version(tenant) {
		s.isMoved(tenant)
	}
}

// isMoved notes that content of a tenant was read in another version than the one that the request reached.
func (s *scope) isMoved(tenant uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved[tenant] = true
}

// isUnsure notes that records of a tenant were read in a version that is not known.
func (s *scope) isUnsure(tenant uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsure[tenant] = true
}

// ReadConsistently reports whether the lists and the counts that the answer shows of a tenant are of one content
// version: an import may commit between them. Counts are those of the version in which the request reached the
// tenant; the statement that reads a list says which version it saw (selectVersion). An answer without counts is
// not looked at.
func (r *Catalog) ReadConsistently(ctx context.Context) (bool, error) {
	s := ScopeOf(ctx)
	for id := range s.counted { // nothing of the request runs any more
		if s.unsure[id] && !s.moved[id] {
			version, err := r.currentVersion(ctx, s.tenants[id])
			if err != nil {
				return false, err
			}
			s.saw(id, version)
		}
		if s.moved[id] {
			return false, nil
		}
	}
	return true, nil
}

// selectVersion reads beside each record the content version of its tenant, as the statement sees it.
func selectVersion(id uuid.UUID) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.AppendSelectExprAs(sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("(SELECT content_version FROM tenants WHERE id = ").Arg(id).WriteByte(')')
		}), "tenant_version")
	}
}

// Once returns what find returns for a key, and calls it once in a request.
func Once[T any](ctx context.Context, key any, find func() (T, error)) (T, error) {
	s := ScopeOf(ctx)
	s.mu.Lock()
	once, ok := s.known[key].(func() (T, error))
	if !ok {
		once = sync.OnceValues(find)
		s.known[key] = once
	}
	s.mu.Unlock()
	return once()
}

// InTenant gives a context that works on the records of one tenant.
func InTenant(ctx context.Context, tenant uuid.UUID) context.Context { return tenancy.In(ctx, tenant) }
