package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"storefront/internal/database/store"
)

// next holds the statuses that may follow each status; "" is before the order exists.
var next = map[string][]string{
	"":           {"pending"},
	"pending":    {"confirmed", "cancelled"},
	"confirmed":  {"processing", "cancelled"},
	"processing": {"shipped", "cancelled"},
	"shipped":    {"delivered"},
	"delivered":  {},
	"cancelled":  {"cancelled"}, // money came late
}

// checkHistories checks the history of every order from its first status to its present one.
func checkHistories(ctx context.Context, s *store.Store) error {
	const query = `SELECT CAST(o.id AS TEXT), o.status, COALESCE(e.status, '') FROM orders o
		LEFT JOIN order_events e ON e.order_id = o.id ORDER BY o.id, e.at, e.id`
	var faults []error
	var order, stands, last string
	end := func() {
		if last != stands {
			faults = append(faults, fmt.Errorf("ledger: the order %s is %s, and its history ends with %q", order,
				stands, last))
		}
	}
	err := each(ctx, s, query, func(scan func(...any) error) error {
		var id, status, step string
		if err := scan(&id, &status, &step); err != nil {
			return err
		}
		if id != order {
			end()
			order, stands, last = id, status, ""
		}
		if !slices.Contains(next[last], step) {
			faults = append(faults, fmt.Errorf("ledger: the order %s went from %q to %q", id, last, step))
		}
		last = step
		return nil
	})
	end()
	return errors.Join(err, errors.Join(faults...))
}
