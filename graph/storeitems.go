package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/catalog/facets"
	"storefront/internal/list"
)

func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments, page, pageSize int,
) (*facets.VariantPage, error) {
	variants, filter, err := r.r.Catalog.StoreItems(ctx, t, asked)
	counts := facets.OfVariants(r.r.Catalog, filter)
	return &facets.VariantPage{Page: list.NewPage(variants, page, pageSize), Facets: counts}, err
}

func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments, window list.Window,
) (*facets.VariantConnection, error) {
	variants, filter, err := r.r.Catalog.StoreItems(ctx, t, asked)
	if err != nil {
		return nil, err
	}
	c, err := list.Walk(ctx, variants, window, list.DefaultSizeLarge)
	return &facets.VariantConnection{Connection: c, Facets: facets.OfVariants(r.r.Catalog, filter)}, err
}
