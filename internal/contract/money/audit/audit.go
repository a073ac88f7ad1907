// Package audit checks the books of the service: orders, charges, payments, refunds and stock in a database, and the
// ledgers of payment gateways. They hold after any race, failure or crash. It has SQL and arithmetic of its own and
// imports nothing of the service, so that a mistake in the service is not made here again. Tests, load generators and
// trials use it after their work is done, or in a snapshot while it is going on.
//
// The rules have numbers: 1 amounts of orders, 2 payments and refunds, 3 payments at gateways, 4 cards, 5 what
// customers and shops owe each other, 6 stock and carts, 7 units that are held, 8 histories, 12 secrets.
package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"

	"github.com/google/uuid"
)

// Database is what the rules are read from: a pool, a connection, or a transaction with a snapshot.
type Database interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Fault is a rule that is broken. All errors of this package that are not failures to read are joined Faults.
type Fault struct {
	Rule int
	Says string
}

func (f Fault) Error() string { return fmt.Sprintf("audit: rule %d: %s", f.Rule, f.Says) }

// book collects faults.
type book struct{ faults []error }

func (b *book) add(rule int, format string, args ...any) {
	b.faults = append(b.faults, Fault{rule, fmt.Sprintf(format, args...)})
}

// Units returns how many units there are of every variant of every tenant: those in stock and those in
// orders that are not cancelled. No order, cancellation or move changes the number.
func Units(ctx context.Context, db Database) (map[uuid.UUID]int, error) {
	units := map[uuid.UUID]int{}
	err := each(ctx, db, unitsOfVariants, func(scan func(...any) error) error {
		var id uuid.UUID
		var stock, sold int
		err := scan(&id, &stock, &sold)
		units[id] = stock + sold
		return err
	})
	return units, err
}

const unitsOfVariants = `SELECT v.id, v.stock, COALESCE(s.sold, 0) FROM variants v LEFT JOIN (
	SELECT i.tenant_id, i.store_item_variant_id, SUM(i.quantity) AS sold
	FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.status <> 'cancelled'
	GROUP BY i.tenant_id, i.store_item_variant_id
) s ON s.store_item_variant_id = v.id AND s.tenant_id = v.tenant_id`

// Check checks rules 1, 2, 5, 6 and 8, with the units that Units counted in initial. Unless it reads a snapshot, no
// order may be written meanwhile.
func Check(ctx context.Context, db Database, initial map[uuid.UUID]int) error {
	var b book
	failed := errors.Join(b.units(ctx, db, initial), b.rows(ctx, db))
	theirs := map[string]string{}
	err := Orders(ctx, db, func(o Order) {
		b.amounts(o)
		b.payments(o, theirs)
		b.owed(o, o.Due)
		b.history(o)
	})
	return errors.Join(append(b.faults, failed, err)...)
}

func (b *book) units(ctx context.Context, db Database, initial map[uuid.UUID]int) error {
	now, err := Units(ctx, db)
	if err != nil {
		return err
	}
	for id, before := range initial {
		if after, there := now[id]; !there || after != before {
			b.add(6, "there were %d units of the variant %s, stock and orders now hold %d", before, id, after)
		}
	}
	return nil
}

// rows looks for records that break a rule by themselves or with their neighbours.
func (b *book) rows(ctx context.Context, db Database) error {
	var failed []error
	for _, r := range rules {
		err := each(ctx, db, r.breaks, func(scan func(...any) error) error {
			var record string
			err := scan(&record)
			b.add(r.number, "%s, but not for %s", r.says, record)
			return err
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("audit: whether %s: %w", r.says, err))
		}
	}
	return errors.Join(failed...)
}

// each reads the rows of a query.
func each(ctx context.Context, db Database, query string, read func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// sum adds amounts of any size.
func sum[T any](all []T, amount func(T) *big.Int) *big.Int {
	total := new(big.Int)
	for _, one := range all {
		if n := amount(one); n != nil {
			total.Add(total, n)
		}
	}
	return total
}
