package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	entorder "storefront/ent/order"
	"storefront/ent/ordercharge"
	"storefront/ent/orderevent"
	"storefront/ent/orderitem"
	"storefront/ent/payment"
	"storefront/ent/receipt"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
)

// ordersAt returns a customer's orders at a shop, newest first.
func (r *Resolver) ordersAt(customer cart.Owner, status *record.OrderStatus) list.List[*ent.Order] {
	found := func() *ent.OrderQuery {
		if status != nil {
			return r.ordersOf(customer).Where(entorder.StatusEQ(*status))
		}
		return r.ordersOf(customer)
	}
	return list.ShopList(customer.Business, list.NewestMade("orders.newest"),
		func(ctx context.Context, part list.Span) ([]*ent.Order, error) {
			return found().Where(part.Part).Collect(part.Columns).All(ctx)
		}, func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(o *ent.Order) (time.Time, uuid.UUID) { return o.CreatedAt, o.ID })
}

func (r userResolver) Orders(
	ctx context.Context, _ *ent.User, businessID uuid.UUID, page, pageSize int, status *record.OrderStatus,
) (*api.OrderPage, error) {
	customer, err := r.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return list.FreshPage(ctx, r.r.ordersAt(customer, status), page, pageSize), nil
}

func (r userResolver) OrdersConnection(
	ctx context.Context, _ *ent.User, businessID uuid.UUID, window list.Window,
	status *record.OrderStatus,
) (*api.OrderConnection, error) {
	customer, err := r.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return list.NewConnection(ctx, r.r.ordersAt(customer, status), window, list.DefaultSizeLarge)
}

func (r userResolver) Order(
	ctx context.Context, _ *ent.User, businessID, orderID uuid.UUID,
) (*ent.Order, error) {
	customer, err := r.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return r.r.ordersOf(customer).Where(entorder.ID(orderID)).Collect(selection.Of(ctx)).
		Only(tenancy.In(ctx, businessID))
}

// ordersOf returns the query for a customer's own orders. All reads of orders by customers start from it.
func (r *Resolver) ordersOf(customer cart.Owner) *ent.OrderQuery {
	return r.Store.Order.Query().Where(entorder.UserID(customer.User))
}

func (r orderResolver) Items(ctx context.Context, orders []*ent.Order) ([][]*ent.OrderItem, error) {
	if placed := orders[0].Edges.Items; placed != nil { // by this request
		return [][]*ent.OrderItem{placed}, nil
	}
	ids := convert.All(orders, func(o *ent.Order) uuid.UUID { return o.ID })
	found, err := r.r.Store.OrderItem.Query().Where(orderitem.OrderIDIn(ids...)).Order(orderitem.ByID()).
		Collect(selection.Of(ctx).And("order_id")).All(tenancy.In(ctx, orders[0].TenantID))
	lists := list.Group(ids, found, func(i *ent.OrderItem) uuid.UUID { return i.OrderID })
	for n, list := range lists {
		for _, item := range list {
			item.Edges.Order = orders[n] // the line needs the order's currency
		}
	}
	return lists, err
}

func (r orderResolver) Charges(ctx context.Context, orders []*ent.Order) ([][]*ent.OrderCharge, error) {
	if placed := orders[0].Edges; placed.Items != nil { // by this request
		return [][]*ent.OrderCharge{placed.Charges}, nil
	}
	ids := convert.All(orders, func(o *ent.Order) uuid.UUID { return o.ID })
	found, err := r.r.Store.OrderCharge.Query().Where(ordercharge.OrderIDIn(ids...)).Order(ordercharge.ByID()).
		Collect(selection.Of(ctx).And("order_id")).All(tenancy.In(ctx, orders[0].TenantID))
	lists := list.Group(ids, found, func(c *ent.OrderCharge) uuid.UUID { return c.OrderID })
	for n, list := range lists {
		for _, charge := range list {
			charge.Edges.Order = orders[n] // the charge needs the order's currency
		}
	}
	return lists, err
}

func (r orderResolver) Payment(ctx context.Context, orders []*ent.Order) ([]*ent.Payment, error) {
	if placed := orders[0].Edges.Payments; placed != nil { // by this request
		return placed, nil
	}
	ids := convert.All(orders, func(o *ent.Order) uuid.UUID { return o.ID })
	found, err := r.r.Store.Payment.Query().Where(payment.OrderIDIn(ids...), payment.Counts(true)).
		Collect(selection.Of(ctx).And("order_id")).All(tenancy.In(ctx, orders[0].TenantID))
	payments := make([]*ent.Payment, len(orders))
	for n, list := range list.Group(ids, found, func(p *ent.Payment) uuid.UUID { return p.OrderID }) {
		for _, p := range list {
			p.Edges.Order, payments[n] = orders[n], p
		}
	}
	list.RememberSiblings(ctx, found)
	return payments, err
}

func (r orderResolver) History(ctx context.Context, orders []*ent.Order) ([][]*ent.OrderEvent, error) {
	if placed := orders[0].Edges.Events; placed != nil { // by this request
		return [][]*ent.OrderEvent{placed}, nil
	}
	ids := convert.All(orders, func(o *ent.Order) uuid.UUID { return o.ID })
	found, err := r.r.Store.OrderEvent.Query().Where(orderevent.OrderIDIn(ids...)).
		Order(orderevent.ByAt(), orderevent.ByID()).
		Collect(selection.Of(ctx).And("order_id")).All(tenancy.In(ctx, orders[0].TenantID))
	return list.Group(ids, found, func(e *ent.OrderEvent) uuid.UUID { return e.OrderID }), err
}

func (r paymentResolver) Receipts(ctx context.Context, payments []*ent.Payment) ([][]*ent.Receipt, error) {
	ids := convert.All(payments, func(p *ent.Payment) uuid.UUID { return p.OrderID })
	found, err := r.r.Store.Receipt.Query().Where(receipt.OrderIDIn(ids...)).
		Order(receipt.ByCreatedAt(), receipt.ByID()).
		Collect(selection.Of(ctx).And("order_id")).All(tenancy.In(ctx, payments[0].TenantID))
	return list.Group(ids, found, func(one *ent.Receipt) uuid.UUID { return one.OrderID }), err
}

// URL returns an address at which the caller can see the receipt. Callers are its customer, or staff who
// manage orders.
func (r receiptResolver) URL(ctx context.Context, receipt *ent.Receipt) (*string, error) {
	if caller, err := request.CallerOf(ctx); err == nil && caller.User == receipt.UserID {
		return new(r.r.Media.OwnReceiptURL(caller, receipt)), nil
	}
	member, err := r.r.staffOnce(ctx, receipt.TenantID)
	if err != nil {
		return nil, err
	}
	url, err := r.r.Media.ReceiptURL(request.WithStaff(ctx, member), receipt)
	switch {
	case fault.Is(err, fault.Forbidden):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &url, nil
}

func (m mutationResolver) CreateReceiptUpload(
	ctx context.Context, businessID, orderID uuid.UUID,
) (*api.MediaUploadPayload, error) {
	customer, err := m.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	url, expires, err := m.r.Media.NewReceiptLink(ctx, customer, orderID)
	return &api.MediaUploadPayload{URL: url, ExpiresAt: expires, MaxBytes: imagefile.MostBytes}, err
}

func (m mutationResolver) RemoveReceipt(
	ctx context.Context, businessID, orderID, receiptID uuid.UUID,
) (*api.OrderPayload, error) {
	customer, err := m.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	left, err := m.r.Media.RemoveReceipt(ctx, customer, orderID, receiptID)
	return &api.OrderPayload{Message: "The receipt is removed.", Order: left}, err
}

func (m mutationResolver) DeleteReceipt(
	ctx context.Context, businessID, orderID, receiptID uuid.UUID,
) (*api.OrderPayload, error) {
	left, err := m.r.Media.DeleteReceipt(ctx, businessID, orderID, receiptID)
	return &api.OrderPayload{Message: "The receipt is deleted.", Order: left}, err
}
