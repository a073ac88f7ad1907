package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
)

// StoreItems returns a page of a shop's variants on sale.
func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments, page, pageSize int,
) (*catalog.VariantPage, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return &catalog.VariantPage{
		ListPage: catalog.PageOf(r.r.Catalog.StoreItems(filter, asked.Sort), page, pageSize),
		Facets:   r.r.Catalog.VariantFacets(filter),
	}, nil
}

// StoreItemsConnection pages through a shop's variants on sale.
func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.StoreItemArguments,
	first *int, after *string, last *int, before *string,
) (*catalog.VariantConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	c, err := catalog.Walk(ctx, r.r.Catalog.StoreItems(filter, asked.Sort), window, catalog.DefaultSizeLarge)
	return &catalog.VariantConnection{Connection: c, Facets: r.r.Catalog.VariantFacets(filter)}, err
}
