package record

import (
	"encoding/json"
	"fmt"
	"time"
)

// OrderRules are what a shop asks of its customers' orders.
type OrderRules struct {
	// How many hours an order waits for its payment by transfer and by gateway before it is cancelled; 0: for ever.
	TransferHours int `json:"transferHours"`
	GatewayHours  int `json:"gatewayHours"`

	MostUnpaid   *int `json:"mostUnpaid"`   // orders of one customer that may wait for payment; nil: any number
	ProvenNumber bool `json:"provenNumber"` // whether only those order whose number was proven by a code
}

// UsualOrderRules are those of a shop that has not set any.
var UsualOrderRules = OrderRules{TransferHours: 72, GatewayHours: 72}

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

// DueAt returns until when an order that is placed at a time waits for its payment, or nil if it waits for ever.
func (r OrderRules) DueAt(paid PaymentType, at time.Time) *time.Time {
	hours := map[PaymentType]int{PayByTransfer: r.TransferHours, PayAtGateway: r.GatewayHours}[paid]
	if hours == 0 {
		return nil
	}
	at = at.Add(time.Duration(hours) * time.Hour)
	return &at
}
