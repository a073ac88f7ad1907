package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/shop"
)

// ShopAccess returns how a shop can be reached: its domains, whether it is closed, and what staff need to
// sign in.
func (q queryResolver) ShopAccess(ctx context.Context, businessID uuid.UUID) (*api.ShopAccess, error) {
	return q.r.shopAccess(ctx, businessID)
}

func (r *Resolver) shopAccess(ctx context.Context, business uuid.UUID) (*api.ShopAccess, error) {
	row, err := r.Store.Tenant.Get(ctx, business)
	if err != nil {
		return nil, err
	}
	aliases, err := shop.Aliases(ctx, r.Store, business)
	return &api.ShopAccess{Domain: row.Domain, Aliases: aliases, ClosedAt: row.PausedAt,
		RequiresSecondFactor: row.SecondFactorSince != nil}, err
}

func (m mutationResolver) CloseShop(ctx context.Context, businessID uuid.UUID) (*api.ShopAccessPayload, error) {
	err := shop.Close(ctx, m.r.Store, businessID, m.r.clock)
	return m.accessOnce(ctx, businessID, err)
}

func (m mutationResolver) OpenShop(ctx context.Context, businessID uuid.UUID) (*api.ShopAccessPayload, error) {
	return m.accessOnce(ctx, businessID, shop.Open(ctx, m.r.Store, businessID))
}

func (m mutationResolver) ChangeDomain(
	ctx context.Context, businessID uuid.UUID, domain string, keep bool,
) (*api.ShopAccessPayload, error) {
	err := shop.ChangeDomain(ctx, m.r.Store, businessID, domain, keep)
	return m.accessOnce(ctx, businessID, err)
}

func (m mutationResolver) AddDomainAlias(
	ctx context.Context, businessID uuid.UUID, domain string,
) (*api.ShopAccessPayload, error) {
	err := shop.AddAlias(ctx, m.r.Store, businessID, domain)
	return m.accessOnce(ctx, businessID, err)
}

func (m mutationResolver) RemoveDomainAlias(
	ctx context.Context, businessID uuid.UUID, domain string,
) (*api.ShopAccessPayload, error) {
	err := shop.RemoveAlias(ctx, m.r.Store, businessID, domain)
	return m.accessOnce(ctx, businessID, err)
}

// accessOnce returns the payload of a change of a shop's access, or the error of the change.
func (m mutationResolver) accessOnce(
	ctx context.Context, business uuid.UUID, err error,
) (*api.ShopAccessPayload, error) {
	if err != nil {
		return nil, err
	}
	access, err := m.r.shopAccess(ctx, business)
	return &api.ShopAccessPayload{ShopAccess: access}, err
}
