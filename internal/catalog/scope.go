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

// scope is the shared state of the resolvers of one request: the tenants that it read, and what it has read once.
type scope struct {
	mu       sync.Mutex
	tenants  map[uuid.UUID]*reads
	known    map[any]any        // by Once
	previews map[uuid.UUID]bool // the products that are shown as if published
}

// reads are what a request has read of a tenant.
type reads struct {
	reached *ent.Tenant // as it was when the request reached it; nil: it has not
	seen    *int64      // content version seen in lists before the tenant's own row was read; nil: none
	counted bool        // whether a count of its records is in the answer, together with some of them
	moved   bool        // whether its content was also read in another version than the request reached
	unsure  bool        // whether records were read in a version that is not known
}

// WithScope returns a context for one request, in which lists share what they read. now is the time of the request.
func WithScope(ctx context.Context, now time.Time) context.Context {
	s := &scope{tenants: map[uuid.UUID]*reads{}, known: map[any]any{}, previews: map[uuid.UUID]bool{}}
	return request.With(ctx, func(r *request.Request) {
		r.Scope, r.Now = s, now.UTC()
		list.RememberIn(r)
	})
}

// ScopeOf returns the scope that WithScope has set. It panics in a context without one.
func ScopeOf(ctx context.Context) *scope { return request.Of(ctx).Scope.(*scope) }

// note changes what is known of the reads of a tenant.
func (s *scope) note(id uuid.UUID, change func(*reads)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tenants[id] == nil {
		s.tenants[id] = &reads{}
	}
	change(s.tenants[id])
}

func (r *reads) isCounted() { r.counted = true }
func (r *reads) isMoved()   { r.moved = true }

// Reached notes a tenant that the request has found. All records of a tenant are read through it.
func (s *scope) Reached(t *ent.Tenant) {
	s.note(t.ID, func(r *reads) {
		r.reached = t
		r.moved = r.moved || r.seen != nil && *r.seen != t.ContentVersion
	})
}

// saw notes the version in which records of a tenant were read.
func (s *scope) saw(tenant uuid.UUID, version int64) {
	s.note(tenant, func(r *reads) {
		switch {
		case r.reached != nil:
			r.moved = r.moved || r.reached.ContentVersion != version
		case r.seen == nil:
			r.seen = &version
		default:
			r.moved = r.moved || *r.seen != version
		}
	})
}

// tenant returns a tenant as it was when the request reached it, or nil if it did not.
func (s *scope) tenant(id uuid.UUID) *ent.Tenant {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.tenants[id]; r != nil {
		return r.reached
	}
	return nil
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

// ReadConsistently reports whether the lists and counts in the answer are of one content version for each tenant: an
// import may commit between them. Counts are of the version in which the request reached the tenant; statements that
// read lists return the version they saw (selectVersion). Answers without counts are not checked.
func (r *Catalog) ReadConsistently(ctx context.Context) (bool, error) {
	s := ScopeOf(ctx)
	for id, of := range s.tenants { // no resolver of the request runs any more
		if !of.counted {
			continue
		}
		if of.unsure && !of.moved {
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
		if of.moved {
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

// Preview notes that a product is shown as if it were published, with the variants that would be on sale.
func Preview(ctx context.Context, p *ent.Product) {
	s := ScopeOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.previews[p.ID] = true
}
