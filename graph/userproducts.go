package graph

import (
	"context"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// UserProducts returns a page of a shop's published customer listings, newest first.
func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, asked catalog.UserProductArguments, page, pageSize int,
) (*catalog.UserProductPage, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	shown := catalog.PageOf(r.r.Catalog.UserProducts(filter), page, pageSize)
	return &shown, nil
}

// UserProductsConnection pages through a shop's published customer listings, newest first.
func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.UserProductArguments,
	first *int, after *string, last *int, before *string,
) (*catalog.UserProductConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return catalog.Walk(ctx, r.r.Catalog.UserProducts(filter), window, catalog.DefaultSize)
}

// UserProduct returns a published customer listing of a shop, or one that is previewed.
func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.UserProduct, error) {
	if has(preview) {
		return r.r.previewedUserProduct(ctx, t, slug, *preview)
	}
	one, err := r.r.Catalog.PublishedUserProducts(ctx).Where(userproduct.Slug(catalog.LookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(catalog.InTenant(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugUserProduct, slug, err)
}
