package cart

import (
	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/record"
)

// Short is a line of which less can be had than it asks for, as the details of INSUFFICIENT_STOCK and
// ITEM_UNAVAILABLE list it.
type Short struct {
	StoreItemVariantID uuid.UUID `json:"storeItemVariantId"`
	Requested          int       `json:"requested"`
	Available          int       `json:"available"`
}

// Check reports whether all lines can be bought: it fails with ITEM_UNAVAILABLE or INSUFFICIENT_STOCK,
// whose details name every short line.
func Check(lines []*Line) error {
	var short []Short
	gone := false
	for _, l := range lines {
		w := l.Warning()
		if w == nil || *w == record.PriceChanged {
			continue
		}
		available := l.Available
		if *w == record.Unavailable {
			gone, available = true, 0
		}
		short = append(short, Short{l.Variant, l.Quantity, available})
	}
	switch {
	case gone:
		return unavailable(short)
	case len(short) > 0:
		return insufficient(short)
	}
	return nil
}

func unavailable(short []Short) error {
	e := fault.New(fault.ItemUnavailable, "an item is not on sale any more, or has no price; take it out of the cart")
	e.Details = short
	return e
}

func insufficient(short []Short) error {
	e := fault.New(fault.InsufficientStock, "there is less of an item than asked for")
	e.Details = short
	return e
}
