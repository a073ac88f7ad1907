package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/graph/model"
	"storefront/internal/shop"
)

// ShopAccess is how customers come to a shop.
func (q queryResolver) ShopAccess(ctx context.Context, businessID uuid.UUID) (*model.ShopAccess, error) {
	return q.r.shopAccess(ctx, businessID)
}

func (r *Resolver) shopAccess(ctx context.Context, business uuid.UUID) (*model.ShopAccess, error) {
	row, err := r.store.Tenant.Get(ctx, business)
	if err != nil {
		return nil, err
	}
	aliases, err := shop.Aliases(ctx, r.store, business)
	return &model.ShopAccess{Domain: row.Domain, Aliases: aliases, ClosedAt: row.PausedAt,
		RequiresSecondFactor: row.SecondFactorSince != nil}, err
}

// CloseShop closes a shop to its customers.
func (m mutationResolver) CloseShop(ctx context.Context, businessID uuid.UUID) (*model.ShopAccessPayload, error) {
	err := shop.Close(ctx, m.r.store, businessID, m.r.clock)
	return m.accessOnce(ctx, businessID, err)
}

// OpenShop opens a shop that CloseShop closed.
func (m mutationResolver) OpenShop(ctx context.Context, businessID uuid.UUID) (*model.ShopAccessPayload, error) {
	return m.accessOnce(ctx, businessID, shop.Open(ctx, m.r.store, businessID))
}

// ChangeDomain gives a shop another domain of its own.
func (m mutationResolver) ChangeDomain(
	ctx context.Context, businessID uuid.UUID, domain string, keep bool,
) (*model.ShopAccessPayload, error) {
	err := shop.ChangeDomain(ctx, m.r.store, businessID, domain, keep)
	return m.accessOnce(ctx, businessID, err)
}

// AddDomainAlias lets a domain lead to a shop beside its own.
func (m mutationResolver) AddDomainAlias(
	ctx context.Context, businessID uuid.UUID, domain string,
) (*model.ShopAccessPayload, error) {
	err := shop.AddAlias(ctx, m.r.store, businessID, domain)
	return m.accessOnce(ctx, businessID, err)
}

// RemoveDomainAlias takes a domain from a shop that leads to it beside its own.
func (m mutationResolver) RemoveDomainAlias(
	ctx context.Context, businessID uuid.UUID, domain string,
) (*model.ShopAccessPayload, error) {
	err := shop.RemoveAlias(ctx, m.r.store, businessID, domain)
	return m.accessOnce(ctx, businessID, err)
}

// accessOnce answers a change of how customers come to a shop, once it is made.
func (m mutationResolver) accessOnce(
	ctx context.Context, business uuid.UUID, err error,
) (*model.ShopAccessPayload, error) {
	if err != nil {
		return nil, err
	}
	access, err := m.r.shopAccess(ctx, business)
	return &model.ShopAccessPayload{ShopAccess: access}, err
}
