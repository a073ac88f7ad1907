package crash

import (
	"errors"
	"fmt"
	"reflect"
	"time"
)

// order is an order as the service shows it. Amounts are of the smallest unit, as the shop's currency has
// no other.
type order struct {
	ID, OrderNumber, BusinessID, Status string
	Items                               []line
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

type line struct {
	ID, StoreItemVariantID, ProductID, ProductSlug, TitleFa, Sku string
	Quantity                                                     int
	UnitPrice, LineTotal                                         int64
}

// addsUp fails when lines, amounts and payment do not belong together.
func (o *order) addsUp() error {
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

// sameAs reports whether an order is what was acknowledged, whatever its status is now.
func (o *order) sameAs(acknowledged *order) bool {
	a, b := *o, *acknowledged
	a.Status, b.Status, a.Payment.Status, b.Payment.Status = "", "", "", ""
	return reflect.DeepEqual(a, b)
}

// purchase is one wish of a client to check out. Its key stands in the notes of the order that is made for
// it.
type purchase struct {
	key       string
	body      []byte // of the request, which is the same each time it is sent
	doubtful  bool   // a request for it got no answer
	order     *order // as acknowledged; nil: it was not
	refused   error  // as answered; nil: it was not
	cancel    bool   // asked for
	cancelled bool   // acknowledged
}

// holds compares a purchase with the orders that are there for it.
func (p *purchase) holds(made []*order) error {
	switch {
	case len(made) > 1:
		return fmt.Errorf("%d orders were made", len(made))
	case p.order != nil && len(made) == 0:
		return errors.New("the order was acknowledged and is lost")
	case p.refused != nil && len(made) > 0:
		return fmt.Errorf("the order %s was made, though the answer was %w", made[0].ID, p.refused)
	case len(made) == 0:
		return nil
	}
	o := made[0]
	if err := o.addsUp(); err != nil {
		return fmt.Errorf("the order %s: %w", o.ID, err)
	}
	switch {
	case p.order == nil && !p.doubtful:
		return fmt.Errorf("the order %s was made, though nobody was told", o.ID)
	case p.order != nil && !o.sameAs(p.order):
		return fmt.Errorf("the order was acknowledged as %+v, and is %+v", *p.order, *o)
	case p.cancelled && o.Status != "cancelled":
		return fmt.Errorf("the order %s was cancelled, and is %s", o.ID, o.Status)
	case !p.cancel && o.Status != "pending":
		return fmt.Errorf("the order %s is %s by itself", o.ID, o.Status)
	}
	return nil
}
