package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/list"
)

func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments, page, pageSize int,
) (*catalog.VariantPage, error) {
	variants, facets, err := r.r.Catalog.StoreItems(ctx, t, asked)
	return &catalog.VariantPage{Page: list.NewPage(variants, page, pageSize), Facets: facets}, err
}

func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments, window list.Window,
) (*catalog.VariantConnection, error) {
	variants, facets, err := r.r.Catalog.StoreItems(ctx, t, asked)
	if err != nil {
		return nil, err
	}
	c, err := list.Walk(ctx, variants, window, list.DefaultSizeLarge)
	return &catalog.VariantConnection{Connection: c, Facets: facets}, err
}
