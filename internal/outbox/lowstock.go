package outbox

import (
	"time"

	"github.com/google/uuid"

	"storefront/internal/record"
)

// LowStock returns the event that reports a low stock of a variant (record.BecameLow).
func LowStock(business, variant uuid.UUID, sku string, stock int, at time.Time) Event {
	return Event{ID: record.NewID(), Type: record.StockLow, Subject: variant, At: at, Data: struct {
		BusinessID uuid.UUID `json:"businessId"`
		Variant    uuid.UUID `json:"storeItemVariantId"`
		Sku        string    `json:"sku"`
		Stock      int       `json:"stock"`
	}{BusinessID: business, Variant: variant, Sku: sku, Stock: stock}}
}
