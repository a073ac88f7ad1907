package sheet

import (
	"context"
	"io"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/internal/locale/calendar"
	"storefront/internal/locale/money"
)

// payments writes the payments that the shop has received.
func (e *export) payments(ctx context.Context, to io.Writer) error {
	zone, err := calendar.Zone(calendar.ZoneOf(e.shop.TimeZone, e.shop.DefaultLocale))
	if err != nil {
		return err
	}
	err = e.w.begin(to, "day", "receivedAt", "orderNumber", "type", "status", "gateway", "account", "reference",
		"theirs", "transferRefNumber", "card", "amount", "refunded", "currency", "isTest", "markedAt")
	if err != nil {
		return err
	}
	return pages(ctx, e.w.still, func(ctx context.Context, after uuid.UUID) ([]*ent.Payment, error) {
		return e.client.Payment.Query().Where(payment.ReceivedAtNotNil(), payment.IDGT(after)).Order(payment.ByID()).
			Limit(atOnce).WithOrder().WithGatewayAccount().All(ctx)
	}, func(p *ent.Payment) uuid.UUID { return p.ID }, func(p *ent.Payment) error {
		var gateway, account, marked any
		if a := p.Edges.GatewayAccount; a != nil {
			gateway, account = a.Gateway, a.Last4
		}
		if p.MarkedAt != nil {
			marked = moment(*p.MarkedAt)
		}
		o := p.Edges.Order
		amount := func(minor int64) any { return money.Amount{Minor: minor, Currency: o.PriceCurrency} }
		return e.w.write(unchanged(calendar.DayOf(*p.ReceivedAt, zone)), moment(*p.ReceivedAt), o.OrderNumber,
			string(p.Type), string(p.Status.Shown()), gateway, account, p.Reference, p.Theirs, p.TransferRefNumber,
			p.Card, amount(p.Amount), amount(p.Refunded), o.PriceCurrency, p.IsTest, marked)
	})
}
