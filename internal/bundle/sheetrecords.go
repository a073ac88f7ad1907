package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/audit"
)

// A sheet is work of staff: each record that it makes or changes has an entry of its own in the audit log, beside that
// of the whole (Noted). They are kept with the unit that is written, so that what is planned again, or left out, leaves
// none. Other files have the entry of the whole alone: an operator brings a shop of any size with one.

// meetBySheet notes a product or variant before a sheet changes it. The copy keeps what it had: members are replaced,
// never written into.
func (im *importer) meetBySheet(kind string, row any, id uuid.UUID, isThere bool) {
	if im.sheet == nil || im.noted == nil || !im.writing {
		return
	}
	one := met{kind: kind, id: id, row: row}
	if isThere {
		switch row := row.(type) {
		case *ent.Product:
			was := *row
			one.before = &was
		case *ent.Variant:
			was := *row
			one.before = &was
		}
	}
	im.unit.met = append(im.unit.met, one)
}

// recordSheet notes the records of units that differ in the audit log.
func (im *importer) recordSheet(ctx context.Context, tx *ent.Tx, units []*unit) error {
	var changes []audit.Change
	for _, u := range units {
		changes = append(changes, changesOf(u.met)...)
	}
	if len(changes) == 0 {
		return nil
	}
	return audit.Record(im.byWhom(ctx), tx, im.noted.action, changes...)
}

// setStockBefore sets the stock that variants had before they are changed.
func setStockBefore(all []met, locked map[uuid.UUID]int) {
	for _, one := range all {
		if was, ok := one.before.(*ent.Variant); ok {
			if stock, ok := locked[was.ID]; ok {
				was.Stock = stock
			}
		}
	}
}
