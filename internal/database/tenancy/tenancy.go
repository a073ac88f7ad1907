// Package tenancy isolates tenants below the resolvers: through a guarded client, a record that belongs to a
// tenant is read and written only with a context that carries that tenant.
package tenancy

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/intercept"
	"storefront/internal/request"
)

// ErrNoTenant refuses work on tenant-owned records in a context without a tenant.
var ErrNoTenant = errors.New("tenancy: no tenant in the context of a tenant-owned record")

// In returns a context in which only the records of one tenant are read and written.
func In(ctx context.Context, tenant uuid.UUID) context.Context {
	return request.With(ctx, func(r *request.Request) { r.Tenant = tenant })
}

// Of returns the tenant of a context; it fails with ErrNoTenant.
func Of(ctx context.Context) (uuid.UUID, error) {
	if tenant := request.Of(ctx).Tenant; tenant != uuid.Nil {
		return tenant, nil
	}
	return uuid.Nil, ErrNoTenant
}

// Guard makes a client, and every transaction begun from it, refuse work on tenant-owned records without a
// tenant in the context, and restrict other work to the records of that tenant.
func Guard(client *ent.Client) *ent.Client {
	client.Intercept(intercept.TraverseFunc(narrowQuery))
	client.Use(checkMutation)
	return client
}

// narrowQuery restricts a query to the context's tenant. It runs for eager loads and counts too.
func narrowQuery(ctx context.Context, query intercept.Query) error {
	if !ent.TenantOwned[query.Type()] {
		return nil
	}
	tenant, err := Of(ctx)
	if err != nil {
		return fmt.Errorf("%w: reading %s", err, query.Type())
	}
	query.WhereP(sql.FieldEQ("tenant_id", tenant))
	return nil
}

// checkMutation gives new records the context's tenant, and restricts changes to the records of that tenant.
func checkMutation(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		if !ent.TenantOwned[m.Type()] {
			return next.Mutate(ctx, m)
		}
		tenant, err := Of(ctx)
		if err != nil {
			return nil, fmt.Errorf("%w: writing %s", err, m.Type())
		}
		if m.Op().Is(ent.OpCreate) {
			if named, ok := m.Field("tenant_id"); ok && named != tenant {
				return nil, fmt.Errorf("tenancy: a %s of tenant %v written in the context of %v",
					m.Type(), named, tenant)
			}
			owned, ok := m.(interface{ SetTenantID(uuid.UUID) })
			if !ok {
				return nil, fmt.Errorf("tenancy: cannot give a %s to a tenant", m.Type())
			}
			owned.SetTenantID(tenant)
			return next.Mutate(ctx, m)
		}
		if m.Op().Is(ent.OpUpdateOne) && changesNothing(m) {
			return nil, fmt.Errorf("tenancy: an update of a %s that changes nothing", m.Type())
		}
		narrowed, ok := m.(interface{ WhereP(...func(*sql.Selector)) })
		if !ok {
			return nil, fmt.Errorf("tenancy: cannot narrow a change of %s", m.Type())
		}
		narrowed.WhereP(sql.FieldEQ("tenant_id", tenant))
		return next.Mutate(ctx, m)
	})
}

// changesNothing reports whether ent would answer an update by reading the record by its id alone. The fields include
// the columns of edges.
func changesNothing(m ent.Mutation) bool { return len(m.Fields())+len(m.ClearedFields()) == 0 }
