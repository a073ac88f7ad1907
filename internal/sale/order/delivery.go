package order

import (
	"context"

	"storefront/ent/tenant"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/delivery"
)

// DeliveryOptions returns the delivery methods of a shop for a cart. to is nil if the address is not known yet.
func (s *Service) DeliveryOptions(
	ctx context.Context, c *cart.Cart, to *record.ShippingAddress,
) ([]*delivery.Option, error) {
	shop, err := s.store.Tenant.Query().Where(tenant.ID(c.BusinessID)).
		Select(tenant.FieldSaleVersion, tenant.FieldOrderRules).Only(tenancy.In(ctx, c.BusinessID))
	if err != nil {
		return nil, err
	}
	terms, err := s.delivery.Terms(ctx, s.store, c.BusinessID, shop.SaleVersion)
	if err != nil {
		return nil, err
	}
	return terms.Options(delivery.ParcelOf(c.Lines, rulesOf(shop).UsualWeight), to), nil
}
