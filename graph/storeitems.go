package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/catalog"
)

// StoreItems is a page of a shop's variants on sale.
func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, page, pageSize int, categoryID *uuid.UUID, categories []string,
	brandID *uuid.UUID, brands []string, productID *uuid.UUID, options []*model.OptionFilter, name *string, inStock,
	isFestival *bool, minPrice, maxPrice *model.Decimal, sort model.StoreItemSort,
) (*catalog.VariantPage, error) {
	asked := catalog.StoreItemArguments{
		CategoryID: categoryID, BrandID: brandID, ProductID: productID, Name: name, InStock: inStock,
		IsFestival: isFestival, MinPrice: minPrice, MaxPrice: maxPrice, Sort: sort,
		Categories: categories, Brands: brands, Options: options,
	}
	filter, err := asked.Filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return &catalog.VariantPage{
		ListPage: catalog.PageOf(r.r.catalog.StoreItems(t, filter, asked.Sort), page, pageSize),
		Facets:   r.r.catalog.VariantFacets(t, filter),
	}, nil
}

// StoreItemsConnection walks a shop's variants on sale.
func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string,
	categoryID *uuid.UUID, categories []string, brandID *uuid.UUID, brands []string, productID *uuid.UUID,
	options []*model.OptionFilter, name *string, inStock, isFestival *bool, minPrice, maxPrice *model.Decimal,
	sort model.StoreItemSort,
) (*catalog.VariantConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	asked := catalog.StoreItemArguments{
		CategoryID: categoryID, BrandID: brandID, ProductID: productID, Name: name, InStock: inStock,
		IsFestival: isFestival, MinPrice: minPrice, MaxPrice: maxPrice, Sort: sort,
		Categories: categories, Brands: brands, Options: options,
	}
	filter, err := asked.Filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	c, err := catalog.Walk(ctx, r.r.catalog.StoreItems(t, filter, asked.Sort), window, catalog.DefaultSizeLarge)
	return &catalog.VariantConnection{Connection: c, Facets: r.r.catalog.VariantFacets(t, filter)}, err
}
