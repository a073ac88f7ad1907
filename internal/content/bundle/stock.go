package bundle

import (
	"context"
	"errors"
	"strconv"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// stockSet is the stock that an edit or a file sets for a variant, or expects of it.
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

// expectedStock reads the stock that a change depends on; nil if the element does not name it.
func readExpectedStock(o *document.Object) (expected *int, ok bool) {
	m := o.Value("expectedStock")
	if m == nil {
		return nil, true
	}
	n, ok := o.Number(m, 0, mostStock)
	return &n, ok
}

// stock reads the stock of a variant and reports whether it must be written. expected is the stock that the change
// depends on. An edit depends on its expectedStock in any case. In a file that is the stock of when the file was
// written: a stock that equals it is no change, whatever orders have taken since.
func (im *importer) stock(o *document.Object, row *ent.Variant, isThere bool) (sets bool, expected *int) {
	expected, ok := readExpectedStock(o)
	m := o.Value("stock")
	if im.edit != nil {
		o.Integer("stock", &row.Stock, 0, mostStock)
		return m != nil, expected
	}
	if m == nil || !ok {
		return false, nil
	}
	stock, ok := o.Number(m, 0, mostStock)
	switch {
	case !ok:
		return false, nil
	case !isThere || expected == nil:
		expected = nil
	case stock == *expected || stock == row.Stock:
		return false, nil
	case row.Stock != *expected:
		o.Faults.Add(m, "is %d by now, and no longer the expectedStock %d; look at it again, then decide", row.Stock,
			*expected)
		return false, nil
	}
	document.Put(o, &row.Stock, stock)
	return true, expected
}

// noteStock notes the stock that is set or expected for an existing variant; one that a bundle sets in any case is not
// compared again. sets reports whether one is set.
func (im *importer) noteStock(row *ent.Variant, sets bool, expected *int) {
	if expected == nil && (!sets || im.edit == nil && im.sheet == nil) {
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
// another one, that is the error of an edit, and a file must be planned again.
func (im *importer) compareStock(ctx context.Context, client *ent.Client, u *unit) (map[uuid.UUID]int, error) {
	if len(u.stocks) == 0 {
		return nil, nil
	}
	ids := convert.All(u.stocks, func(set stockSet) uuid.UUID { return set.id })
	rows, err := client.Variant.Query().Where(stored.Among(variant.FieldID, ids)).
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
