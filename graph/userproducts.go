package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, asked catalog.UserProductArguments, page, pageSize int,
) (*api.UserProductPage, error) {
	listings, err := r.r.Catalog.UserProducts(ctx, t, asked)
	return list.NewPage(listings, page, pageSize), err
}

func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.UserProductArguments, window list.Window,
) (*api.UserProductConnection, error) {
	listings, err := r.r.Catalog.UserProducts(ctx, t, asked)
	if err != nil {
		return nil, err
	}
	return list.Walk(ctx, listings, window, list.DefaultSize)
}

func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.UserProduct, error) {
	if has(preview) {
		return previewed(ctx, r.r, t, shownPreview{record.SlugUserProduct, slug, *preview},
			func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.UserProduct, error) {
				return r.r.Store.UserProduct.Query().Where(userproduct.ID(id)).Collect(asked).Only(ctx)
			}, func(p *ent.UserProduct) string { return p.Slug })
	}
	one, err := r.r.Catalog.PublishedUserProducts(ctx).Where(userproduct.Slug(search.Slug(slug))).
		Collect(selection.Of(ctx)).Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugUserProduct, slug, err)
}
