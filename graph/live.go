package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	entorder "storefront/ent/order"
	"storefront/graph/model"
	"storefront/internal/auth"
	"storefront/internal/catalog"
	"storefront/internal/live"
	"storefront/internal/selection"
)

// A subscription is run once to begin and once for each update (package live), so its channel has one update or none.
func (r *Resolver) updates(ctx context.Context, of live.Of, after *string) (<-chan *live.Update, error) {
	of.Caller, of.Address = listenerOf(ctx), auth.ClientAddress(ctx)
	update, told, err := r.live.Next(ctx, of, after)
	if err != nil {
		return nil, err
	}
	one := make(chan *live.Update, 1)
	if told {
		one <- update
	}
	close(one)
	return one, nil
}

// listenerOf names who calls, to count their subscriptions.
func listenerOf(ctx context.Context) string {
	if program, ok := auth.ProgramOf(ctx); ok {
		return program.Token.String()
	}
	caller, _ := auth.CallerOf(ctx)
	return caller.User.String()
}

// OrderUpdates tells what happens to an order of the customer.
func (s subscriptionResolver) OrderUpdates(
	ctx context.Context, businessID, orderID uuid.UUID, after *string,
) (<-chan *live.Update, error) {
	customer, err := s.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	_, err = s.r.ordersOf(customer).Where(entorder.ID(orderID)).OnlyID(catalog.InTenant(ctx, businessID))
	if err != nil {
		return nil, err
	}
	return s.r.updates(ctx, live.Of{Business: businessID, Order: orderID}, after)
}

// ShopOrderUpdates tells what happens to the orders of a shop.
func (s subscriptionResolver) ShopOrderUpdates(
	ctx context.Context, businessID uuid.UUID, after *string,
) (<-chan *live.Update, error) {
	return s.r.updates(ctx, live.Of{Business: businessID}, after)
}

// Order is the order as it is now.
func (u orderUpdateResolver) Order(ctx context.Context, of *live.Update) (*ent.Order, error) {
	customer, err := u.r.buyerAt(ctx, of.Business)
	if err != nil {
		return nil, err
	}
	return u.r.ordersOf(customer).Where(entorder.ID(of.OrderID)).Collect(selection.Of(ctx)).
		Only(catalog.InTenant(ctx, of.Business))
}

// Order is the order as it is now; null where a subscription begins.
func (u shopOrderUpdateResolver) Order(ctx context.Context, of *live.Update) (*model.ShopOrder, error) {
	if of.OrderID == uuid.Nil {
		return nil, nil
	}
	return queryResolver(u).ShopOrder(ctx, of.Business, of.OrderID)
}
