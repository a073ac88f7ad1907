package catalog

import (
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/request"
)

// RelatedTo returns at most limit other published products of the category of each product, newest first.
func (r *Catalog) RelatedTo(ctx context.Context, products []*ent.Product, limit int) ([][]*ent.Product, error) {
	ctx = tenancy.In(ctx, products[0].TenantID)
	var categories []uuid.UUID
	for _, p := range products {
		if p.CategoryID != nil && !slices.Contains(categories, *p.CategoryID) {
			categories = append(categories, *p.CategoryID)
		}
	}
	// One more, because a product is not related to itself.
	newest, err := r.newestInCategories(ctx, products[0].TenantID, categories, limit+1)
	if err != nil {
		return nil, err
	}
	wanted := make([][]uuid.UUID, len(products))
	for i, p := range products {
		if p.CategoryID == nil {
			continue
		}
		for _, id := range newest[derive.CategoryFacet(*p.CategoryID)] {
			if id != p.ID && len(wanted[i]) < limit {
				wanted[i] = append(wanted[i], id)
			}
		}
	}
	related := r.PublishedProducts(ctx).Where(product.IDIn(list.Flatten(wanted)...))
	found, err := CollectProducts(ctx, related, selection.Of(ctx)).All(ctx)
	list.RememberSiblings(ctx, found)
	return list.Arrange(wanted, found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

func (r *Catalog) newestInCategories(
	ctx context.Context, tenant uuid.UUID, categories []uuid.UUID, limit int,
) (map[string][]uuid.UUID, error) {
	newest := map[string][]uuid.UUID{}
	if len(categories) == 0 {
		return newest, nil
	}
	some := list.FirstOfEach(len(categories), func(i int, l *sql.SelectTable, listings *sql.Selector) {
		listings.Where(sql.And(
			sql.EQ(l.C(listing.FieldTenantID), tenant),
			sql.EQ(l.C(listing.FieldKind), listing.KindProduct),
			sql.EQ(l.C(listing.FieldFacet), derive.CategoryFacet(categories[i])),
			sql.LTE(l.C(listing.FieldPublishedAt), request.Of(ctx).Now),
		)).OrderBy(sql.Desc(l.C(listing.FieldPublishedAt)), sql.Desc(l.C(listing.FieldEntityID))).Limit(limit)
	})
	found, err := r.Store.Listing.Query().Where(some).
		Order(listing.ByPublishedAt(sql.OrderDesc()), listing.ByEntityID(sql.OrderDesc())).All(ctx)
	for _, l := range found {
		newest[l.Facet] = append(newest[l.Facet], l.EntityID)
	}
	return newest, err
}
