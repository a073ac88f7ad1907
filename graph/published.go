package graph

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/record"
)

// What is public, decided once for each kind: every public answer begins with one of these queries.

func (r *Resolver) publishedProducts(ctx context.Context) *ent.ProductQuery {
	return r.store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(requestTime(ctx)))
}

func (r *Resolver) variantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.store.Variant.Query().Where(variant.ListedAtLTE(requestTime(ctx)))
}

func (r *Resolver) publishedUserProducts(ctx context.Context) *ent.UserProductQuery {
	return r.store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtLTE(requestTime(ctx)))
}

func (r *Resolver) publishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(requestTime(ctx)))
}

func (r *Resolver) publishedPortfolios(ctx context.Context) *ent.PortfolioQuery {
	return r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(requestTime(ctx)))
}

// When the next scheduled record of a kind becomes public, which changes lists and counts without a write;
// zero: never.

func (r *Resolver) nextProduct(ctx context.Context) (time.Time, error) {
	next, err := r.store.Product.Query().
		Where(product.StatusEQ(record.Published), product.PublishedAtGT(requestTime(ctx))).
		Order(product.ByPublishedAt()).Select(product.FieldPublishedAt).First(ctx)
	if err != nil {
		return time.Time{}, ent.MaskNotFound(err)
	}
	return next.PublishedAt, nil
}

func (r *Resolver) nextVariant(ctx context.Context) (time.Time, error) {
	next, err := r.store.Variant.Query().Where(variant.ListedAtGT(requestTime(ctx))).
		Order(variant.ByListedAt()).Select(variant.FieldListedAt).First(ctx)
	if err != nil {
		return time.Time{}, ent.MaskNotFound(err)
	}
	return *next.ListedAt, nil
}

func (r *Resolver) nextUserProduct(ctx context.Context) (time.Time, error) {
	next, err := r.store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtGT(requestTime(ctx))).
		Order(userproduct.ByPublishedAt()).Select(userproduct.FieldPublishedAt).First(ctx)
	if err != nil {
		return time.Time{}, ent.MaskNotFound(err)
	}
	return next.PublishedAt, nil
}

func (r *Resolver) nextBlog(ctx context.Context) (time.Time, error) {
	next, err := r.store.Blog.Query().
		Where(blog.StatusEQ(record.Published), blog.PublishedAtGT(requestTime(ctx))).
		Order(blog.ByPublishedAt()).Select(blog.FieldPublishedAt).First(ctx)
	if err != nil {
		return time.Time{}, ent.MaskNotFound(err)
	}
	return next.PublishedAt, nil
}

func (r *Resolver) nextPortfolio(ctx context.Context) (time.Time, error) {
	next, err := r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtGT(requestTime(ctx))).
		Order(portfolio.ByPublishedAt()).Select(portfolio.FieldPublishedAt).First(ctx)
	if err != nil {
		return time.Time{}, ent.MaskNotFound(err)
	}
	return next.PublishedAt, nil
}
