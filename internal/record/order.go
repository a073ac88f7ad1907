package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// OrderStatus is the status of an order (contract 3.3).
type OrderStatus string

// The statuses of orders. Contract 3.3 says which status may follow which.
const (
	OrderPending    OrderStatus = "pending"
	OrderConfirmed  OrderStatus = "confirmed"
	OrderProcessing OrderStatus = "processing"
	OrderShipped    OrderStatus = "shipped"
	OrderDelivered  OrderStatus = "delivered"
	OrderCancelled  OrderStatus = "cancelled"
)

// PaymentType is how a customer wants to pay.
type PaymentType string

// The types of payments, as both APIs spell them (contract 2.6).
const (
	PayByPOS      PaymentType = "pos"
	PayInCash     PaymentType = "cash"
	PayByTransfer PaymentType = "transfer"
	PayAtGateway  PaymentType = "e_payment_gate"
)

// PaymentStatus is the status of a payment.
type PaymentStatus string

// The statuses of payments. Contract 3.7 says which status may follow which.
const (
	PaymentPending   PaymentStatus = "pending"
	PaymentPaid      PaymentStatus = "paid"
	PaymentFailed    PaymentStatus = "failed"
	PaymentCancelled PaymentStatus = "cancelled"
	PaymentRefunded  PaymentStatus = "refunded"
)

// PaymentState is the state of a payment as it is stored, which is finer than what customers see.
type PaymentState string

// The states of payments. The first five are those of what a customer declared. A try at a gateway begins as
// StateBegun.
const (
	StatePending   PaymentState = "pending"
	StatePaid      PaymentState = "paid"
	StateFailed    PaymentState = "failed"
	StateCancelled PaymentState = "cancelled"
	StateRefunded  PaymentState = "refunded" // wholly

	StateBegun      PaymentState = "begun"      // the gateway may not have heard of it
	StateSent       PaymentState = "sent"       // the customer was sent to the gateway
	StateReturned   PaymentState = "returned"   // the customer came back, and it is not paid yet
	StateVerifying  PaymentState = "verifying"  // the gateway may have been asked to verify it
	StateExpired    PaymentState = "expired"    // the gateway does not take it any more
	StateSuperseded PaymentState = "superseded" // the customer began another one
	StateGivenBack  PaymentState = "given_back" // the gateway gave the money back
	StateReview     PaymentState = "review"     // it is paid, and the order does not need it: the shop owes it
)

// Shown returns the status that customers, partners and sheets see.
func (s PaymentState) Shown() PaymentStatus {
	switch s {
	case StatePaid, StateReview:
		return PaymentPaid
	case StateRefunded:
		return PaymentRefunded
	case StateCancelled:
		return PaymentCancelled
	case StateFailed, StateExpired, StateSuperseded, StateGivenBack:
		return PaymentFailed
	}
	return PaymentPending
}

// StatesUnderWay are those of a try at a gateway that may still be paid or is just being verified.
var StatesUnderWay = []PaymentState{StateBegun, StateSent, StateReturned, StateVerifying}

// UnderWay reports whether a state is one of StatesUnderWay.
func (s PaymentState) UnderWay() bool { return slices.Contains(StatesUnderWay, s) }

// StatesShown returns the states that are shown as a status.
func StatesShown(status PaymentStatus) (states []PaymentState) {
	for _, name := range PaymentState("").Values() {
		if state := PaymentState(name); state.Shown() == status {
			states = append(states, state)
		}
	}
	return states
}

// RefundStatus is the status of a refund.
type RefundStatus string

// The statuses of refunds. All but RefundFailed count as refunded: they have happened, or may have.
const (
	RefundAsked    RefundStatus = "asked"    // it was not sent to the gateway yet
	RefundSent     RefundStatus = "sent"     // it was sent, or may have been
	RefundDone     RefundStatus = "done"     // it may still fail, days later
	RefundFailed   RefundStatus = "failed"   // the money has not gone back
	RefundUnknown  RefundStatus = "unknown"  // the answer of the gateway is missing or unclear
	RefundDisputed RefundStatus = "disputed" // the customer contests the payment at the bank
)

// Values lists every RefundStatus.
func (RefundStatus) Values() []string {
	return []string{"asked", "sent", "done", "failed", "unknown", "disputed"}
}

// ChargeKind is a kind of charge of an order. Its amount is negative for discounts.
type ChargeKind string

// The kinds of charges.
const (
	ChargeLineDiscount     ChargeKind = "line_discount"
	ChargeOrderDiscount    ChargeKind = "order_discount"
	ChargeCode             ChargeKind = "code"
	ChargeDelivery         ChargeKind = "delivery"
	ChargeDeliveryDiscount ChargeKind = "delivery_discount"
	ChargeTax              ChargeKind = "tax"
)

// LeftOutReason is why an item of a guest's cart was not moved to the customer's cart.
type LeftOutReason string

// The reasons, as the API spells them.
const (
	LeftOutStock       LeftOutReason = "INSUFFICIENT_STOCK"
	LeftOutLimit       LeftOutReason = "MAX_ORDER_QUANTITY_EXCEEDED"
	LeftOutUnavailable LeftOutReason = "UNAVAILABLE"
	LeftOutCurrency    LeftOutReason = "OTHER_CURRENCY"
	LeftOutLines       LeftOutReason = "CART_FULL"
)

// CartWarning is a change that affects a line of a cart since it was written.
type CartWarning string

// The warnings, as both APIs spell them (contract 2.6).
const (
	PriceChanged             CartWarning = "PRICE_CHANGED"
	InsufficientStock        CartWarning = "INSUFFICIENT_STOCK"
	MaxOrderQuantityExceeded CartWarning = "MAX_ORDER_QUANTITY_EXCEEDED"
	Unavailable              CartWarning = "UNAVAILABLE"
)

// ShippingAddress is the address of an order, as it was when the order was placed.
type ShippingAddress struct {
	Province   string     `json:"province"`
	City       string     `json:"city"`
	Address    string     `json:"address"`
	PostalCode *string    `json:"postalCode"`
	Landline   *string    `json:"landline"`
	LocationID *uuid.UUID `json:"locationId,omitempty"` // that the customer chose
}

// DeliveryKind is how a delivery method is priced.
type DeliveryKind string

// The kinds of delivery methods, as the API and bundles spell them.
const (
	DeliveryFlat    DeliveryKind = "flat"
	DeliveryBySteps DeliveryKind = "steps"           // by weight
	DeliveryCollect DeliveryKind = "freight_collect" // the customer pays the carrier
	DeliveryPickUp  DeliveryKind = "pick_up"
)

// DeliveryStep is the price of what weighs at most UpTo grams, in the smallest unit of the method's currency.
type DeliveryStep struct {
	UpTo  int   `json:"upTo"`
	Price int64 `json:"price"`
}

// Delivery is a delivery method as an order keeps it.
type Delivery struct {
	MethodID uuid.UUID    `json:"methodId"`
	Name     string       `json:"name"`
	NameFa   string       `json:"nameFa"`
	Kind     DeliveryKind `json:"kind"`
	DaysFrom *int         `json:"daysFrom"`
	DaysTo   *int         `json:"daysTo"`
	Amount   int64        `json:"amount"` // what it costs, in the smallest unit of the order's currency
}

// DeliveryRefusal is why an order cannot have a delivery method.
type DeliveryRefusal string

// The reasons, as the API spells them.
const (
	DeliveryElsewhere     DeliveryRefusal = "OTHER_PLACE"
	DeliveryTooHeavy      DeliveryRefusal = "TOO_HEAVY"
	DeliveryOtherCurrency DeliveryRefusal = "OTHER_CURRENCY"
)

// MostGrams is the greatest weight of a variant, of a step and of what a delivery method takes.
const MostGrams = 1 << 31

// OrderRules are what a shop asks of its customers' orders.
type OrderRules struct {
	// How many hours an order waits for its payment by transfer and by gateway before it is cancelled; 0: for ever.
	TransferHours int `json:"transferHours"`
	GatewayHours  int `json:"gatewayHours"`

	// GatewayMinutes is used instead of GatewayHours while customers can pay at a gateway of the shop.
	GatewayMinutes int  `json:"gatewayMinutes"`
	TakesPayments  bool `json:"-"` // they can: it is read beside the rules

	MostUnpaid   *int `json:"mostUnpaid"`   // orders of one customer that may wait for payment; nil: any number
	ProvenNumber bool `json:"provenNumber"` // whether only those order whose number was proven by a code
	UsualWeight  int  `json:"usualWeight"`  // grams of a variant without a weight of its own

	PricesIncludeTax bool `json:"pricesIncludeTax"` // else taxes are added to the prices
}

// The categories of taxes that every shop has; variants may have others.
const (
	StandardTax = "standard" // of variants without another
	DeliveryTax = "delivery"
)

// UsualOrderRules are those of a shop that has not set any.
var UsualOrderRules = OrderRules{TransferHours: 72, GatewayHours: 72, GatewayMinutes: 30, UsualWeight: 500}

// Scan reads the rules of a shop from its column.
func (r *OrderRules) Scan(column any) error {
	*r = UsualOrderRules
	switch text := column.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(text, r)
	case string:
		return json.Unmarshal([]byte(text), r)
	}
	return fmt.Errorf("record: order rules as %T", column)
}

// Pace is how many times shorter the windows of payments are than they should be, for trials (GATEWAY_TIME); 0 is 1.
type Pace int

// Of returns a window.
func (p Pace) Of(window time.Duration) time.Duration { return window / time.Duration(max(p, 1)) }

// Watched returns a window in which nothing is expected, and which is long: it is six times shorter again.
func (p Pace) Watched(window time.Duration) time.Duration {
	if p > 1 {
		p *= 6
	}
	return p.Of(window)
}

// DueAt returns until when an order that is placed at a time waits for its payment, or nil if it waits for ever.
func (r OrderRules) DueAt(paid PaymentType, at time.Time, pace Pace) *time.Time {
	waits := time.Duration(0)
	switch {
	case paid == PayByTransfer:
		waits = time.Duration(r.TransferHours) * time.Hour
	case paid == PayAtGateway && r.TakesPayments:
		waits = time.Duration(r.GatewayMinutes) * time.Minute
	case paid == PayAtGateway:
		waits = time.Duration(r.GatewayHours) * time.Hour
	}
	if waits == 0 {
		return nil
	}
	at = at.Add(pace.Of(waits))
	return &at
}
