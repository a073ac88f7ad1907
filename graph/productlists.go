package graph

import (
	"context"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/catalog"
	"storefront/internal/record"
)

// The lists of products below several categories or brands. A page of each of them is two statements for all together:
// one finds the ids of every page, and one reads the products.

// Products returns the products of each category and all below it.
func (r categoryResolver) Products(
	ctx context.Context, categories []*ent.Category, page, pageSize int, sort model.ProductSort,
) ([]*catalog.ProductPage, error) {
	return catalog.LoadForSiblings(ctx, categories, func(categories []*ent.Category) ([]*catalog.ProductPage, error) {
		filters := make([]catalog.Filter, len(categories))
		for i, c := range categories {
			filters[i] = catalog.ProductsIn(c)
		}
		return r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
			counts, err := r.ItemCount(ctx, categories)
			for i := range counts {
				if categories[i].EntityType != record.Product {
					counts[i] = 0
				}
			}
			return counts, err
		}), nil
	})
}

// Products returns the products of each brand.
func (r brandResolver) Products(
	ctx context.Context, brands []*ent.Brand, page, pageSize int, sort model.ProductSort,
) ([]*catalog.ProductPage, error) {
	return catalog.LoadForSiblings(ctx, brands, func(brands []*ent.Brand) ([]*catalog.ProductPage, error) {
		filters := make([]catalog.Filter, len(brands))
		for i, b := range brands {
			filters[i] = catalog.ProductsOf(b)
		}
		return r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
			return r.r.Catalog.CountOfBrands(ctx, brands)
		}), nil
	})
}
