package cart

import (
	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/record"
)

// Short is a line whose quantity cannot be ordered, in the details of INSUFFICIENT_STOCK,
// MAX_ORDER_QUANTITY_EXCEEDED and ITEM_UNAVAILABLE.
type Short struct {
	StoreItemVariantID uuid.UUID `json:"storeItemVariantId"`
	Requested          int       `json:"requested"`
	Available          int       `json:"available"`
}

// Check fails unless all lines can be bought: with ITEM_UNAVAILABLE, INSUFFICIENT_STOCK or
// MAX_ORDER_QUANTITY_EXCEEDED, the first of these that applies to a line. The details name every short line.
func Check(lines []*Line) error { return checkEach(lines, (*Line).Warning) }

// checkEach is Check with the given rule for faulty lines.
func checkEach(lines []*Line, against func(*Line) *record.CartWarning) error {
	var short []Short
	gone, scarce := false, false
	for _, l := range lines {
		w := against(l)
		if w == nil || *w == record.PriceChanged {
			continue
		}
		available := l.Available
		switch *w {
		case record.Unavailable:
			gone, available = true, 0
		case record.InsufficientStock:
			scarce = true
		}
		short = append(short, Short{l.Variant, l.Quantity, available})
	}
	switch {
	case gone:
		return unavailable(short)
	case scarce:
		return withShort(short, fault.New(fault.InsufficientStock, "there is less of an item than asked for"))
	case len(short) > 0:
		return withShort(short, fault.New(fault.MaxOrderQuantityExceeded,
			"more of an item than may be ordered at once"))
	}
	return nil
}

func unavailable(short []Short) *fault.Error {
	return withShort(short, fault.New(fault.ItemUnavailable,
		"an item is not on sale any more, or has no price; take it out of the cart"))
}

func withShort(short []Short, e *fault.Error) *fault.Error {
	e.Details = short
	return e
}
