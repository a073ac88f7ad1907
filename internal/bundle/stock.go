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

// stockSet is the stock that an edit sets for a variant, or expects of it.
type stockSet struct {
	id       uuid.UUID
	sku      string
	to       *int // nil: unchanged
	lowAt    *int // the variant's own threshold of a low stock after the edit
	expected *int // nil: any
}

// StockChanged is a variant whose stock differs from the stock that an edit expects. It is in the details of
// CONFLICT.
type StockChanged struct {
	Sku           string `json:"sku"`
	ExpectedStock int    `json:"expectedStock"`
	Stock         int    `json:"stock"`
}

// noteStock notes the stock that an edit sets or expects for an existing variant.
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
	if o.given("stock") != nil && o.changed { // otherwise the stock is not written
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

// settleStock compares the present stock with what the edit expects, and raises events for stock that becomes
// low. It locks the rows that change; their stock is the old stock in the audit log.
func (im *importer) settleStock(ctx context.Context, tx *ent.Tx) error {
	stock, err := im.compareStock(ctx)
	if err != nil {
		return err
	}
	for _, one := range im.edit.audited {
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

// compareStock returns the present stock of the edit's variants, or an error if the edit expects another
// stock.
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
