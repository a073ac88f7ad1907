package record

import "io"

// OrderStatus is the status of an order (contract 3.3).
type OrderStatus string

const (
	OrderPending    OrderStatus = "pending"
	OrderConfirmed  OrderStatus = "confirmed"
	OrderProcessing OrderStatus = "processing"
	OrderShipped    OrderStatus = "shipped"
	OrderDelivered  OrderStatus = "delivered"
	OrderCancelled  OrderStatus = "cancelled"
)

// Values lists every OrderStatus.
func (OrderStatus) Values() []string {
	return []string{"pending", "confirmed", "processing", "shipped", "delivered", "cancelled"}
}

// PaymentType is how a customer wants to pay.
type PaymentType string

const (
	PayByPOS      PaymentType = "pos"
	PayInCash     PaymentType = "cash"
	PayByTransfer PaymentType = "transfer"
	PayAtGateway  PaymentType = "e_payment_gate"
)

// Values lists every PaymentType.
func (PaymentType) Values() []string { return []string{"pos", "cash", "transfer", "e_payment_gate"} }

// PaymentStatus is the status of a payment.
type PaymentStatus string

const (
	PaymentPending   PaymentStatus = "pending"
	PaymentPaid      PaymentStatus = "paid"
	PaymentFailed    PaymentStatus = "failed"
	PaymentCancelled PaymentStatus = "cancelled"
	PaymentRefunded  PaymentStatus = "refunded"
)

// Values lists every PaymentStatus.
func (PaymentStatus) Values() []string {
	return []string{"pending", "paid", "failed", "cancelled", "refunded"}
}

// LeftOutReason is why an item of a guest's cart was not moved to the customer's cart.
type LeftOutReason string

const (
	LeftOutStock       LeftOutReason = "INSUFFICIENT_STOCK"
	LeftOutLimit       LeftOutReason = "MAX_ORDER_QUANTITY_EXCEEDED"
	LeftOutUnavailable LeftOutReason = "UNAVAILABLE"
	LeftOutCurrency    LeftOutReason = "OTHER_CURRENCY"
	LeftOutLines       LeftOutReason = "CART_FULL"
)

// Values lists every LeftOutReason.
func (LeftOutReason) Values() []string {
	return []string{"INSUFFICIENT_STOCK", "MAX_ORDER_QUANTITY_EXCEEDED", "UNAVAILABLE", "OTHER_CURRENCY", "CART_FULL"}
}

// CartWarning is a change that affects a line of a cart since it was written.
type CartWarning string

const (
	PriceChanged             CartWarning = "PRICE_CHANGED"
	InsufficientStock        CartWarning = "INSUFFICIENT_STOCK"
	MaxOrderQuantityExceeded CartWarning = "MAX_ORDER_QUANTITY_EXCEEDED"
	Unavailable              CartWarning = "UNAVAILABLE"
)

// Values lists every CartWarning.
func (CartWarning) Values() []string {
	return []string{"PRICE_CHANGED", "INSUFFICIENT_STOCK", "MAX_ORDER_QUANTITY_EXCEEDED", "UNAVAILABLE"}
}

func (s OrderStatus) MarshalGQL(w io.Writer)      { marshal(w, s) }
func (s *OrderStatus) UnmarshalGQL(v any) error   { return unmarshal(s, v) }
func (p PaymentType) MarshalGQL(w io.Writer)      { marshal(w, p) }
func (p *PaymentType) UnmarshalGQL(v any) error   { return unmarshal(p, v) }
func (s PaymentStatus) MarshalGQL(w io.Writer)    { marshal(w, s) }
func (s *PaymentStatus) UnmarshalGQL(v any) error { return unmarshal(s, v) }
func (r LeftOutReason) MarshalGQL(w io.Writer)    { marshal(w, r) }
func (r *LeftOutReason) UnmarshalGQL(v any) error { return unmarshal(r, v) }
func (c CartWarning) MarshalGQL(w io.Writer)      { marshal(w, c) }
func (c *CartWarning) UnmarshalGQL(v any) error   { return unmarshal(c, v) }

// ShippingAddress is the address of an order, as it was when the order was placed.
type ShippingAddress struct {
	Province   string  `json:"province"`
	City       string  `json:"city"`
	Address    string  `json:"address"`
	PostalCode *string `json:"postalCode"`
	Landline   *string `json:"landline"`
}

// RefundDue reports whether a shop has received the money of an order that is cancelled.
func RefundDue(order OrderStatus, payment PaymentStatus) bool {
	return order == OrderCancelled && payment == PaymentPaid
}
