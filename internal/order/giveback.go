package order

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// returned are units to be put back into the stock of a business.
type returned struct {
	business uuid.UUID
	units    []units
}

// giveBack puts units back into the stock. In a joint transaction that happens once, at the end, for all
// orders that it cancels: else a document that cancels several would lock rows of one order while it waits
// for those of the next, and two such documents could deadlock.
func (s *Service) giveBack(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []units, at time.Time) error {
	if database.BeforeCommit(ctx, s, returned{business, all}, s.giveAllBack) {
		return nil
	}
	return giveBackStock(ctx, tx, business, all, at)
}

// giveAllBack puts back all returned units, business by business in the order of their ids.
func (s *Service) giveAllBack(ctx context.Context, values []any) error {
	sums := map[uuid.UUID]map[uuid.UUID]int{} // by business and variant
	for _, value := range values {
		r := value.(returned)
		if sums[r.business] == nil {
			sums[r.business] = map[uuid.UUID]int{}
		}
		for _, u := range r.units {
			sums[r.business][u.Variant] += u.Quantity
		}
	}
	byID := func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
	for _, business := range slices.SortedFunc(maps.Keys(sums), byID) {
		var all []units
		for variant, quantity := range sums[business] {
			all = append(all, units{Variant: variant, Quantity: quantity})
		}
		ctx := tenancy.In(ctx, business)
		err := transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
			return giveBackStock(ctx, tx, business, all, s.now())
		})
		if err != nil {
			return err
		}
	}
	return nil
}
