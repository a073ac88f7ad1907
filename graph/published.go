package graph

import (
	"context"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/record"
)

// What is public, decided once for each kind: every public answer begins with one of these queries.

func (r *Catalog) publishedProducts(ctx context.Context) *ent.ProductQuery {
	return r.store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(requestTime(ctx)))
}

func (r *Catalog) variantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.store.Variant.Query().Where(variant.ListedAtLTE(requestTime(ctx)))
}

func (r *Catalog) publishedUserProducts(ctx context.Context) *ent.UserProductQuery {
	return r.store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtLTE(requestTime(ctx)))
}

func (r *Catalog) publishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(requestTime(ctx)))
}

func (r *Catalog) publishedPortfolios(ctx context.Context) *ent.PortfolioQuery {
	return r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(requestTime(ctx)))
}
