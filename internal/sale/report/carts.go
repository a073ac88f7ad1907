package report

import (
	"context"
	"math"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
)

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
