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
	"storefront/ent/user"
	orders "storefront/internal/order"
	"storefront/internal/record"
)

// ShopOrder is an order as the shop sees it.
type ShopOrder struct {
	Order    *ent.Order
	Customer *ent.User
}

// The pages that staff see.
type (
	ShopOrderPage         = ListPage[*ShopOrder]
	ShopCustomerPage      = ListPage[*ent.User]
	CommentPage           = ListPage[*ent.Comment]
	ExpertReviewPage      = ListPage[*ent.ExpertReview]
	ContactSubmissionPage = ListPage[*ent.ContactSubmission]
	WebhookDeliveryPage   = ListPage[*ent.WebhookDelivery]
)

// shopList is a list of a shop's own records that only staff see, whole records by number of page.
func shopList[T any](
	business uuid.UUID, read func(ctx context.Context, offset, limit int) ([]T, error), count func(ctx context.Context) (int, error),
) list[T] {
	return list[T]{
		read: func(ctx context.Context, part stretch) ([]T, error) {
			return read(inTenant(ctx, business), part.offset, part.limit)
		},
		total: freshTotal(func(ctx context.Context) (int, error) { return count(inTenant(ctx, business)) }),
	}
}

// ShopOrders are a shop's orders, newest first.
func (q queryResolver) ShopOrders(
	ctx context.Context, businessID uuid.UUID, page, pageSize int, orderNumber, cellNumber *string,
	status *record.OrderStatus, paymentStatus *record.PaymentStatus, from, until *time.Time,
) (*ShopOrderPage, error) {
	found := func() *ent.OrderQuery {
		query := q.store.Order.Query()
		if orderNumber != nil {
			query.Where(entorder.OrderNumber(strings.ToUpper(strings.TrimSpace(*orderNumber))))
		}
		if cellNumber != nil {
			query.Where(entorder.HasUserWith(user.CellNumber(cellOf(*cellNumber))))
		}
		if status != nil {
			query.Where(entorder.StatusEQ(*status))
		}
		if paymentStatus != nil {
			query.Where(entorder.HasPaymentsWith(payment.StatusEQ(*paymentStatus)))
		}
		if from != nil {
			query.Where(entorder.CreatedAtGTE(from.UTC()))
		}
		if until != nil {
			query.Where(entorder.CreatedAtLT(until.UTC()))
		}
		return query
	}
	shown := pageOf(shopList(businessID, func(ctx context.Context, offset, limit int) ([]*ShopOrder, error) {
		all, err := found().Order(entorder.ByCreatedAt(sql.OrderDesc()), entorder.ByID(sql.OrderDesc())).
			Offset(offset).Limit(limit).WithUser().All(ctx)
		seen := make([]*ShopOrder, len(all))
		for i, o := range all {
			seen[i] = &ShopOrder{Order: o, Customer: o.Edges.User}
		}
		return seen, err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }), page, pageSize)
	return &shown, nil
}

// ShopOrder is one order of a shop.
func (q queryResolver) ShopOrder(ctx context.Context, businessID, orderID uuid.UUID) (*ShopOrder, error) {
	o, err := q.store.Order.Query().Where(entorder.ID(orderID)).WithUser().Only(inTenant(ctx, businessID))
	if err != nil {
		return nil, err
	}
	return &ShopOrder{Order: o, Customer: o.Edges.User}, nil
}

// ShopCustomers are the customers who belong to a shop, newest first.
func (q queryResolver) ShopCustomers(
	ctx context.Context, businessID uuid.UUID, page, pageSize int, cellNumber *string,
) (*ShopCustomerPage, error) {
	found := func() *ent.UserQuery {
		members := []func(*sql.Selector){membership.BusinessID(businessID), membership.PendingUntilIsNil()}
		query := q.store.User.Query().Where(user.ClosedAtIsNil(), func(s *sql.Selector) {
			m := sql.Table(membership.Table)
			of := sql.Dialect(s.Dialect()).Select(m.C(membership.FieldUserID)).From(m)
			for _, narrow := range members {
				narrow(of)
			}
			s.Where(sql.In(s.C(user.FieldID), of))
		})
		if cellNumber != nil {
			query.Where(user.CellNumber(cellOf(*cellNumber)))
		}
		return query
	}
	shown := pageOf(shopList(businessID, func(ctx context.Context, offset, limit int) ([]*ent.User, error) {
		return found().Order(user.ByCreatedAt(sql.OrderDesc()), user.ByID(sql.OrderDesc())).Offset(offset).Limit(limit).All(ctx)
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }), page, pageSize)
	return &shown, nil
}

// MoveOrder moves an order of a shop on.
func (m mutationResolver) MoveOrder(
	ctx context.Context, businessID, orderID uuid.UUID, status record.OrderStatus, note *string,
) (*OrderPayload, error) {
	moved, err := m.orders.Move(ctx, businessID, orderID, status, trimmed(note))
	return &OrderPayload{Message: "The order is moved.", Order: moved}, err
}

// MarkPayment says what became of the payment of an order.
func (m mutationResolver) MarkPayment(
	ctx context.Context, businessID, orderID uuid.UUID, input PaymentMarkInput,
) (*OrderPayload, error) {
	found, err := m.orders.MarkPayment(ctx, businessID, orderID, orders.Mark{
		Status: input.Status, Reference: trimmed(input.Reference), Reason: trimmed(input.Reason),
	})
	return &OrderPayload{Message: "The payment is marked.", Order: found}, err
}

// AdjustStock changes the stock of variants.
func (m mutationResolver) AdjustStock(
	ctx context.Context, businessID uuid.UUID, input StockAdjustmentInput,
) (*StockPayload, error) {
	wanted := make([]orders.Adjustment, len(input.Items))
	for i, item := range input.Items {
		wanted[i] = orders.Adjustment{SKU: strings.TrimSpace(item.Sku), By: item.By, To: item.To}
	}
	levels, err := m.orders.Adjust(ctx, businessID, strings.TrimSpace(input.Reason), wanted)
	payload := &StockPayload{Items: make([]*StockLevel, len(levels))}
	for i, l := range levels {
		payload.Items[i] = &StockLevel{StoreItemVariantID: l.Variant, Sku: l.SKU, Before: l.Before, Stock: l.Stock}
	}
	return payload, err
}
