package graph

import (
	"context"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/record"

	"github.com/google/uuid"
)

func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, asked catalog.UserProductArguments, page, pageSize int,
) (*catalog.UserProductPage, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return list.NewPage(r.r.Catalog.UserProducts(filter), page, pageSize), nil
}

func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.UserProductArguments,
	window list.Window,
) (*catalog.UserProductConnection, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return list.Walk(ctx, r.r.Catalog.UserProducts(filter), window, list.DefaultSize)
}

func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.UserProduct, error) {
	if has(preview) {
		return previewed(ctx, r.r, t, record.SlugUserProduct, slug, *preview,
			func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.UserProduct, error) {
				return r.r.Store.UserProduct.Query().Where(userproduct.ID(id)).Collect(asked).Only(ctx)
			}, func(p *ent.UserProduct) string { return p.Slug })
	}
	one, err := r.r.Catalog.PublishedUserProducts(ctx).Where(userproduct.Slug(catalog.LookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(catalog.InTenant(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugUserProduct, slug, err)
}
