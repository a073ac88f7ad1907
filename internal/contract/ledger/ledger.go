// Package ledger checks the invariants of stock, carts and orders in a database, which hold after any race,
// failure or crash (contract 3.3). Tests and load generators use it after their work is done. It has SQL of
// its own, so that a mistake in the service's queries is not made here again.
package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"storefront/internal/database/store"
)

// Units returns how many units there are of every variant of every tenant: those in stock and those in
// orders that are not cancelled. No order, cancellation or move changes the number.
func Units(ctx context.Context, s *store.Store) (map[uuid.UUID]int, error) {
	units := map[uuid.UUID]int{}
	err := each(ctx, s, unitsOfVariants, func(scan func(...any) error) error {
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

// Check checks that every unit that Units counted in initial is in the stock or in one order, that amounts
// and quantities add up, that every order has one payment and a possible history, and that every record has
// its owner. The error names each fault. It must not run while orders are being written.
func Check(ctx context.Context, s *store.Store, initial map[uuid.UUID]int) error {
	return errors.Join(checkUnits(ctx, s, initial), checkRules(ctx, s), checkHistories(ctx, s))
}

func checkUnits(ctx context.Context, s *store.Store, initial map[uuid.UUID]int) error {
	now, err := Units(ctx, s)
	if err != nil {
		return err
	}
	var faults []error
	for id, before := range initial {
		if after, there := now[id]; !there || after != before {
			faults = append(faults, fmt.Errorf("ledger: there were %d units of the variant %s, "+
				"stock and orders now hold %d", before, id, after))
		}
	}
	return errors.Join(faults...)
}

// checkRules looks for records that break a rule.
func checkRules(ctx context.Context, s *store.Store) error {
	var faults []error
	for _, r := range rules {
		err := each(ctx, s, r.breaks, func(scan func(...any) error) error {
			var record string
			err := scan(&record)
			faults = append(faults, fmt.Errorf("ledger: %s, but not for %s", r.says, record))
			return err
		})
		if err != nil {
			return fmt.Errorf("ledger: whether %s: %w", r.says, err)
		}
	}
	return errors.Join(faults...)
}

// each reads the rows of a query.
func each(ctx context.Context, s *store.Store, query string, read func(scan func(...any) error) error) error {
	rows, err := s.Client.QueryContext(ctx, query)
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
