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
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return &catalog.VariantPage{
		Page:   list.NewPage(r.r.Catalog.StoreItems(filter, asked.Sort), page, pageSize),
		Facets: r.r.Catalog.VariantFacets(filter),
	}, nil
}

func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments,
	window list.Window,
) (*catalog.VariantConnection, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	c, err := list.Walk(ctx, r.r.Catalog.StoreItems(filter, asked.Sort), window, list.DefaultSizeLarge)
	return &catalog.VariantConnection{Connection: c, Facets: r.r.Catalog.VariantFacets(filter)}, err
}
