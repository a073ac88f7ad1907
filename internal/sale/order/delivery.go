package order

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/delivery"
	"storefront/internal/sale/price"
)

// DeliveryOptions returns the delivery methods of a shop for a cart. to is nil if the address is not known yet.
func (s *Service) DeliveryOptions(
	ctx context.Context, c *cart.Cart, to *record.ShippingAddress,
) ([]*delivery.Option, error) {
	terms, rules, err := s.termsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	return terms.Options(delivery.ParcelOf(c.Lines, rules.UsualWeight), to), nil
}

// Bill returns what the lines of a cart that can be bought come to as an order, by the delivery method with an id; nil:
// by the first that takes the order. to is nil if the address is not known yet. The bill is nil if nothing can be
// bought, or not together. It fails with NOT_FOUND if there is no such method.
func (s *Service) Bill(
	ctx context.Context, c *cart.Cart, method *uuid.UUID, to *record.ShippingAddress,
) (*price.Bill, error) {
	terms, rules, err := s.termsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	var lines []*cart.Line
	for _, l := range c.Lines {
		if w := l.Warning(); l.Price != nil && (w == nil || *w != record.Unavailable) {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return nil, nil
	}
	option, err := choose(terms.Options(delivery.ParcelOf(lines, rules.UsualWeight), to), method)
	if err != nil && !fault.Is(err, fault.NotDeliverable) {
		return nil, err
	}
	b, ok := price.Of(lines, price.Terms{Delivery: option, Rates: terms.Rates(s.clock.Now()),
		Included: rules.PricesIncludeTax})
	if !ok {
		return nil, nil
	}
	return b, nil
}

// termsOf returns the terms and the rules of the shop of a cart.
func (s *Service) termsOf(ctx context.Context, c *cart.Cart) (*delivery.Terms, record.OrderRules, error) {
	shop, err := s.store.Tenant.Query().Where(tenant.ID(c.BusinessID)).
		Select(tenant.FieldSaleVersion, tenant.FieldOrderRules).Only(tenancy.In(ctx, c.BusinessID))
	if err != nil {
		return nil, record.OrderRules{}, err
	}
	terms, err := s.delivery.Terms(ctx, s.store, c.BusinessID, shop.SaleVersion)
	return terms, rulesOf(shop), err
}

// bill returns what a checkout comes to. It fails as choose does, and with VALIDATION_FAILED above money.Max.
func (s *Service) bill(
	ctx context.Context, client *ent.Client, c *checkout, kept cart.Kept, lines []*cart.Line,
) (b *price.Bill, err error) {
	terms, err := s.delivery.Terms(ctx, client, c.of.Business, kept.Sale)
	if err != nil {
		return b, err
	}
	options := terms.Options(delivery.ParcelOf(lines, kept.Rules.UsualWeight), &c.request.ShippingAddress)
	option, err := choose(options, c.request.Delivery)
	if err != nil {
		return b, err
	}
	b, ok := price.Of(lines, price.Terms{Delivery: option, Rates: terms.Rates(s.clock.Now()),
		Included: kept.Rules.PricesIncludeTax})
	if !ok {
		err = tooMuch(b.Total.Currency)
	}
	return b, err
}

func tooMuch(currency string) error {
	return fault.Invalid("total", "must not be above %s %s", money.Amount{Minor: money.Max, Currency: currency},
		currency)
}

// choose returns the delivery method with an id; nil: the first that takes the order. It returns nil if the shop has
// none. It fails with NOT_DELIVERABLE if none takes the order, and with NOT_FOUND if there is no such method.
func choose(options []*delivery.Option, chosen *uuid.UUID) (*delivery.Option, error) {
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
