package graph

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/gatewayaccount"
	"storefront/ent/payment"
	"storefront/ent/predicate"
	"storefront/internal/api"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/locale/calendar"
	"storefront/internal/platform/convert"
)

func (q queryResolver) ShopPaymentsConnection(
	ctx context.Context, filter api.ShopPaymentArguments, businessID uuid.UUID, window list.Window,
) (*api.ShopPaymentConnection, error) {
	shop, err := q.r.Store.Tenant.Get(tenancy.In(ctx, businessID), businessID)
	if err != nil {
		return nil, err
	}
	zone, err := calendar.Zone(calendar.ZoneOf(shop.TimeZone, shop.DefaultLocale))
	if err != nil {
		return nil, fmt.Errorf("the time zone of a shop: %w", err) // was valid when stored
	}
	found, err := paymentsOf(filter, businessID, zone)
	if err != nil {
		return nil, err
	}
	query := func() *ent.PaymentQuery { return q.r.Store.Payment.Query().Where(found...) }
	read := func(ctx context.Context, part list.Span) ([]*api.ShopPayment, error) {
		all, err := query().Where(part.Part).WithOrder().WithGatewayAccount().All(ctx)
		return convert.All(all, func(p *ent.Payment) *api.ShopPayment {
			return &api.ShopPayment{Payment: p, OrderNumber: p.Edges.Order.OrderNumber,
				Account: p.Edges.GatewayAccount, Day: calendar.DayOf(*p.ReceivedAt, zone)}
		}), err
	}
	newest := list.Order{Name: "shopPayments", Time: payment.FieldReceivedAt}
	return list.NewConnection(ctx, list.ShopList(businessID, newest, read,
		func(ctx context.Context) (int, error) { return query().Count(ctx) },
		func(p *api.ShopPayment) (time.Time, uuid.UUID) { return *p.ReceivedAt, p.ID }),
		window, list.DefaultSizeLarge)
}

// paymentsOf returns what selects the payments that a shop has received. It fails with VALIDATION_FAILED for a day that
// is not one.
func paymentsOf(
	f api.ShopPaymentArguments, business uuid.UUID, zone *time.Location,
) ([]predicate.Payment, error) {
	where := []predicate.Payment{payment.ReceivedAtNotNil()}
	var bad fault.Fields
	between := func(name string, day *string, bound func(from, until time.Time) predicate.Payment) {
		if day == nil {
			return
		}
		from, until, err := calendar.ParseDay(*day, zone)
		if err != nil {
			bad.Add(name, "must be a date written as YYYY-MM-DD")
		}
		where = append(where, bound(from, until))
	}
	between("firstDay", f.FirstDay, func(from, _ time.Time) predicate.Payment { return payment.ReceivedAtGTE(from) })
	between("lastDay", f.LastDay, func(_, until time.Time) predicate.Payment { return payment.ReceivedAtLT(until) })
	if f.AccountID != nil {
		where = append(where, payment.GatewayAccountID(*f.AccountID))
	}
	if f.Gateway != nil {
		where = append(where, payment.HasGatewayAccountWith(sql.FieldEQ(gatewayaccount.FieldTenantID, business),
			gatewayaccount.Gateway(*f.Gateway)))
	}
	return where, bad.Err()
}
