package catalog

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/record"
)

// ItemsIn returns for each category how many published records of its kind it and its descendants have.
func (r *Catalog) ItemsIn(ctx context.Context, categories []*ent.Category) ([]int, error) {
	ofKind := map[record.EntityType]itemCounts{}
	counts := make([]int, len(categories))
	for i, c := range categories {
		if ofKind[c.EntityType] == nil {
			load := func(ctx context.Context) (itemCounts, time.Time, error) {
				return r.countItems(InTenant(ctx, c.TenantID), listing.Kind(c.EntityType))
			}
			counted, err := countOnce(ctx, r,
				subject{tenant: c.TenantID, what: "categories.items", filter: c.EntityType}, load)
			if err != nil {
				return nil, err
			}
			ofKind[c.EntityType] = counted
		}
		counts[i] = ofKind[c.EntityType][FacetOfCategory(c.ID)]
	}
	return counts, nil
}

// itemCounts are the numbers of published records, by facet.
type itemCounts map[string]int

func (c itemCounts) Bytes() int { return 150 * len(c) }

// countItems counts the published records of a kind under each facet. It also returns when the next one is
// published.
func (r *Catalog) countItems(ctx context.Context, kind listing.Kind) (itemCounts, time.Time, error) {
	var rows []struct {
		Facet string
		Count int
	}
	listings := r.store.Listing.Query().Where(listing.KindEQ(kind))
	err := listings.Clone().Where(listing.FacetHasPrefix("category:"), listing.PublishedAtLTE(RequestTime(ctx))).
		GroupBy(listing.FieldFacet).Aggregate(ent.Count()).Scan(ctx, &rows)
	if err != nil {
		return nil, time.Time{}, err
	}
	counts := make(itemCounts, len(rows))
	for _, row := range rows {
		counts[row.Facet] = row.Count
	}
	next, err := listings.Where(listing.PublishedAtGT(RequestTime(ctx))).Order(listing.ByPublishedAt()).First(ctx)
	if ent.IsNotFound(err) {
		return counts, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	return counts, next.PublishedAt, nil
}
