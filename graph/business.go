package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/auth"
	"storefront/internal/cart"
	"storefront/internal/fault"
	"storefront/internal/selection"
)

// A customer acts at a business, which stands by its id where visitors name a domain.

// customerAt gives the signed-in customer as one of a business.
func (r *Resolver) customerAt(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return cart.Owner{}, err
	}
	return cart.Owner{Business: business, User: caller.User}, r.reachBusiness(ctx, business)
}

// reachBusiness finds a business by its id, as tenantOf does by its domain.
func (r *Resolver) reachBusiness(ctx context.Context, id uuid.UUID) error {
	t, err := r.store.Tenant.Query().Where(tenant.ID(id)).Collect(selection.Path("content_version")).Only(ctx)
	if ent.IsNotFound(err) {
		return fault.New(fault.NotFound, "there is no such business")
	}
	if err == nil {
		scopeOf(ctx).reached(t)
	}
	return err
}
