package ent

import (
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// This file is written by hand, beside what is generated: what the API shows of records in more than one form. Amounts
// are columns with the currency of their record.

// PriceAmount is the price of the cheapest variant on sale; nil: none is on sale, or it is on request.
func (p *Product) PriceAmount() *money.Amount { return amountOf(p.PriceMin, p.PriceCurrency) }

// MaxPriceAmount is the price of the dearest variant on sale.
func (p *Product) MaxPriceAmount() *money.Amount { return amountOf(p.PriceMax, p.PriceCurrency) }

// PriceAmount is what the variant costs; nil: ask.
func (v *Variant) PriceAmount() *money.Amount { return amountOf(v.Price, &v.PriceCurrency) }

// CompareAtAmount is what it cost before, or costs elsewhere.
func (v *Variant) CompareAtAmount() *money.Amount {
	return amountOf(v.CompareAtPrice, &v.PriceCurrency)
}

// PriceAmount is what the customer asks; nil: ask.
func (p *UserProduct) PriceAmount() *money.Amount { return amountOf(p.Price, &p.PriceCurrency) }

// SubtotalAmount is what the lines cost together.
func (o *Order) SubtotalAmount() money.Amount {
	return money.Amount{Minor: o.Subtotal, Currency: o.PriceCurrency}
}

// TotalAmount is what is to be paid.
func (o *Order) TotalAmount() money.Amount {
	return money.Amount{Minor: o.Total, Currency: o.PriceCurrency}
}

// DeliveryAmount is what delivery costs; nil: the shop had no delivery method.
func (o *Order) DeliveryAmount() *money.Amount {
	if o.Delivery == nil {
		return nil
	}
	return amountOf(&o.Delivery.Amount, &o.PriceCurrency)
}

// UnitPriceAmount is what one costs. The line was read with its order, which knows the currency.
func (i *OrderItem) UnitPriceAmount() money.Amount {
	return money.Amount{Minor: i.UnitPrice, Currency: i.Edges.Order.PriceCurrency}
}

// LineTotalAmount is what all units cost.
func (i *OrderItem) LineTotalAmount() money.Amount {
	return money.Amount{Minor: i.LineTotal, Currency: i.Edges.Order.PriceCurrency}
}

// ToPay is what is to be paid. The payment was read with its order, which knows the currency.
func (p *Payment) ToPay() money.Amount {
	return money.Amount{Minor: p.Amount, Currency: p.Edges.Order.PriceCurrency}
}

// ShownStatus is the status that customers see.
func (p *Payment) ShownStatus() record.PaymentStatus { return p.Status.Shown() }

// RefundedAmount is what was given back of it, or is about to be. The payment was read with its order.
func (p *Payment) RefundedAmount() money.Amount {
	return money.Amount{Minor: p.Refunded, Currency: p.Edges.Order.PriceCurrency}
}

// ChargeAmount is what is charged, less than 0 for a discount. The charge was read with its order.
func (c *OrderCharge) ChargeAmount() money.Amount {
	return money.Amount{Minor: c.Amount, Currency: c.Edges.Order.PriceCurrency}
}

// RefundDue reports whether the shop owes money of the payments of its order, with which it was read.
func (p *Payment) RefundDue() bool { return p.Edges.Order.RefundDue > 0 }

// RefundDueAmount is what the shop owes of the payments of its order, with which it was read.
func (p *Payment) RefundDueAmount() money.Amount {
	return money.Amount{Minor: p.Edges.Order.RefundDue, Currency: p.Edges.Order.PriceCurrency}
}

// BackAmount is what goes back. The refund was read with its order.
func (r *Refund) BackAmount() money.Amount {
	return money.Amount{Minor: r.Amount, Currency: r.Edges.Order.PriceCurrency}
}

func amountOf(minor *int64, currency *string) *money.Amount {
	if minor == nil || currency == nil {
		return nil
	}
	return &money.Amount{Minor: *minor, Currency: *currency}
}
