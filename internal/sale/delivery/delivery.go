// Package delivery says which of a shop's delivery methods an order may have, and what they cost. Options, a function
// of values alone, decides it for carts and checkouts alike; Service reads what it needs.
package delivery

import (
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

// Parcel is what an order is to a delivery method.
type Parcel struct {
	Grams    int64
	Subtotal int64 // of the lines, after discounts and before tax
	Currency string
}

// ParcelOf returns the parcel of those lines of a cart that can be bought. usual is the weight of a variant without one
// of its own. The sums fit an int64: a cart has at most 100 lines of 9,999 units of record.MostGrams, and lines above
// money.Max are left out, as they cannot be ordered.
func ParcelOf(lines []*cart.Line, usual int) (p Parcel) {
	for _, l := range lines {
		total, ok := l.Total()
		if w := l.Warning(); !ok || w != nil && *w == record.Unavailable {
			continue
		}
		weight := usual
		if l.Weight != nil {
			weight = *l.Weight
		}
		p.Grams += int64(weight) * int64(l.Quantity)
		p.Subtotal += total
		p.Currency = l.Currency
	}
	return p
}

// Option is a delivery method for an order.
type Option struct {
	record.Delivery
	Price    *money.Amount // nil: the order may not have the method
	FreeFrom *money.Amount
	Refusal  *record.DeliveryRefusal // why it may not
}

// Options returns the active methods of a shop for a parcel to an address, in the shop's order. The address may be nil:
// then all methods for certain places are refused.
func (t *Terms) Options(p Parcel, to *record.ShippingAddress) []*Option {
	if t == nil {
		return nil
	}
	at := t.places.find(to)
	options := make([]*Option, len(t.methods))
	for i, m := range t.methods {
		option := &Option{Delivery: record.Delivery{MethodID: m.ID, Name: m.Name, NameFa: m.NameFa, Kind: m.Kind,
			DaysFrom: m.DaysFrom, DaysTo: m.DaysTo}}
		if m.FreeFrom != nil && hasPrice(m) {
			option.FreeFrom = &money.Amount{Minor: *m.FreeFrom, Currency: m.PriceCurrency}
		}
		if price, refusal := cost(m, p, at); refusal == "" {
			option.Amount = price
			option.Price = &money.Amount{Minor: price, Currency: p.Currency}
		} else {
			option.Refusal = &refusal
		}
		options[i] = option
	}
	return options
}

// hasPrice reports whether an order with a method pays the shop for it.
func hasPrice(m *ent.DeliveryMethod) bool {
	return m.Kind == record.DeliveryFlat || m.Kind == record.DeliveryBySteps
}

// cost returns what a method costs for a parcel to a place, or why it is refused. at are the ids of the place and of
// all above it.
func cost(m *ent.DeliveryMethod, p Parcel, at []uuid.UUID) (price int64, refusal record.DeliveryRefusal) {
	places := slices.Concat(m.CountryIds, m.ProvinceIds, m.CityIds)
	isThere := func(place uuid.UUID) bool { return slices.Contains(at, place) }
	switch {
	case len(places) > 0 && !slices.ContainsFunc(places, isThere):
		return 0, record.DeliveryElsewhere
	case p.Grams > record.MostGrams:
		return 0, record.DeliveryTooHeavy
	case !hasPrice(m):
		return 0, ""
	case m.PriceCurrency != p.Currency:
		return 0, record.DeliveryOtherCurrency
	}
	if m.Kind == record.DeliveryFlat {
		price = *m.Price
	} else {
		step := slices.IndexFunc(m.Steps, func(s record.DeliveryStep) bool { return p.Grams <= int64(s.UpTo) })
		if step < 0 {
			return 0, record.DeliveryTooHeavy
		}
		price = m.Steps[step].Price
	}
	if m.FreeFrom != nil && p.Subtotal >= *m.FreeFrom {
		price = 0
	}
	return price, ""
}
