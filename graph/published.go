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
	return r.store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(now(ctx)))
}

func (r *Resolver) variantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.store.Variant.Query().Where(variant.ListedAtLTE(now(ctx)))
}

func (r *Resolver) publishedUserProducts(ctx context.Context) *ent.UserProductQuery {
	return r.store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtLTE(now(ctx)))
}

func (r *Resolver) publishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(now(ctx)))
}

func (r *Resolver) publishedPortfolios(ctx context.Context) *ent.PortfolioQuery {
	return r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(now(ctx)))
}

// When the next scheduled record of a kind becomes public, which changes lists and counts without a write; zero: never.

func (r *Resolver) nextProduct(ctx context.Context) (time.Time, error) {
	return soonest(ctx, r.store.Product.Query().
		Where(product.StatusEQ(record.Published), product.PublishedAtGT(now(ctx))).
		Order(product.ByPublishedAt()).Limit(1).Select(product.FieldPublishedAt))
}

func (r *Resolver) nextVariant(ctx context.Context) (time.Time, error) {
	return soonest(ctx, r.store.Variant.Query().Where(variant.ListedAtGT(now(ctx))).
		Order(variant.ByListedAt()).Limit(1).Select(variant.FieldListedAt))
}

func (r *Resolver) nextUserProduct(ctx context.Context) (time.Time, error) {
	return soonest(ctx, r.store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtGT(now(ctx))).
		Order(userproduct.ByPublishedAt()).Limit(1).Select(userproduct.FieldPublishedAt))
}

func (r *Resolver) nextBlog(ctx context.Context) (time.Time, error) {
	return soonest(ctx, r.store.Blog.Query().
		Where(blog.StatusEQ(record.Published), blog.PublishedAtGT(now(ctx))).
		Order(blog.ByPublishedAt()).Limit(1).Select(blog.FieldPublishedAt))
}

func (r *Resolver) nextPortfolio(ctx context.Context) (time.Time, error) {
	return soonest(ctx, r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtGT(now(ctx))).
		Order(portfolio.ByPublishedAt()).Limit(1).Select(portfolio.FieldPublishedAt))
}

func soonest(ctx context.Context, query interface {
	Scan(ctx context.Context, into any) error
}) (time.Time, error) {
	var found []time.Time
	if err := query.Scan(ctx, &found); err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	return found[0], nil
}
