package bundle

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/fault"
	"storefront/internal/outbox"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// stockSet is the stock that an edit or a sheet sets for a variant, or expects of it.
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

// noteStock notes the stock that an edit or a sheet sets or expects for an existing variant. sets reports
// whether it sets one.
func (im *importer) noteStock(row *ent.Variant, sets bool, expected *int) {
	if !sets && expected == nil || im.edit == nil && im.sheet == nil {
		return
	}
	set := stockSet{id: row.ID, sku: row.Sku, lowAt: row.LowStockAt, expected: expected}
	if sets {
		set.to = &row.Stock
	}
	im.unit.stocks = append(im.unit.stocks, set)
}

// errOvertaken ends a transaction that must be planned again: a checkout changed a stock before its row was
// locked.
var errOvertaken = errors.New("the stock of a variant was changed meanwhile")

// settleStock compares the present stock with what units expect, and raises events for stock that becomes low
// by an edit. The rows that change are locked; their stock is the old stock in the audit log.
func (im *importer) settleStock(ctx context.Context, tx *ent.Tx, units []*unit) error {
	for _, u := range units {
		stock, err := im.compareStock(ctx, tx.Client(), u)
		if err != nil {
			return err
		}
		for _, one := range u.audited {
			if now, ok := stock[one.id]; ok && one.before != nil {
				one.before["stock"] = strconv.AppendInt(nil, int64(now), 10)
			}
		}
		for _, set := range u.stocks {
			if im.edit != nil && set.to != nil && record.BecameLow(stock[set.id], *set.to, set.lowAt) {
				event := outbox.LowStock(im.tenant, set.id, set.sku, *set.to, im.now)
				if err := outbox.Put(ctx, tx.Raw(), im.tenant, event); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compareStock returns the present stock of the variants for which a unit sets or expects one. If it expects
// another one, that is the error of an edit, and a sheet must be planned again.
func (im *importer) compareStock(ctx context.Context, client *ent.Client, u *unit) (map[uuid.UUID]int, error) {
	if len(u.stocks) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(u.stocks))
	for i, set := range u.stocks {
		ids[i] = set.id
	}
	rows, err := client.Variant.Query().Where(among(variant.FieldID, ids)).
		Select(variant.FieldID, variant.FieldStock).All(tenancy.In(ctx, im.tenant))
	if err != nil {
		return nil, err
	}
	stock := map[uuid.UUID]int{}
	for _, row := range rows {
		stock[row.ID] = row.Stock
	}
	var changed []StockChanged
	for _, set := range u.stocks {
		if now := stock[set.id]; set.expected != nil && *set.expected != now {
			changed = append(changed, StockChanged{set.sku, *set.expected, now})
		}
	}
	switch {
	case len(changed) == 0:
		return stock, nil
	case im.edit == nil:
		return nil, errOvertaken
	}
	refused := fault.New(fault.Conflict, "the stock of %s is %d by now, not %d; look at it again, then decide",
		changed[0].Sku, changed[0].Stock, changed[0].ExpectedStock)
	refused.Details = changed
	return nil, refused
}
