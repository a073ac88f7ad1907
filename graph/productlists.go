package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/catalog/facets"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// The lists of products below several categories or brands. A page of each of them is two statements for all together:
// one finds the ids of every page, and one reads the products.

func (r categoryResolver) Products(
	ctx context.Context, categories []*ent.Category, page, pageSize int, sort record.ProductSort,
) ([]*facets.ProductPage, error) {
	filters := convert.All(categories, catalog.ProductsIn)
	pages := r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
		counts, err := r.ItemCount(ctx, categories)
		for i := range counts {
			if categories[i].EntityType != record.Product {
				counts[i] = 0
			}
		}
		return counts, err
	})
	return r.r.withFacets(pages, filters), nil
}

func (r brandResolver) Products(
	ctx context.Context, brands []*ent.Brand, page, pageSize int, sort record.ProductSort,
) ([]*facets.ProductPage, error) {
	filters := convert.All(brands, catalog.ProductsOf)
	pages := r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
		return r.r.Catalog.CountOfBrands(ctx, brands)
	})
	return r.r.withFacets(pages, filters), nil
}

// withFacets returns the pages of the lists of filters, with what they count.
func (r *Resolver) withFacets(pages []*list.Page[*ent.Product], filters []catalog.Filter) []*facets.ProductPage {
	all := make([]*facets.ProductPage, len(pages))
	for i, page := range pages {
		all[i] = &facets.ProductPage{Page: page, Facets: facets.OfProducts(r.Catalog, filters[i])}
	}
	return all
}
