package money

import (
	"context"
	"slices"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// mark has staff say how the order is paid.
func (l *life) mark(ctx context.Context, status string) error {
	return l.staff(ctx, "mark "+status, `mutation($b: ID!, $o: ID!, $in: PaymentMarkInput!) {
		markPayment(businessId: $b, orderId: $o, input: $in) { message } }`,
		map[string]any{"in": map[string]any{"status": status}}, nil)
}

// move has staff move the order on.
func (l *life) move(ctx context.Context, statuses ...string) {
	for _, status := range statuses {
		_ = l.staff(ctx, "move "+status, `mutation($b: ID!, $o: ID!, $to: OrderStatus!) {
			moveOrder(businessId: $b, orderId: $o, status: $to) { message } }`, map[string]any{"to": status}, nil)
	}
}

// cancel has the customer cancel the order.
func (l *life) cancel(ctx context.Context) {
	_ = l.asks(ctx, &l.buyer.Client, "cancel", `mutation($b: ID!, $o: ID!) {
		cancelOrder(businessId: $b, orderId: $o) { message } }`, map[string]any{"o": l.order}, nil)
}

// declared is an order that is not paid at a gateway: staff say whether it is paid.
func (l *life) declared(ctx context.Context) {
	switch l.IntN(4) {
	case 0:
		_ = l.mark(ctx, "failed")
	case 1:
		l.cancel(ctx)
	default:
		_ = l.mark(ctx, "paid")
		if l.IntN(2) == 0 {
			_ = l.mark(ctx, "refunded")
		}
	}
}

// after is what may happen when the order is paid, or was to be.
func (l *life) after(ctx context.Context) {
	if l.gateway == "stripe" && slices.ContainsFunc(l.cells[asking], func(c cell) bool {
		return c.Kind == "amount"
	}) { // what is not the order's amount is given back by hand
		l.town.control(ctx, l.gateway, map[string]any{"do": "reverse", "id": l.told}, nil)
	}
	if len(l.cells[refunding])+len(l.cells[reading]) > 0 {
		l.refund(ctx)
		return
	}
	switch n := l.IntN(100); {
	case n < 15:
		l.refund(ctx)
	case n < 20:
		l.cancel(ctx)
	case n < 24:
		l.cancel(ctx)
		l.refund(ctx)
	case n < 30:
		l.move(ctx, "confirmed", "processing", "shipped", "delivered")
	case n < 33:
		l.move(ctx, "confirmed", "cancelled")
	case n < 36:
		_ = l.mark(ctx, "paid") // the customer says so
	case n < 38:
		l.erase(ctx)
	case n < 39:
		l.close(ctx)
	case n < 41:
		l.shop.change(ctx, l)
	case n < 45 && l.gateway == "stripe":
		l.town.control(ctx, l.gateway, map[string]any{"do": "repeat", "id": l.theirs}, nil)
		l.town.control(ctx, l.gateway, map[string]any{"do": "foreign", "id": l.shop.merchant("stripe")}, nil)
	}
}

// erase has the customer close the account, and another one take the place.
func (l *life) erase(ctx context.Context) {
	err := l.does(ctx, &l.buyer.Client, "erase", "/graphql", map[string]any{
		"query":     `mutation($in: CloseAccountInput!) { closeAccount(input: $in) { message } }`,
		"variables": map[string]any{"in": map[string]any{"currentPassword": l.buyer.Password}}}, nil)
	must.Hold(err == nil || customer.Code(err) == "UNAUTHENTICATED", "an account cannot be closed: %w", err)
	*l.buyer = *l.town.newcomer(ctx)
}

// close closes the shop for a moment.
func (l *life) close(ctx context.Context) {
	for _, field := range []string{"closeShop", "openShop"} {
		must.Do(l.asks(ctx, &l.shop.owner.Client, field, `mutation($b: ID!) { `+field+`(businessId: $b) {
			shopAccess { domain } } }`, map[string]any{}, nil))
	}
}

// test has staff test the account of the gateway.
func (l *life) test(ctx context.Context) {
	if len(l.cells[checking]) == 0 {
		return
	}
	l.inject(ctx, checking, l.shop.merchant(l.gateway))
	_ = l.asks(ctx, &l.shop.owner.Client, "test", `mutation($b: ID!, $id: ID!) {
		checkGatewayAccount(businessId: $b, accountId: $id) { wrong } }`,
		map[string]any{"id": l.shop.active(l.gateway)}, nil)
}
