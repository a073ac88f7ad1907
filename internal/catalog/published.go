package catalog

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

func (r *Catalog) PublishedProducts(ctx context.Context) *ent.ProductQuery {
	return r.store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(RequestTime(ctx)))
}

func (r *Catalog) VariantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.store.Variant.Query().Where(variant.ListedAtLTE(RequestTime(ctx)))
}

func (r *Catalog) PublishedUserProducts(ctx context.Context) *ent.UserProductQuery {
	return r.store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtLTE(RequestTime(ctx)))
}

func (r *Catalog) PublishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(RequestTime(ctx)))
}

func (r *Catalog) PublishedPortfolios(ctx context.Context) *ent.PortfolioQuery {
	return r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(RequestTime(ctx)))
}
