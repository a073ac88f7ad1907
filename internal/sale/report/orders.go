package report

import (
	"context"
	"fmt"
	"math"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/record"
)

// The statements of reports are written by hand: ent would read whole orders. Package tenancy does not check
// them: each names the tenant itself.

const (
	ordersSQL = `SELECT o.id, o.created_at, o.user_id, o.status, COALESCE(p.status, ''), o.price_currency,
			COALESCE(%s ->> 'province', ''), o.total_quantity, o.total,
			COALESCE(p.refunded, 0), COALESCE((SELECT SUM(b.refunded) FROM payments AS b
				WHERE b.order_id = o.id AND b.tenant_id = $tenant AND NOT b.is_test), 0),
			CASE WHEN p.id IS NULL THEN 0 ELSE o.refund_due END,
			o.discount - COALESCE((SELECT SUM(c.amount) FROM order_charges AS c
				WHERE c.order_id = o.id AND c.tenant_id = $tenant AND c.amount < 0), 0),
			EXISTS (SELECT 1 FROM orders AS earlier WHERE earlier.tenant_id = $tenant AND earlier.user_id = o.user_id
				AND (earlier.created_at, earlier.id) < (o.created_at, o.id))
		FROM orders AS o LEFT JOIN payments AS p ON p.order_id = o.id AND p.tenant_id = $tenant AND p.counts
			AND NOT p.is_test
		WHERE o.tenant_id = $tenant AND o.created_at >= $from AND o.created_at < $until
		ORDER BY o.created_at, o.id`

	linesSQL = `SELECT i.order_id, i.product_id, i.quantity, i.line_total
		FROM orders AS o JOIN order_items AS i ON i.order_id = o.id AND i.tenant_id = $tenant
		WHERE o.tenant_id = $tenant AND o.created_at >= $from AND o.created_at < $until`
)

var (
	readOrders = database.Texts{
		SQLite:   database.Statement(fmt.Sprintf(ordersSQL, "CAST(o.shipping_address AS text)")),
		Postgres: database.Statement(fmt.Sprintf(ordersSQL, "o.shipping_address")),
	}
	readLines = database.Statement(linesSQL)
)

// payments are the statuses of payments that matter here.
var payments = map[record.PaymentState]payment{
	record.StatePaid: paid, record.StateReview: paid, record.StateRefunded: refunded,
}

// ordersBetween reads the orders that were placed from a moment on and before another one.
func ordersBetween(ctx context.Context, on database.Executor, business uuid.UUID, from, until time.Time) (*day, error) {
	d := new(day)
	values := database.Values{"tenant": business, "from": from, "until": until}
	currencies, provinces, places := map[string]int{}, map[string]int{}, map[uuid.UUID]int{}
	err := readOrders.Of(on).Each(ctx, on, values, func(row *sql.Rows) error {
		var id uuid.UUID
		var at time.Time
		var customer uuid.NullUUID
		var status record.OrderStatus
		var payment record.PaymentState
		var currency, province string
		var o placed
		if err := row.Scan(&id, &at, &customer, &status, &payment, &currency, &province, &o.units, &o.total,
			&o.refunded, &o.refunds, &o.due, &o.discount, &o.before); err != nil {
			return err
		}
		o.at, o.customer, o.known = at.UnixMicro(), customer.UUID, customer.Valid
		o.cancelled, o.payment = status == record.OrderCancelled, payments[payment]
		o.currency = indexOf(currency, &d.currencies, currencies)
		o.province = indexOf(province, &d.provinces, provinces)
		places[id] = len(d.orders)
		d.orders = append(d.orders, o)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the orders of a report: %w", err)
	}
	type key struct {
		product  uuid.UUID
		currency int
	}
	sales := map[key]int{}
	err = readLines.Each(ctx, on, values, func(row *sql.Rows) error {
		var id uuid.UUID
		var s sale
		if err := row.Scan(&id, &s.product, &s.units, &s.revenue); err != nil {
			return err
		}
		of, ok := places[id]
		if !ok {
			return fmt.Errorf("a line of the order %v, which is not there", id)
		}
		if o := &d.orders[of]; o.counts() {
			s.currency = o.currency
			i, known := sales[key{s.product, s.currency}]
			if !known {
				i = len(d.sales)
				sales[key{s.product, s.currency}] = i
				d.sales = append(d.sales, sale{product: s.product, currency: s.currency})
			}
			d.sales[i].units += s.units
			return plus(&d.sales[i].revenue, s.revenue)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the lines of a report: %w", err)
	}
	return d, nil
}

const billion = 1_000_000_000

// A line's total fits an int64, but the sum of all lines may not, so billions are added up separately.
var (
	readCarts = database.Statement(`SELECT COUNT(*) FROM carts AS c
		WHERE c.tenant_id = $tenant AND c.updated_at >= $from AND c.updated_at < $until
			AND (c.ends_at IS NULL OR c.ends_at > $now)
			AND EXISTS (SELECT 1 FROM cart_items AS i WHERE i.cart_id = c.id AND i.tenant_id = $tenant)`)

	readCartLines = database.Statement(`SELECT COALESCE(l.seen_currency, v.price_currency),
			SUM(l.units), SUM(l.billions), SUM(l.rest)
		FROM (SELECT i.variant_id, i.seen_currency, SUM(i.quantity) AS units,
				SUM(i.quantity * (i.seen_price / 1000000000)) AS billions,
				SUM(i.quantity * (i.seen_price % 1000000000)) AS rest
			FROM carts AS c JOIN cart_items AS i ON i.cart_id = c.id AND i.tenant_id = $tenant
			WHERE c.tenant_id = $tenant AND c.updated_at >= $from AND c.updated_at < $until
				AND (c.ends_at IS NULL OR c.ends_at > $now)
			GROUP BY i.variant_id, i.seen_currency) AS l
			LEFT JOIN variants AS v ON v.id = l.variant_id AND v.tenant_id = $tenant
		WHERE COALESCE(l.seen_currency, v.price_currency) IS NOT NULL
		GROUP BY 1`)
)

// cartsLeft returns the carts that are not empty and were last changed within a period.
func (s *Service) cartsLeft(
	ctx context.Context, tx *ent.Tx, business uuid.UUID, from, until time.Time,
) (*CartsLeft, error) {
	left := new(CartsLeft)
	values := database.Values{"tenant": business, "from": from, "until": until, "now": s.clock().UTC()}
	if _, err := readCarts.Row(ctx, tx.Raw(), values, &left.Carts); err != nil {
		return nil, err
	}
	var worth revenues
	var currencies []string
	err := readCartLines.Each(ctx, tx.Raw(), values, func(row *sql.Rows) error {
		var currency string
		var units, billions, rest int64
		if err := row.Scan(&currency, &units, &billions, &rest); err != nil {
			return err
		}
		left.Units += int(units)
		if billions > math.MaxInt64/billion {
			return errTooMuch
		}
		currencies = append(currencies, currency)
		if err := worth.add(len(currencies)-1, billions*billion); err != nil {
			return err
		}
		return worth.add(len(currencies)-1, rest)
	})
	left.Worth = worth.shown(currencies)
	return left, err
}
