package catalog

import (
	"context"
	"sync"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/request"
)

// scope is the shared state of the resolvers of one request: the tenants it reached with their content versions, and
// what it has read once.
type scope struct {
	mu       sync.Mutex
	tenants  map[uuid.UUID]*ent.Tenant // as they were when the request reached them
	read     map[uuid.UUID]int64       // content versions seen in lists before the tenant's own row was read
	counted  map[uuid.UUID]bool        // the tenants with a count in the answer
	moved    map[uuid.UUID]bool        // the tenants whose content was also read in another version
	unsure   map[uuid.UUID]bool        // the tenants with reads of an unknown version
	known    map[any]any               // by Once
	previews map[uuid.UUID]bool        // the products that are shown as if published
}

// WithScope returns a context for one request, in which lists share what they read. now is the time of the request.
func WithScope(ctx context.Context, now time.Time) context.Context {
	s := &scope{
		tenants: map[uuid.UUID]*ent.Tenant{}, read: map[uuid.UUID]int64{},
		counted: map[uuid.UUID]bool{}, moved: map[uuid.UUID]bool{}, unsure: map[uuid.UUID]bool{},
		known: map[any]any{}, previews: map[uuid.UUID]bool{},
	}
	return request.With(ctx, func(r *request.Request) {
		r.Scope, r.Now = s, now.UTC()
		list.RememberIn(r)
	})
}

// ScopeOf returns the scope that WithScope has set. It panics in a context without one.
func ScopeOf(ctx context.Context) *scope { return request.Of(ctx).Scope.(*scope) }

// Reached notes a tenant that the request has found. All records of a tenant are read through it.
func (s *scope) Reached(t *ent.Tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tenants[t.ID] = t
	if version, ok := s.read[t.ID]; ok && version != t.ContentVersion {
		s.moved[t.ID] = true
	}
}

// reach returns a tenant as the request has read it, or nil if it no longer exists. A request that has not read the
// tenant yet, because it started from a customer's records such as a cart, reads it here: counts are cached under the
// tenant's version.
func (r *Catalog) reach(ctx context.Context, id uuid.UUID) (*ent.Tenant, error) {
	s := ScopeOf(ctx)
	if t := s.tenant(id); t != nil {
		return t, nil
	}
	type key struct{ tenant uuid.UUID }
	return Once(ctx, key{id}, func() (*ent.Tenant, error) {
		t, err := r.Store.Tenant.Query().Where(tenant.ID(id)).
			Collect(selection.Names("domain", "content_version")).Only(ctx)
		if err == nil {
			s.Reached(t)
		}
		return t, ent.MaskNotFound(err)
	})
}

// version returns the content version a tenant had when the request reached it.
func (s *scope) version(tenant uuid.UUID) int64 {
	if t := s.tenant(tenant); t != nil {
		return t.ContentVersion
	}
	return 0
}

// tenant returns a tenant as it was when the request reached it, or nil if it did not.
func (s *scope) tenant(id uuid.UUID) *ent.Tenant {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tenants[id]
}

// showsCount notes that the answer shows a count of a tenant's records, together with some of them.
func (s *scope) showsCount(tenant uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted[tenant] = true
}

// saw notes the version in which records of a tenant were read.
func (s *scope) saw(tenant uuid.UUID, version int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.read[tenant]
	if t := s.tenants[tenant]; t != nil {
		before, known = t.ContentVersion, true
	}
	if !known {
		s.read[tenant] = version
	} else if version != before {
		s.moved[tenant] = true
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

// ReadConsistently reports whether the lists and counts in the answer are of one content version for each
// tenant: an import may commit between them. Counts are of the version in which the request reached the
// tenant; statements that read lists return the version they saw (selectVersion). Answers without counts are
// not checked.
func (r *Catalog) ReadConsistently(ctx context.Context) (bool, error) {
	s := ScopeOf(ctx)
	for id := range s.counted { // no resolver of the request runs any more
		if s.unsure[id] && !s.moved[id] {
			t, err := r.reach(ctx, id)
			if err != nil {
				return false, err
			}
			if t == nil { // it was deleted meanwhile
				continue
			}
			version, err := r.currentVersion(ctx, t)
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

// selectVersion also reads, with each record, the content version of its tenant as the statement sees it.
func selectVersion(id uuid.UUID) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.AppendSelectExprAs(sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("(SELECT content_version FROM tenants WHERE id = ").Arg(id).WriteByte(')')
		}), "tenant_version")
	}
}

// Once returns the result of find for a key. It calls find once in a request.
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
