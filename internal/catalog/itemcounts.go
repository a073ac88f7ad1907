package catalog

import (
	"context"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/record"
	"storefront/internal/request"
)

// ItemsIn returns for each category how many published records of its kind it and its descendants have.
func (r *Catalog) ItemsIn(ctx context.Context, categories []*ent.Category) ([]int, error) {
	ofKind := map[record.EntityType]itemCounts{}
	counts := make([]int, len(categories))
	for i, c := range categories {
		if ofKind[c.EntityType] == nil {
			of := subject{tenant: c.TenantID, what: "categories.items", filter: c.EntityType}
			counted, err := publicCount(ctx, r, of, func(ctx context.Context) (itemCounts, error) {
				return r.countItems(ctx, listing.Kind(c.EntityType))
			})
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

// countItems counts the published records of a kind under each category.
func (r *Catalog) countItems(ctx context.Context, kind listing.Kind) (itemCounts, error) {
	var rows []struct {
		Facet string
		Count int
	}
	err := r.Store.Listing.Query().Where(listing.KindEQ(kind), listing.FacetHasPrefix("category:"),
		listing.PublishedAtLTE(request.Of(ctx).Now)).
		GroupBy(listing.FieldFacet).Aggregate(ent.Count()).Scan(ctx, &rows)
	counts := make(itemCounts, len(rows))
	for _, row := range rows {
		counts[row.Facet] = row.Count
	}
	return counts, err
}
