package bundle

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// A category that gets another parent takes its records, and those of all categories below, to other lists. There
// may be any number of them, so that they follow in transactions of their own: the categories are marked as moving
// before the first of them moves, and the mark is taken away with the last of their records. An import that was
// interrupted meanwhile leaves records in the lists where they stood; the next import of the shop moves them.

// markMoving marks categories.
func (im *importer) markMoving(ids []uuid.UUID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		if !slices.Contains(im.moving, id) {
			im.moving = append(im.moving, id)
		}
	}
	im.unit = &unit{weight: len(ids)}
	im.do(func(ctx context.Context, tx *ent.Tx) error { return setMoving(ctx, tx, ids, true) })
	im.first = append(im.first, im.unit)
}

func setMoving(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, moving bool) error {
	return tx.Category.Update().Where(category.IDIn(ids...)).SetMoving(moving).Exec(ctx)
}

// moveRecords lists the records of the moving categories by what stands above these now.
func (im *importer) moveRecords(ctx context.Context) error {
	if len(im.moving) == 0 {
		return nil
	}
	if err := im.writer.commitReady(ctx, 0); err != nil { // the marks and the new parents
		return err
	}
	together := max(im.unitWeight/2, 1) // each leaves some lists and comes into others
	ctx = tenancy.In(ctx, im.tenant)
	for i, id := range im.moving {
		kinds := map[record.EntityType][]listing.Kind{
			record.Product:   {listing.KindProduct, listing.KindUserProduct},
			record.Blog:      {listing.KindBlog},
			record.Portfolio: {listing.KindPortfolio},
		}[im.categories.byID[id].row.EntityType]
		for _, kind := range kinds {
			// Its own list is the same before and afterwards.
			for last := (*ent.Listing)(nil); ; {
				rows, err := im.client.Listing.Query().Where(listing.KindEQ(kind), listing.Facet("category:"+id.String()),
					behind(last)).Order(ent.Asc(listing.FieldPublishedAt, listing.FieldEntityID)).Limit(together).All(ctx)
				if err != nil {
					return err
				}
				if len(rows) == 0 {
					break
				}
				some := &unit{weight: im.unitWeight}
				for _, row := range rows {
					some.change.Listed = append(some.change.Listed, row.EntityID)
				}
				if err := im.writer.write(ctx, []*unit{some}); err != nil {
					return err
				}
				last = rows[len(rows)-1]
			}
		}
		im.unit = &unit{weight: 1}
		im.do(func(ctx context.Context, tx *ent.Tx) error { return setMoving(ctx, tx, []uuid.UUID{id}, false) })
		if err := im.writer.write(ctx, []*unit{im.unit}); err != nil {
			return err
		}
		if im.progress != nil {
			im.progress(Progress{Section: "moved categories", Done: i + 1, Total: len(im.moving), Writing: true})
		}
	}
	return nil
}

// behind narrows listings to those that come after one in the order of a list.
func behind(last *ent.Listing) predicate.Listing {
	if last == nil {
		return listing.And()
	}
	return listing.Or(listing.PublishedAtGT(last.PublishedAt),
		listing.And(listing.PublishedAt(last.PublishedAt), listing.EntityIDGT(last.EntityID)))
}
