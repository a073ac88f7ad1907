// Package price says what an order costs: its lines, and the charges on them. Of is a function of values alone, the
// same for carts and checkouts.
package price

import (
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/delivery"
)

// Charge is what an order costs besides its lines.
type Charge struct {
	Kind     record.ChargeKind
	Line     *cart.Line // nil: it is of the whole order
	Source   uuid.UUID  // the id of the delivery method or of the tax rate
	Name     string
	NameFa   string
	Amount   money.Amount
	Rate     *int // of a tax: parts per million
	Included bool // the prices contain it, and it is in no sum
}

// StoreItemVariantID returns the variant of the line that the charge is of; nil: it is of the whole order.
func (c *Charge) StoreItemVariantID() *uuid.UUID {
	if c.Line == nil {
		return nil
	}
	return &c.Line.Variant
}

// Bill is what an order comes to.
type Bill struct {
	Subtotal money.Amount // of the lines
	Total    money.Amount // of them and the charges that the prices do not contain
	Charges  []*Charge
	Delivery *delivery.Option // nil: the shop has no delivery methods, or none takes the order
}

// DeliveryMethodID returns the id of the delivery method; nil: there is none.
func (b *Bill) DeliveryMethodID() *uuid.UUID {
	if b.Delivery == nil {
		return nil
	}
	return &b.Delivery.MethodID
}

// Terms are what a shop's prices depend on besides those of the lines.
type Terms struct {
	Delivery *delivery.Option        // of the order; nil: none
	Rates    map[string]*ent.TaxRate // that hold now, by their category
	Included bool                    // the prices contain taxes
}

// Of returns the bill of lines, all of which have a price. ok is false if something is above money.Max.
func Of(lines []*cart.Line, terms Terms) (b *Bill, ok bool) {
	b = &Bill{Delivery: terms.Delivery, Subtotal: money.Amount{Currency: lines[0].Currency}}
	ok = true
	for _, l := range lines {
		cost, inRange := l.Total()
		if !ok || !inRange {
			return b, false
		}
		b.Subtotal.Minor, ok = money.Plus(b.Subtotal.Minor, cost)
	}
	b.Total = b.Subtotal
	if option := terms.Delivery; option != nil {
		ok = ok && b.charge(option.Amount, Charge{Kind: record.ChargeDelivery, Source: option.MethodID,
			Name: option.Name, NameFa: option.NameFa})
	}
	for _, l := range lines {
		category := record.StandardTax
		if l.Tax != nil {
			category = *l.Tax
		}
		cost, _ := l.Total()
		ok = ok && b.tax(terms, category, cost, l)
	}
	if option := terms.Delivery; option != nil && option.Amount > 0 {
		ok = ok && b.tax(terms, record.DeliveryTax, option.Amount, nil)
	}
	return b, ok
}

// tax charges the tax of a category on a cost. It reports whether the total is not above money.Max.
func (b *Bill) tax(terms Terms, category string, cost int64, line *cart.Line) (ok bool) {
	rate := terms.Rates[category]
	if rate == nil {
		return true
	}
	amount := money.Portion(cost, rate.Rate)
	if terms.Included {
		amount = money.Contained(cost, rate.Rate)
	}
	return b.charge(amount, Charge{Kind: record.ChargeTax, Line: line, Source: rate.ID, Name: rate.Name,
		NameFa: rate.NameFa, Rate: &rate.Rate, Included: terms.Included})
}

func (b *Bill) charge(minor int64, c Charge) (ok bool) {
	c.Amount = money.Amount{Minor: minor, Currency: b.Total.Currency}
	b.Charges = append(b.Charges, &c)
	if c.Included {
		return true
	}
	b.Total.Minor, ok = money.Plus(b.Total.Minor, minor)
	return ok
}
