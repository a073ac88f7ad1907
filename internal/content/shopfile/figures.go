package shopfile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
)

// Figures are the counts and sums of a shop, compared between the file and what was imported.
type Figures struct {
	Rows     map[string]int64 `json:"rows"`     // by table
	Orders   map[string]Sum   `json:"orders"`   // by currency and status
	Payments map[string]Sum   `json:"payments"` // by currency, status and type
	Lines    map[string]Sum   `json:"lines"`    // of orders, by currency
	Stock    map[string]int64 `json:"stock"`    // units by SKU; -1: the stock is not counted
}

// Sum is a number of rows, units, and an amount in the smallest unit of the currency, which may exceed an
// int64.
type Sum struct {
	Count  int64  `json:"count"`
	Units  string `json:"units"`
	Amount string `json:"amount"`
}

// The sums are texts: a sum of PostgreSQL may exceed an int64.
var (
	orderSums = database.Statement(`SELECT price_currency || ' ' || status, count(*),
			CAST(sum(total_quantity) AS text), CAST(sum(total) AS text)
		FROM orders WHERE tenant_id = $shop GROUP BY price_currency, status`)
	paymentSums = database.Statement(`SELECT orders.price_currency || ' ' || payments.status || ' ' || payments.type,
			count(*), '0', CAST(sum(payments.amount) AS text)
		FROM payments JOIN orders ON orders.id = payments.order_id AND orders.tenant_id = payments.tenant_id
		WHERE payments.tenant_id = $shop GROUP BY orders.price_currency, payments.status, payments.type`)
	lineSums = database.Statement(`SELECT orders.price_currency, count(*), CAST(sum(line.quantity) AS text),
			CAST(sum(line.line_total) AS text)
		FROM order_items AS line JOIN orders ON orders.id = line.order_id AND orders.tenant_id = line.tenant_id
		WHERE line.tenant_id = $shop GROUP BY orders.price_currency`)
	stock = database.Statement(`SELECT sku, COALESCE(stock, -1) FROM variants WHERE tenant_id = $shop`)
)

// figuresOf computes the figures of a shop in a database. Rows of persons are counted while they are read
// and written.
func figuresOf(ctx context.Context, on database.Executor, all []*table, shop uuid.UUID) (*Figures, error) {
	f := &Figures{Rows: map[string]int64{}, Stock: map[string]int64{}}
	values := database.Values{"shop": shop}
	for _, t := range all {
		if t.shop == "" {
			continue
		}
		var n int64
		count := database.Statement("SELECT count(*) FROM " + t.name + " WHERE " +
			strings.Replace(t.ofShop(""), "$1", "$shop", 1))
		if _, err := count.Row(ctx, on, values, &n); err != nil {
			return nil, fmt.Errorf("count %s: %w", t.name, err)
		}
		f.Rows[t.name] = n
	}
	for _, one := range []struct {
		text database.Text
		into *map[string]Sum
	}{{orderSums, &f.Orders}, {paymentSums, &f.Payments}, {lineSums, &f.Lines}} {
		*one.into = map[string]Sum{}
		err := one.text.Each(ctx, on, values, func(row *sql.Rows) error {
			var of string
			var sum Sum
			err := row.Scan(&of, &sum.Count, &sum.Units, &sum.Amount)
			(*one.into)[of] = sum
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("sum up: %w", err)
		}
	}
	err := stock.Each(ctx, on, values, func(row *sql.Rows) error {
		var sku string
		var units int64
		err := row.Scan(&sku, &units)
		f.Stock[sku] = units
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sum up the stock: %w", err)
	}
	return f, nil
}

// differs returns an error that names the first figure in which the imported shop, is, differs from the
// file's.
func (f *Figures) differs(is *Figures) error {
	for _, err := range []error{
		differ("rows of", f.Rows, is.Rows), differ("orders in", f.Orders, is.Orders),
		differ("payments in", f.Payments, is.Payments), differ("lines of orders in", f.Lines, is.Lines),
		differ("stock of", f.Stock, is.Stock),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func differ[V comparable](what string, want, got map[string]V) error {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			return fmt.Errorf("%s %s: %v were written, the file has %v", what, name, got[name], want[name])
		}
	}
	if len(got) > len(want) {
		return fmt.Errorf("%s: %d kinds were written, the file has %d", what, len(got), len(want))
	}
	return nil
}
