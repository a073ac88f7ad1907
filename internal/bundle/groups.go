package bundle

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/audit"
)

// A deleted record is removed from the groups and specials of the home page. Each function below returns, for
// the audit log, the changes of those that contained one of the ids.

func leaveBrandGroups(ctx context.Context, tx *ent.Tx, gone ...uuid.UUID) (changes []audit.Change, err error) {
	all, err := tx.BrandGroup.Query().All(ctx)
	for _, row := range all {
		if rest, names := without(row.ItemIds, gone); names && err == nil {
			var after *ent.BrandGroup
			after, err = tx.BrandGroup.UpdateOne(row).SetItemIds(rest).Save(ctx)
			changes = append(changes, audit.Change{Kind: "brandGroup", ID: row.ID, Before: row, After: after})
		}
	}
	return changes, err
}

func leaveCategoryGroups(ctx context.Context, tx *ent.Tx, gone ...uuid.UUID) (changes []audit.Change, err error) {
	all, err := tx.CategoryGroup.Query().All(ctx)
	for _, row := range all {
		if rest, names := without(row.ItemIds, gone); names && err == nil {
			var after *ent.CategoryGroup
			after, err = tx.CategoryGroup.UpdateOne(row).SetItemIds(rest).Save(ctx)
			changes = append(changes, audit.Change{Kind: "categoryGroup", ID: row.ID, Before: row, After: after})
		}
	}
	return changes, err
}

func leaveSpecials(ctx context.Context, tx *ent.Tx, gone ...uuid.UUID) (changes []audit.Change, err error) {
	all, err := tx.StoreSpecial.Query().All(ctx)
	for _, row := range all {
		if rest, names := without(row.ItemIds, gone); names && err == nil {
			var after *ent.StoreSpecial
			after, err = tx.StoreSpecial.UpdateOne(row).SetItemIds(rest).Save(ctx)
			changes = append(changes, audit.Change{Kind: "storeSpecial", ID: row.ID, Before: row, After: after})
		}
	}
	return changes, err
}

// without returns ids without those in gone, and whether any was removed.
func without(ids, gone []uuid.UUID) (rest []uuid.UUID, any bool) {
	rest = slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return slices.Contains(gone, id) })
	return rest, len(rest) < len(ids)
}
