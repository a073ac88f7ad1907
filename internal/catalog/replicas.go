package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/lookup"
	"storefront/internal/tenancy"
)

// FromReplicas returns a context that allows a request to read from a replica of the database, if the replica
// has the content versions that the request has reached. These were looked up at the primary during the
// request.
func (r *Catalog) FromReplicas(ctx context.Context) context.Context {
	return database.WithReplicas(ctx, needs)
}

// needs returns the versions that a statement must see: those of all tenants that the request has reached. It
// reports false if a version is unknown.
func needs(ctx context.Context) ([]database.Need, bool) {
	owner, err := tenancy.Of(ctx)
	if err != nil {
		owner = uuid.Nil // the installation's
	}
	s := ScopeOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tenants[owner] == nil {
		return nil, false
	}
	all := make([]database.Need, 0, len(s.tenants))
	for _, t := range s.tenants {
		if t.Domain == "" {
			return nil, false
		}
		all = append(all, lookup.NeedOf(t))
	}
	return all, true
}
