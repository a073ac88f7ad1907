package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/audit"
)

// A sheet is an edit by staff, so each record that it makes or changes has its own entry in the audit log,
// besides the entry of the import (Noted). The entries belong to the written unit, so that records that are
// planned again or left out have none. Other files have only the entry of the import: an operator may import
// a shop of any size.

// noteSheetRecord notes a product or variant before a sheet changes it. A shallow copy is enough: values are
// replaced, never modified.
func (im *importer) noteSheetRecord(kind string, row any, id uuid.UUID, isThere bool) {
	if im.sheet == nil || im.noted == nil || !im.writing {
		return
	}
	one := auditedRecord{kind: kind, id: id, row: row}
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
	im.unit.audited = append(im.unit.audited, one)
}

// recordSheet writes the entries of the audit log for the changed records of units.
func (im *importer) recordSheet(ctx context.Context, tx *ent.Tx, units []*unit) error {
	var changes []audit.Change
	for _, u := range units {
		changes = append(changes, changesOf(u.audited)...)
	}
	if len(changes) == 0 {
		return nil
	}
	return audit.Record(im.byWhom(ctx), tx, im.noted.action, changes...)
}

// setStockBefore sets the stock that variants had before they are changed.
func setStockBefore(all []auditedRecord, locked map[uuid.UUID]int) {
	for _, one := range all {
		if was, ok := one.before.(*ent.Variant); ok {
			if stock, ok := locked[was.ID]; ok {
				was.Stock = stock
			}
		}
	}
}
