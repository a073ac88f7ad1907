package order

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Adjustment adds some units to the stock of a variant, or sets it: exactly one of By and To is not nil.
type Adjustment struct {
	SKU    string
	By, To *int
}

// Level is the stock of a variant after an adjustment.
type Level struct {
	Variant       uuid.UUID
	SKU           string
	Before, Stock int
}

// Adjust changes the stock of variants of a business, all or none, for a reason that the audit log keeps. It
// locks their rows in the order of ids, as checkouts do, and for no longer than three statements take.
func (s *Service) Adjust(ctx context.Context, business uuid.UUID, reason string,
	all []Adjustment) (levels []Level, err error) {
	var bad fault.Fields
	skus := make([]string, len(all))
	places := map[string]int{}
	for i, a := range all {
		if (a.By == nil) == (a.To == nil) {
			bad.Add(fmt.Sprintf("input.items.%d", i), "must have exactly one of by and to")
		}
		if _, twice := places[a.SKU]; twice {
			bad.Add(fmt.Sprintf("input.items.%d.sku", i), "is there twice")
		}
		skus[i], places[a.SKU] = a.SKU, i
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	ctx = tenancy.In(ctx, business)
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		levels, err = s.adjust(ctx, tx, business, all, skus, places)
		if err != nil {
			return err
		}
		var entries []audit.Change
		for _, l := range levels {
			if l.Stock != l.Before {
				entries = append(entries, audit.Change{Kind: "variant", ID: l.Variant, Name: l.SKU,
					Before: map[string]any{"stock": l.Before, "reason": nil},
					After:  map[string]any{"stock": l.Stock, "reason": reason}})
			}
		}
		return audit.Record(ctx, tx, "adjustStock", entries...)
	})
	return levels, err
}

func (s *Service) adjust(ctx context.Context, tx *ent.Tx, business uuid.UUID, all []Adjustment, skus []string,
	places map[string]int) (levels []Level, err error) {
	held, err := tx.Variant.Query().Where(variant.SkuIn(skus...)).Order(variant.ByID()).
		Modify(database.ForNoKeyUpdate).Select(variant.FieldID, variant.FieldSku, variant.FieldStock).All(ctx)
	if err != nil {
		return nil, err
	}
	var bad fault.Fields
	var changes []units
	found := map[string]bool{}
	for _, v := range held {
		i := places[v.Sku]
		found[v.Sku] = true
		level := Level{Variant: v.ID, SKU: v.Sku, Before: v.Stock}
		if a := all[i]; a.To != nil {
			level.Stock = *a.To
		} else if level.Stock = v.Stock + *a.By; level.Stock < 0 {
			bad.Add(fmt.Sprintf("input.items.%d.by", i), "takes more than the %d there are", v.Stock)
		} else if *a.By > 0 && level.Stock > record.MostStock {
			bad.Add(fmt.Sprintf("input.items.%d.by", i), "must be at most %d", max(record.MostStock-v.Stock, 0))
		}
		levels = append(levels, level)
		if level.Stock != level.Before {
			changes = append(changes, units{Variant: v.ID, Quantity: level.Stock - level.Before})
		}
	}
	for i, sku := range skus {
		if !found[sku] {
			bad.Add(fmt.Sprintf("input.items.%d.sku", i), "is no variant of this shop")
		}
	}
	if err := bad.Err(); err != nil || len(changes) == 0 {
		return levels, err
	}
	_, err = moveStock(ctx, tx, business, changes, s.clock.Now())
	return levels, err
}
