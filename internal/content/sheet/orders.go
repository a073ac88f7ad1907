package sheet

import (
	"context"
	"io"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/orderitem"
	"storefront/ent/payment"
	"storefront/internal/locale/money"
)

// orders writes the orders of the shop, a row for each line. Values of the whole order, such as its total,
// are only in the row of its first line, so that columns add up.
func (e *export) orders(ctx context.Context, to io.Writer) error {
	err := e.w.begin(to, "orderNumber", "createdAt", "status", "sku", "title", "quantity", "unitPrice", "lineTotal",
		"currency", "total", "paymentType", "paymentStatus", "customerName", "customerCell", "province", "city",
		"address", "postalCode", "notes")
	if err != nil {
		return err
	}
	return pages(ctx, e.w.still, func(ctx context.Context, after uuid.UUID) ([]*ent.Order, error) {
		return e.client.Order.Query().Where(order.IDGT(after)).Order(order.ByID()).Limit(atOnce).WithUser().
			WithItems(func(q *ent.OrderItemQuery) { q.Order(orderitem.ByID()) }).
			WithPayments(func(q *ent.PaymentQuery) { q.Where(payment.Counts(true)) }).All(ctx)
	}, func(o *ent.Order) uuid.UUID { return o.ID }, e.order)
}

func (e *export) order(o *ent.Order) error {
	amount := func(minor int64) any { return money.Amount{Minor: minor, Currency: o.PriceCurrency} }
	whole := []any{amount(o.Total), nil, nil, nil, nil, o.ShippingAddress.Province, o.ShippingAddress.City,
		o.ShippingAddress.Address, o.ShippingAddress.PostalCode, o.CustomerNotes}
	for _, p := range o.Edges.Payments {
		whole[1], whole[2] = string(p.Type), string(p.Status.Shown())
	}
	if u := o.Edges.User; u != nil {
		whole[3], whole[4] = buyerOf(o), dialled(u.CellNumber)
	}
	for _, line := range o.Edges.Items {
		title := line.TitleFa
		if e.shop.DefaultLocale == "en" && line.TitleEn != nil {
			title = *line.TitleEn
		}
		cells := append([]any{o.OrderNumber, moment(o.CreatedAt), string(o.Status), line.Sku, title, line.Quantity,
			amount(line.UnitPrice), amount(line.LineTotal), o.PriceCurrency}, whole...)
		if err := e.w.write(cells...); err != nil {
			return err
		}
		whole = nil
	}
	return nil
}

// buyerOf returns the name of an order's buyer at checkout.
func buyerOf(o *ent.Order) string {
	var names []string
	for _, part := range []*string{o.BuyerFirstName, o.BuyerLastName} {
		if part != nil && *part != "" {
			names = append(names, *part)
		}
	}
	return strings.Join(names, " ")
}
