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

// What a customer does names the business by its id, where visitors name it by its domain.

// customerAt gives the signed-in customer at a business.
func (r *Resolver) customerAt(ctx context.Context, business uuid.UUID) (cart.Owner, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return cart.Owner{}, err
	}
	return cart.Owner{Business: business, User: caller.User}, r.reachBusiness(ctx, business)
}

// reachBusiness checks that there is a business of that id, as tenantOf does for a domain.
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
