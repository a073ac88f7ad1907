package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// The lists of products below several categories or brands. A page of each of them is two statements for all together:
// one finds the ids of every page, and one reads the products.

func (r categoryResolver) Products(
	ctx context.Context, categories []*ent.Category, page, pageSize int, sort record.ProductSort,
) ([]*catalog.ProductPage, error) {
	filters := convert.All(categories, catalog.ProductsIn)
	return r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
		counts, err := r.ItemCount(ctx, categories)
		for i := range counts {
			if categories[i].EntityType != record.Product {
				counts[i] = 0
			}
		}
		return counts, err
	}), nil
}

func (r brandResolver) Products(
	ctx context.Context, brands []*ent.Brand, page, pageSize int, sort record.ProductSort,
) ([]*catalog.ProductPage, error) {
	filters := convert.All(brands, catalog.ProductsOf)
	return r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
		return r.r.Catalog.CountOfBrands(ctx, brands)
	}), nil
}
