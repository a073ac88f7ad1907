package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

const deliveries = `SELECT CAST(o.id AS TEXT), o.subtotal, c.amount, m.price, CAST(m.steps AS TEXT), m.free_from,
		(SELECT SUM(i.quantity * COALESCE(v.weight, 500)) FROM order_items i JOIN variants v
			ON v.id = i.store_item_variant_id AND v.tenant_id = i.tenant_id WHERE i.order_id = o.id)
	FROM orders o JOIN delivery_methods m ON m.tenant_id = o.tenant_id
	LEFT JOIN order_charges c ON c.order_id = o.id AND c.tenant_id = o.tenant_id AND c.kind = 'delivery'
		AND c.source_id = m.id`

// Priced checks of rule 1 what delivery costs, for shops that have one method each and have not changed it, and whose
// variants weigh what they weighed.
func Priced(ctx context.Context, db Database) error {
	var b book
	err := each(ctx, db, deliveries, func(scan func(...any) error) error {
		var order, text string
		var subtotal, grams int64
		var charged, flat, free sql.NullInt64
		if err := scan(&order, &subtotal, &charged, &flat, &text, &free, &grams); err != nil {
			return err
		}
		var steps []struct{ UpTo, Price int64 }
		if err := json.Unmarshal([]byte(text), &steps); err != nil {
			return err
		}
		if price := priceOf(grams, steps, flat.Int64); free.Valid && subtotal >= free.Int64 {
			b.delivery(order, charged, new(big.Int))
		} else {
			b.delivery(order, charged, price)
		}
		return nil
	})
	return errors.Join(append(b.faults, err)...)
}

// priceOf returns the price of the first step that holds a weight, or the flat price where there are none; nil beyond
// the last step.
func priceOf(grams int64, steps []struct{ UpTo, Price int64 }, flat int64) *big.Int {
	for _, s := range steps {
		if grams <= s.UpTo {
			return big.NewInt(s.Price)
		}
	}
	if len(steps) == 0 {
		return big.NewInt(flat)
	}
	return nil
}

func (b *book) delivery(order string, charged sql.NullInt64, price *big.Int) {
	says := "nothing"
	if charged.Valid {
		says = fmt.Sprint(charged.Int64)
	}
	if price == nil || says != price.String() {
		b.add(1, "the delivery of the order %s was charged %s and costs %v", order, says, price)
	}
}

// tax is rule 1 of a tax: it is the part of its line, or of the delivery if it has none, that its rate says. Discounts
// on either are not taxed.
func (b *book) tax(o Order, c Charge) {
	base := new(big.Int)
	for _, i := range o.Items {
		if i.ID == c.Item {
			base.Add(base, i.LineTotal)
		}
	}
	for _, other := range o.Charges {
		if other.Kind != "tax" && other.Item == c.Item && (c.Item != "" || strings.HasPrefix(other.Kind, "delivery")) {
			base.Add(base, other.Amount)
		}
	}
	million := big.NewInt(1_000_000)
	tax := halfUp(new(big.Int).Mul(base, c.Rate), million)
	if c.Included {
		net := halfUp(new(big.Int).Mul(base, million), new(big.Int).Add(million, c.Rate))
		tax.Sub(base, net)
	}
	if tax.Cmp(c.Amount) != 0 {
		b.add(1, "the tax %s of the order %s is %v; of %v at %v parts per million, included: %v, it is %v", c.ID, o.ID,
			c.Amount, base, c.Rate, c.Included, tax)
	}
}

// halfUp divides an amount of 0 or more, and rounds halves up.
func halfUp(n, by *big.Int) *big.Int {
	twice := new(big.Int).Mul(n, big.NewInt(2))
	return twice.Div(twice.Add(twice, by), new(big.Int).Mul(by, big.NewInt(2)))
}
