package order

import (
	"context"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
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

// deliver returns the delivery method of a checkout, or nil if the shop has none.
func (s *Service) deliver(
	ctx context.Context, client *ent.Client, c *checkout, kept cart.Kept, lines []*cart.Line,
) (*delivery.Option, error) {
	terms, err := s.delivery.Terms(ctx, client, c.of.Business, kept.Sale)
	if err != nil {
		return nil, err
	}
	chosen := c.request.Delivery
	options := terms.Options(delivery.ParcelOf(lines, kept.Rules.UsualWeight), &c.request.ShippingAddress)
	var refusal record.DeliveryRefusal
	for _, o := range options {
		switch {
		case chosen != nil && o.MethodID != *chosen:
		case o.Refusal == nil:
			return o, nil
		case refusal == "" || refusal == record.DeliveryElsewhere: // what refuses those that deliver there says more
			refusal = *o.Refusal
		}
	}
	switch refusal {
	case record.DeliveryElsewhere:
		return nil, fault.New(fault.NotDeliverable, "this is not delivered to the address")
	case record.DeliveryTooHeavy:
		return nil, fault.New(fault.NotDeliverable, "the order is too heavy to be delivered so")
	case record.DeliveryOtherCurrency:
		return nil, fault.New(fault.NotDeliverable, "delivery has its price in another currency")
	}
	if chosen != nil {
		return nil, fault.New(fault.NotFound, "there is no such delivery method").Of("input.deliveryMethodId")
	}
	return nil, nil
}
