package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	entorder "storefront/ent/order"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/live"
	"storefront/internal/request"
)

// updates returns a channel with the update for which the operation is being run (package live), or without any if the
// subscription was resumed just now.
func (r *Resolver) updates(ctx context.Context, subject live.Of, after *string) (<-chan *live.Update, error) {
	subject.Caller, subject.Address = listenerOf(ctx), request.ClientAddress(ctx)
	update, ok, err := r.Live.Next(ctx, subject, after)
	if err != nil {
		return nil, err
	}
	one := make(chan *live.Update, 1)
	if ok {
		one <- update
	}
	close(one)
	return one, nil
}

// listenerOf returns the id of the account or access token that calls, by which subscriptions are counted.
func listenerOf(ctx context.Context) string {
	if program := request.Of(ctx).Program; program != nil {
		return program.Token.String()
	}
	caller, _ := request.CallerOf(ctx)
	return caller.User.String()
}

func (s subscriptionResolver) OrderUpdates(
	ctx context.Context, businessID, orderID uuid.UUID, after *string,
) (<-chan *live.Update, error) {
	customer, err := s.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	_, err = s.r.ordersOf(customer).Where(entorder.ID(orderID)).OnlyID(tenancy.In(ctx, businessID))
	if err != nil {
		return nil, err
	}
	return s.r.updates(ctx, live.Of{Business: businessID, Order: orderID}, after)
}

func (s subscriptionResolver) ShopOrderUpdates(
	ctx context.Context, businessID uuid.UUID, after *string,
) (<-chan *live.Update, error) {
	return s.r.updates(ctx, live.Of{Business: businessID}, after)
}

func (u orderUpdateResolver) Order(ctx context.Context, update *live.Update) (*ent.Order, error) {
	customer, err := u.r.buyerAt(ctx, update.Business)
	if err != nil {
		return nil, err
	}
	return u.r.ordersOf(customer).Where(entorder.ID(update.OrderID)).Collect(selection.Of(ctx)).
		Only(tenancy.In(ctx, update.Business))
}

// Order returns the current state of the order, or nil at the start of a subscription.
func (u shopOrderUpdateResolver) Order(ctx context.Context, update *live.Update) (*api.ShopOrder, error) {
	if update.OrderID == uuid.Nil {
		return nil, nil
	}
	return queryResolver(u).ShopOrder(ctx, update.Business, update.OrderID)
}
