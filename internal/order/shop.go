package order

import (
	"context"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/orderitem"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// This file reads the orders of all customers of a shop.

// Newest returns the newest orders of a business, of one status unless status is nil, with their customers
// and the ids of their lines.
func (s *Service) Newest(ctx context.Context, business uuid.UUID, status *record.OrderStatus,
	most int) ([]*ent.Order, error) {
	q := s.store.Order.Query().Order(order.ByCreatedAt(sql.OrderDesc()), order.ByID(sql.OrderDesc())).
		Limit(most).WithUser().
		WithItems(func(q *ent.OrderItemQuery) { q.Select(orderitem.FieldOrderID) })
	if status != nil {
		q.Where(order.StatusEQ(*status))
	}
	return q.All(tenancy.In(ctx, business))
}

// Numbered finds an order of a business by its number, in letters of either case.
func (s *Service) Numbered(ctx context.Context, business uuid.UUID, number string) (*ent.Order, error) {
	return s.store.Order.Query().Where(order.OrderNumber(strings.ToUpper(number))).
		Only(tenancy.In(ctx, business))
}
