package bundle

import (
	"context"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/audit"
	"storefront/internal/fault"
	"storefront/internal/outbox"
	"storefront/internal/record"
)

// stockSet is the stock that an edit gives a variant, or expects of it.
type stockSet struct {
	id       uuid.UUID
	sku      string
	to       *int // nil: it stays
	lowAt    *int // its own threshold of a low stock, as the edit leaves it
	expected *int // nil: whatever there is
}

// StockChanged is a variant whose stock is not what the author of an edit has seen: the details of CONFLICT.
type StockChanged struct {
	Sku           string `json:"sku"`
	ExpectedStock int    `json:"expectedStock"`
	Stock         int    `json:"stock"`
}

// noteStock notes what an edit means for the stock of a variant that is there.
func (im *importer) noteStock(o *object, row *ent.Variant) {
	if im.edit == nil {
		return
	}
	set := stockSet{id: row.ID, sku: row.Sku, lowAt: row.LowStockAt}
	if im.edit.Section == "variants" {
		if m := o.given("expectedStock"); m != nil {
			if expected, ok := o.number(m, 0, mostStock); ok {
				set.expected = &expected
			}
		}
	}
	if o.given("stock") != nil && o.changed { // else it is not written
		set.to = &row.Stock
	}
	if set.to != nil || set.expected != nil {
		im.edit.stocks = append(im.edit.stocks, set)
	}
}

// setsStock reports whether the edit changes the stock of an existing variant.
func (im *importer) setsStock() bool {
	return slices.ContainsFunc(im.edit.stocks, func(set stockSet) bool { return set.to != nil })
}

// settleStock compares the stock that there is with what the edit expects, and tells of what becomes low. The rows of
// those that change are locked: what they have is the stock before the change in the audit log.
func (im *importer) settleStock(ctx context.Context, tx *ent.Tx) error {
	stock, err := im.compareStock(ctx)
	if err != nil {
		return err
	}
	for _, one := range im.edit.met {
		if now, ok := stock[one.id]; ok && one.before != nil {
			one.before.(audit.Members)["stock"] = strconv.AppendInt(nil, int64(now), 10)
		}
	}
	for _, set := range im.edit.stocks {
		if set.to != nil && record.BecameLow(stock[set.id], *set.to, set.lowAt) {
			event := outbox.LowStock(im.tenant, set.id, set.sku, *set.to, im.now)
			if err := outbox.Put(ctx, tx.Raw(), im.tenant, event); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareStock returns the stock that there is of the variants of the edit, unless it expects another.
func (im *importer) compareStock(ctx context.Context) (map[uuid.UUID]int, error) {
	if len(im.edit.stocks) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(im.edit.stocks))
	for i, set := range im.edit.stocks {
		ids[i] = set.id
	}
	rows, err := im.client.Variant.Query().Where(im.amongIDs(variant.FieldID, ids)).
		Select(variant.FieldID, variant.FieldStock).All(ctx)
	if err != nil {
		return nil, err
	}
	stock := map[uuid.UUID]int{}
	for _, row := range rows {
		stock[row.ID] = row.Stock
	}
	var changed []StockChanged
	for _, set := range im.edit.stocks {
		if now := stock[set.id]; set.expected != nil && *set.expected != now {
			changed = append(changed, StockChanged{set.sku, *set.expected, now})
		}
	}
	if len(changed) > 0 {
		refused := fault.New(fault.Conflict, "the stock of %s is %d by now, not %d; look at it again, then decide",
			changed[0].Sku, changed[0].Stock, changed[0].ExpectedStock)
		refused.Details = changed
		return nil, refused
	}
	return stock, nil
}
