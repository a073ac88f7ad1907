package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// UserProducts is a page of a shop's published customer listings, newest first.
func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, page, pageSize int, name, q *string, categoryID *uuid.UUID,
	categories []string, cityID, countryID *uuid.UUID, condition *record.Condition, promoted *bool,
) (*catalog.UserProductPage, error) {
	asked := catalog.UserProductArguments{
		Name: name, Q: q, CategoryID: categoryID, CityID: cityID, CountryID: countryID, Condition: condition,
		Promoted: promoted, Categories: categories,
	}
	filter, err := asked.Filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	shown := catalog.PageOf(r.r.catalog.UserProducts(t, filter), page, pageSize)
	return &shown, nil
}

// UserProductsConnection walks a shop's published customer listings, newest first.
func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name, q *string,
	categoryID *uuid.UUID, categories []string, cityID, countryID *uuid.UUID, condition *record.Condition,
	promoted *bool,
) (*catalog.UserProductConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	asked := catalog.UserProductArguments{
		Name: name, Q: q, CategoryID: categoryID, CityID: cityID, CountryID: countryID, Condition: condition,
		Promoted: promoted, Categories: categories,
	}
	filter, err := asked.Filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return catalog.Walk(ctx, r.r.catalog.UserProducts(t, filter), window, catalog.DefaultSize)
}

// UserProduct is a published customer listing of a shop.
func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string,
) (*ent.UserProduct, error) {
	return r.r.catalog.PublishedUserProducts(ctx).Where(userproduct.Slug(catalog.LookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(catalog.InTenant(ctx, t.ID))
}
