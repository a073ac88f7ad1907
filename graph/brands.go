package graph

import (
	"context"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (r tenantResolver) Brands(ctx context.Context, t *ent.Tenant) ([]*ent.Brand, error) {
	found, err := r.r.Store.Brand.Query().Order(brand.ByID()).Collect(selection.Of(ctx).And("name")).
		All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found, list.NoPosition, func(b *ent.Brand) string { return b.Name })
	return found, err
}

func (r tenantResolver) Brand(ctx context.Context, t *ent.Tenant, slug string) (*ent.Brand, error) {
	one, err := r.r.Store.Brand.Query().Where(brand.Slug(search.Slug(slug))).Collect(selection.Of(ctx)).
		Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugBrand, slug, err)
}
