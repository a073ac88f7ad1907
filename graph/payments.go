package graph

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	entorder "storefront/ent/order"
	entpayment "storefront/ent/payment"
	"storefront/ent/refund"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/request"
	orders "storefront/internal/sale/order"
	"storefront/internal/sale/payment"
	"storefront/internal/shop/staff"
)

func (m mutationResolver) BeginPayment(
	ctx context.Context, businessID, orderID uuid.UUID, returnURL *string,
) (*api.OrderPayload, error) {
	customer, err := m.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	o, err := m.r.Payments.SetReturn(ctx, businessID, customer.User, orderID, search.Trimmed(returnURL))
	return &api.OrderPayload{Message: "The order can be paid at its page.", Order: o}, err
}

func (r paymentResolver) PayURL(ctx context.Context, payments []*ent.Payment) ([]*string, error) {
	pages, err := r.r.payPages(ctx, payments)
	return convert.All(pages, func(p payment.Page) *string { return p.URL }), err
}

func (r paymentResolver) PayURLReason(ctx context.Context, payments []*ent.Payment) ([]*string, error) {
	pages, err := r.r.payPages(ctx, payments)
	say := request.Language(ctx).Say
	return convert.All(pages, func(p payment.Page) *string {
		if p.Reason.String() == "" {
			return nil
		}
		return new(say(p.Reason))
	}), err
}

// payPages returns where the orders of payments can be paid; nowhere, if the caller may not see it.
func (r *Resolver) payPages(ctx context.Context, payments []*ent.Payment) ([]payment.Page, error) {
	type pages struct{ first *ent.Payment } // not its id: a later mutation of the request reads the payment again
	return catalog.Once(ctx, pages{payments[0]}, func() ([]payment.Page, error) {
		found, err := r.ordersWhole(ctx, payments)
		if err != nil || len(found) < len(payments) { // an order is gone
			return make([]payment.Page, len(payments)), err
		}
		caller, _ := request.CallerOf(ctx) // staff may be programs
		isForeign := func(o *ent.Order) bool { return o.UserID == nil || *o.UserID != caller.User }
		if slices.ContainsFunc(found, isForeign) {
			if may, err := r.managesOrders(ctx, found[0].TenantID); err != nil || !may {
				return make([]payment.Page, len(payments)), err
			}
		}
		return r.Payments.Pages(ctx, found)
	})
}

// ordersWhole returns the orders of payments with all columns, each with its payment; fewer if one is gone.
func (r *Resolver) ordersWhole(ctx context.Context, payments []*ent.Payment) ([]*ent.Order, error) {
	if placed := payments[0].Edges.Order; placed.Edges.Items != nil { // by this request
		return []*ent.Order{placed}, nil
	}
	ids := convert.All(payments, func(p *ent.Payment) uuid.UUID { return p.OrderID })
	found, err := r.Store.Order.Query().Where(entorder.IDIn(ids...)).
		All(tenancy.In(ctx, payments[0].Edges.Order.TenantID))
	if err != nil || len(found) < len(payments) {
		return nil, err
	}
	for i, list := range list.Group(ids, found, func(o *ent.Order) uuid.UUID { return o.ID }) {
		found[i] = list[0]
		found[i].Edges.Payments = []*ent.Payment{payments[i]}
	}
	return found, nil
}

// managesOrders reports whether the caller is staff of a shop who manage its orders.
func (r *Resolver) managesOrders(ctx context.Context, business uuid.UUID) (bool, error) {
	member, err := r.staffOnce(ctx, business)
	if err == nil {
		err = staff.Check(request.WithStaff(ctx, member), member, staff.ManageOrders)
	}
	if fault.Is(err, fault.Forbidden) || fault.Is(err, fault.Unauthenticated) || fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

func (r paymentResolver) Attempts(ctx context.Context, payments []*ent.Payment) ([][]*ent.Payment, error) {
	business := payments[0].Edges.Order.TenantID
	if may, err := r.r.managesOrders(ctx, business); err != nil || !may {
		return make([][]*ent.Payment, len(payments)), err
	}
	ids := convert.All(payments, func(p *ent.Payment) uuid.UUID { return p.OrderID })
	found, err := r.r.Store.Payment.Query().Where(entpayment.OrderIDIn(ids...), entpayment.OursNotNil()).
		WithGatewayAccount().Order(entpayment.ByID()).All(tenancy.In(ctx, business))
	lists := list.Group(ids, found, func(p *ent.Payment) uuid.UUID { return p.OrderID })
	for i, tries := range lists {
		for _, p := range tries {
			p.Edges.Order = payments[i].Edges.Order
		}
	}
	return lists, err
}

func (r paymentResolver) Refunds(ctx context.Context, payments []*ent.Payment) ([][]*ent.Refund, error) {
	business := payments[0].Edges.Order.TenantID
	if may, err := r.r.managesOrders(ctx, business); err != nil || !may {
		return make([][]*ent.Refund, len(payments)), err
	}
	ids := convert.All(payments, func(p *ent.Payment) uuid.UUID { return p.ID })
	found, err := r.r.Store.Refund.Query().Where(refund.PaymentIDIn(ids...)).Order(refund.ByID()).
		All(tenancy.In(ctx, business))
	lists := list.Group(ids, found, func(row *ent.Refund) uuid.UUID { return row.PaymentID })
	for i, rows := range lists {
		for _, row := range rows {
			row.Edges.Order = payments[i].Edges.Order
		}
	}
	return lists, err
}

func (r paymentAttemptResolver) Refunds(ctx context.Context, tries []*ent.Payment) ([][]*ent.Refund, error) {
	return paymentResolver(r).Refunds(ctx, tries)
}

func (r paymentAttemptResolver) CanRefund(_ context.Context, p *ent.Payment) (bool, error) {
	return r.r.Payments.CanRefund(p), nil
}

func (m mutationResolver) RefundPayment(
	ctx context.Context, businessID, paymentID uuid.UUID, input api.RefundInput,
) (*api.OrderPayload, error) {
	found, err := m.r.Payments.Refund(ctx, businessID, orders.Part{
		Payment: paymentID, Amount: string(input.Amount), Reason: search.Trimmed(input.Reason)})
	return &api.OrderPayload{Message: "The refund is asked for.", Order: found}, err
}

func (m mutationResolver) RecordRefund(
	ctx context.Context, businessID, paymentID uuid.UUID, input api.RecordedRefundInput,
) (*api.OrderPayload, error) {
	found, err := m.r.Orders.RecordRefund(ctx, businessID, orders.Part{Payment: paymentID, Amount: string(input.Amount),
		Reason: search.Trimmed(input.Reason), Reference: search.Trimmed(input.Reference)})
	return &api.OrderPayload{Message: "The refund is recorded.", Order: found}, err
}
