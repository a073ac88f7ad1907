package customer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"storefront/cmd/internal/must"
)

// Order is an order as the service shows it. Amounts are integers, as the shop's currency has no smaller
// unit.
type Order struct {
	ID, OrderNumber, BusinessID, Status string
	Items                               []Line
	TotalQuantity                       int
	Subtotal, Total                     int64
	PriceCurrency                       string
	ShippingAddress                     struct{ Province, City, Address string }
	Payment                             struct {
		Type, Status string
		Amount       int64
	}
	CustomerNotes string // the purchase's key
	CreatedAt     time.Time
}

// Line is a line of an order.
type Line struct {
	ID, StoreItemVariantID, ProductID, ProductSlug, TitleFa, Sku string
	Quantity                                                     int
	UnitPrice, LineTotal                                         int64
}

// addsUp fails if lines, amounts and payment are inconsistent.
func (o *Order) addsUp() error {
	quantity, total := 0, int64(0)
	for _, l := range o.Items {
		if l.LineTotal != l.UnitPrice*int64(l.Quantity) {
			return fmt.Errorf("%d of %s at %d cost %d", l.Quantity, l.Sku, l.UnitPrice, l.LineTotal)
		}
		quantity, total = quantity+l.Quantity, total+l.LineTotal
	}
	if len(o.Items) == 0 || quantity != o.TotalQuantity || total != o.Subtotal || total != o.Total ||
		total != o.Payment.Amount {
		return fmt.Errorf("%d lines of %d units cost %d, the order says %d units, %d and %d, its payment %d",
			len(o.Items), quantity, total, o.TotalQuantity, o.Subtotal, o.Total, o.Payment.Amount)
	}
	return nil
}

// SameAs reports whether an order is the acknowledged one, apart from its status.
func (o *Order) SameAs(acknowledged *Order) bool {
	a, b := *o, *acknowledged
	a.Status, b.Status, a.Payment.Status, b.Payment.Status = "", "", "", ""
	return reflect.DeepEqual(a, b)
}

// Purchase is a checkout with its answer. Its key is in the notes of the order.
type Purchase struct {
	Key       string
	Doubtful  bool   // a request for it got no answer
	Order     *Order // as acknowledged; nil if it was not
	Refused   error  // the final refusal; nil if it was not refused
	cancel    bool   // cancellation requested
	Cancelled bool   // acknowledged
}

// holds compares a purchase with the stored orders with its key.
func (p *Purchase) holds(made []*Order) error {
	switch {
	case len(made) > 1:
		return fmt.Errorf("%d orders were made", len(made))
	case p.Order != nil && len(made) == 0:
		return errors.New("the order was acknowledged and is lost")
	case p.Refused != nil && len(made) > 0:
		return fmt.Errorf("the order %s was made, though the answer was %w", made[0].ID, p.Refused)
	case len(made) == 0:
		return nil
	}
	o := made[0]
	if err := o.addsUp(); err != nil {
		return fmt.Errorf("the order %s: %w", o.ID, err)
	}
	switch {
	case p.Order == nil && !p.Doubtful:
		return fmt.Errorf("the order %s was made, though nobody was told", o.ID)
	case p.Order != nil && !o.SameAs(p.Order):
		return fmt.Errorf("the order was acknowledged as %+v, and is %+v", *p.Order, *o)
	case p.Cancelled && o.Status != "cancelled":
		return fmt.Errorf("the order %s was cancelled, and is %s", o.ID, o.Status)
	case !p.cancel && o.Status != "pending":
		return fmt.Errorf("the order %s is %s by itself", o.ID, o.Status)
	}
	return nil
}

// Check compares the stored orders with the answers that customers got. No customer may be active. Clients of
// one account are customers with the same token.
func Check(ctx context.Context, all []*Customer) error {
	var faults []error
	bought := map[string][]*Purchase{} // by account
	for _, c := range all {
		bought[c.Token] = append(bought[c.Token], c.Bought...)
	}
	for i, c := range all {
		if mine, first := bought[c.Token]; first {
			delete(bought, c.Token)
			if err := must.Run(func() { must.Do(compare(mine, c.orders(ctx))) }); err != nil {
				faults = append(faults, fmt.Errorf("customer %d: %w", i, err))
			}
		}
	}
	return errors.Join(faults...)
}

// compare fails if an acknowledged order is missing or differs, and if an order was made twice or without a
// request.
func compare(bought []*Purchase, all []*Order) error {
	var faults []error
	made := map[string][]*Order{}
	for _, o := range all {
		made[o.CustomerNotes] = append(made[o.CustomerNotes], o)
	}
	for _, p := range bought {
		if err := p.holds(made[p.Key]); err != nil {
			faults = append(faults, fmt.Errorf("purchase %s: %w", p.Key, err))
		}
		delete(made, p.Key)
	}
	for key := range made {
		faults = append(faults, fmt.Errorf("there is an order for %q, which nobody asked for", key))
	}
	return errors.Join(faults...)
}

// orders returns all orders of the account.
func (c *Customer) orders(ctx context.Context) []*Order {
	var listed struct{ Total int }
	must.Do(c.REST(ctx, http.MethodGet, c.Shop("/orders"), nil).Read(&listed))
	all := Listed[*Order](ctx, &c.Client, c.Shop("/orders?"), listed.Total/100+2)
	must.Hold(len(all) == listed.Total, "%d orders are listed, and there are %d", len(all), listed.Total)
	return all
}

// Sum counts purchases by their outcome.
type Sum struct{ Placed, Cancelled, Refused, Doubtful, Later int }

// SumOf counts the purchases of customers by their answers.
func SumOf(all []*Customer) (sum Sum) {
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for _, c := range all {
		for _, p := range c.Bought {
			count(&sum.Placed, p.Order != nil)
			count(&sum.Cancelled, p.Cancelled)
			count(&sum.Refused, p.Refused != nil)
			count(&sum.Doubtful, p.Doubtful)
			count(&sum.Later, p.Doubtful && p.Order != nil)
		}
	}
	return sum
}

// Acknowledged returns how many orders were acknowledged. Customers may be active.
func Acknowledged(all []*Customer) (n int) {
	for _, c := range all {
		n += int(c.acked.Load())
	}
	return n
}
