package graph

import (
	"context"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	entorder "storefront/ent/order"
	"storefront/ent/payment"
	"storefront/ent/predicate"
	"storefront/ent/refund"
	"storefront/ent/user"
	"storefront/internal/api"
	"storefront/internal/customer/member"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	orders "storefront/internal/sale/order"
)

// narrowOrders narrows a list of a shop's orders.
func narrowOrders(f api.ShopOrderArguments, business uuid.UUID, q *ent.OrderQuery) *ent.OrderQuery {
	if f.OrderNumber != nil {
		// Fold reads Persian digits, and drops the marks of direction that are copied with a number
		q.Where(entorder.OrderNumber(strings.ToUpper(search.Fold(*f.OrderNumber))))
	}
	if f.CellNumber != nil {
		q.Where(entorder.HasUserWith(user.CellNumber(cellOf(*f.CellNumber))))
	}
	if f.Status != nil {
		q.Where(entorder.StatusEQ(*f.Status))
	}
	if f.PaymentStatus != nil {
		q.Where(withPayment(business, *f.PaymentStatus))
	}
	if f.RefundDue != nil {
		due := entorder.RefundDueGT(0)
		if !*f.RefundDue {
			due = entorder.RefundDue(0)
		}
		q.Where(due)
	}
	if f.Disputed != nil {
		open := entorder.HasPaymentsWith(sql.FieldEQ(payment.FieldTenantID, business), payment.Or(
			payment.And(payment.ReceivedAtNotNil(), payment.ProblemNotNil()),
			payment.HasRefundsWith(sql.FieldEQ(refund.FieldTenantID, business),
				refund.StatusEQ(record.RefundDisputed))))
		if !*f.Disputed {
			open = entorder.Not(open)
		}
		q.Where(open)
	}
	if f.From != nil {
		q.Where(entorder.CreatedAtGTE(f.From.UTC()))
	}
	if f.Until != nil {
		q.Where(entorder.CreatedAtLT(f.Until.UTC()))
	}
	return q
}

// withPayment narrows orders to those that are shown with a payment in a status.
func withPayment(business uuid.UUID, status record.PaymentStatus) predicate.Order {
	return entorder.HasPaymentsWith(sql.FieldEQ(payment.FieldTenantID, business), payment.Counts(true),
		payment.StatusIn(record.StatesShown(status)...))
}

func (q queryResolver) ShopOrdersConnection(
	ctx context.Context, filter api.ShopOrderArguments, businessID uuid.UUID, window list.Window,
) (*api.ShopOrderConnection, error) {
	found := func() *ent.OrderQuery { return narrowOrders(filter, businessID, q.r.Store.Order.Query()) }
	read := func(ctx context.Context, part list.Span) ([]*api.ShopOrder, error) {
		all, err := found().Where(part.Part).WithUser(member.In(businessID)).All(ctx)
		return convert.All(all, shopOrder), err
	}
	return list.NewConnection(ctx, list.ShopList(businessID, list.NewestMade("shopOrders"), read,
		func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(o *api.ShopOrder) (time.Time, uuid.UUID) { return o.Order.CreatedAt, o.Order.ID }),
		window, list.DefaultSizeLarge)
}

func (q queryResolver) ShopOrder(ctx context.Context, businessID, orderID uuid.UUID) (*api.ShopOrder, error) {
	o, err := q.r.Store.Order.Query().Where(entorder.ID(orderID)).WithUser(member.In(businessID)).
		Only(tenancy.In(ctx, businessID))
	if err != nil {
		return nil, err
	}
	return shopOrder(o), nil
}

// shopOrder returns an order with the names and the e-mail address that its buyer had at checkout.
func shopOrder(o *ent.Order) *api.ShopOrder {
	shown := &api.ShopOrder{Order: o}
	if who := o.Edges.User; who != nil {
		buyer := *who
		buyer.FirstName, buyer.LastName, buyer.Email = o.BuyerFirstName, o.BuyerLastName, o.BuyerEmail
		shown.Customer = &buyer
	}
	return shown
}

func (q queryResolver) ShopCustomersConnection(
	ctx context.Context, businessID uuid.UUID, window list.Window, cellNumber, name *string,
) (*api.ShopCustomerConnection, error) {
	found := func() *ent.MembershipQuery {
		of := []predicate.User{user.ClosedAtIsNil(), member.CalledBy(name)}
		if cellNumber != nil {
			of = append(of, user.CellNumber(cellOf(*cellNumber)))
		}
		return q.r.Store.Membership.Query().
			Where(membership.BusinessID(businessID), membership.PendingUntilIsNil(), membership.HasUserWith(of...))
	}
	read := func(ctx context.Context, part list.Span) ([]*ent.User, error) {
		all, err := found().Where(part.Part).WithUser().All(ctx)
		seen := make([]*ent.User, len(all))
		for i, m := range all {
			seen[i] = m.Edges.User
			seen[i].Edges.Memberships = []*ent.Membership{m}
		}
		return seen, err
	}
	return list.NewConnection(ctx, list.ShopList(businessID, list.NewestMade("shopCustomers"), read,
		func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(u *ent.User) (time.Time, uuid.UUID) { return *member.Since(u), u.Edges.Memberships[0].ID }),
		window, list.DefaultSizeLarge)
}

func (shopCustomerResolver) MemberSince(_ context.Context, u *ent.User) (*time.Time, error) {
	return member.Since(u), nil
}

func (m mutationResolver) MoveOrder(
	ctx context.Context, businessID, orderID uuid.UUID, status record.OrderStatus, note *string,
) (*api.OrderPayload, error) {
	moved, err := m.r.Orders.Move(ctx, businessID, orderID, status, search.Trimmed(note))
	return &api.OrderPayload{Message: "The order is moved.", Order: moved}, err
}

func (m mutationResolver) MarkPayment(
	ctx context.Context, businessID, orderID uuid.UUID, input api.PaymentMarkInput,
) (*api.OrderPayload, error) {
	found, err := m.r.Orders.MarkPayment(ctx, businessID, orderID, orders.Mark{
		Status: input.Status, Reference: search.Trimmed(input.Reference), Reason: search.Trimmed(input.Reason),
	})
	return &api.OrderPayload{Message: "The payment is marked.", Order: found}, err
}

func (m mutationResolver) AdjustStock(
	ctx context.Context, businessID uuid.UUID, input api.StockAdjustmentInput,
) (*api.StockPayload, error) {
	wanted := convert.All(input.Items, func(item *api.StockChangeInput) orders.Adjustment {
		return orders.Adjustment{SKU: strings.TrimSpace(item.Sku), By: item.By, To: item.To}
	})
	levels, err := m.r.Orders.Adjust(ctx, businessID, strings.TrimSpace(input.Reason), wanted)
	return &api.StockPayload{Items: list.Pointers(levels)}, err
}
