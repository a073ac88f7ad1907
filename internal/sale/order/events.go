package order

import (
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/event/outbox"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// Webhooks receive ids and figures about orders and stock. Who bought, and the address, are only for callers
// who may read the order.

type orderData struct {
	BusinessID    uuid.UUID          `json:"businessId"`
	OrderID       uuid.UUID          `json:"orderId"`
	OrderNumber   string             `json:"orderNumber"`
	Status        record.OrderStatus `json:"status"`
	TotalQuantity int                `json:"totalQuantity"`
	Total         money.Amount       `json:"total"`
	PriceCurrency string             `json:"priceCurrency"`
	Payment       *paymentData       `json:"payment,omitempty"`
	Refund        *refundData        `json:"refund,omitempty"`
	Items         []itemData         `json:"items,omitempty"`
}

type paymentData struct {
	Type      record.PaymentType   `json:"type"`
	Status    record.PaymentStatus `json:"status"`
	Amount    money.Amount         `json:"amount"`
	RefundDue bool                 `json:"refundDue"`
	Refunded  money.Amount         `json:"refundedAmount"`
}

type refundData struct {
	ID     uuid.UUID           `json:"id"`
	Amount money.Amount        `json:"amount"`
	Status record.RefundStatus `json:"status"`
}

type itemData struct {
	Variant   uuid.UUID    `json:"storeItemVariantId"`
	Product   uuid.UUID    `json:"productId"`
	Sku       string       `json:"sku"`
	Quantity  int          `json:"quantity"`
	UnitPrice money.Amount `json:"unitPrice"`
	LineTotal money.Amount `json:"lineTotal"`
}

// eventOf returns an event of an order, with its payment and lines if they are loaded.
func eventOf(kind record.WebhookEvent, id uuid.UUID, at time.Time, o *ent.Order) outbox.Event {
	amount := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: o.PriceCurrency} }
	data := orderData{
		BusinessID: o.TenantID, OrderID: o.ID, OrderNumber: o.OrderNumber, Status: o.Status,
		TotalQuantity: o.TotalQuantity, Total: amount(o.Total), PriceCurrency: o.PriceCurrency,
	}
	for _, p := range o.Edges.Payments {
		data.Payment = &paymentData{Type: p.Type, Status: p.Status.Shown(), Amount: amount(p.Amount),
			RefundDue: o.RefundDue > 0, Refunded: amount(p.Refunded)}
		for _, r := range p.Edges.Refunds {
			data.Refund = &refundData{r.ID, amount(r.Amount), r.Status}
		}
	}
	for _, i := range o.Edges.Items {
		data.Items = append(data.Items,
			itemData{Variant: i.StoreItemVariantID, Product: i.ProductID, Sku: i.Sku, Quantity: i.Quantity,
				UnitPrice: amount(i.UnitPrice), LineTotal: amount(i.LineTotal)})
	}
	return outbox.Event{ID: id, Type: kind, Subject: o.ID, At: at, Placed: o.CreatedAt, Data: data}
}

// placedEventSQL returns the SQL that writes the event of a placed order, with the payload $data and the id
// of the order's first step.
func placedEventSQL(from string) string {
	return outbox.Writing("$event", "'order_placed'", "$order", "$day", "$data", from)
}

// tellingLow is the SQL that writes outbox.LowStock for the variants that were taken, on PostgreSQL.
var tellingLow = outbox.Writing("taken.event", "'stock_low'", "taken.variant", "NULL",
	`json_build_object('type', 'stock.low', 'timestamp', $moment::text, 'data', json_build_object(
		'businessId', $tenant::uuid, 'storeItemVariantId', taken.variant, 'sku', taken.sku, 'stock', taken.stock))`,
	` FROM taken
	WHERE taken.stock = 0 OR taken.stock <= taken.low AND taken.stock + taken.quantity > taken.low`)
