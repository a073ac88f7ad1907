package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/portfolio"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (r tenantResolver) Blogs(
	ctx context.Context, t *ent.Tenant, args catalog.BlogArguments, page, pageSize int,
) (*api.BlogPage, error) {
	blogs, err := r.r.Catalog.Blogs(ctx, t, args)
	return list.NewPage(blogs, page, pageSize), err
}

func (r tenantResolver) BlogsConnection(
	ctx context.Context, t *ent.Tenant, args catalog.BlogArguments, window list.Window,
) (*api.BlogConnection, error) {
	blogs, err := r.r.Catalog.Blogs(ctx, t, args)
	if err != nil {
		return nil, err
	}
	return list.NewConnection(ctx, blogs, window, list.DefaultSize)
}

func (r tenantResolver) Blog(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Blog, error) {
	if record.TextOf(preview) != "" {
		return previewed(ctx, r.r, t, shownPreview{record.SlugBlog, slug, *preview},
			func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.Blog, error) {
				return r.r.Store.Blog.Query().Where(blog.ID(id)).Collect(asked).
					Modify(catalog.SelectCommentCount(record.Blog, asked)).Only(ctx)
			}, func(b *ent.Blog) string { return b.Slug })
	}
	one, err := r.r.Catalog.PublishedBlogs(ctx).Where(blog.Slug(search.Slug(slug))).
		Collect(selection.Of(ctx)).Modify(catalog.SelectCommentCount(record.Blog, selection.Of(ctx))).
		Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugBlog, slug, err)
}

func (r blogResolver) Comments(ctx context.Context, blogs []*ent.Blog) ([][]*ent.Comment, error) {
	ids := convert.All(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
	return r.r.Catalog.CommentsOn(ctx, blogs[0].TenantID, record.Blog, ids, 0)
}

func (r blogResolver) CommentsConnection(
	ctx context.Context, blogs []*ent.Blog, window list.Window,
) ([]*api.CommentConnection, error) {
	ids := convert.All(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
	return r.r.Catalog.CommentConnections(ctx, blogs[0].TenantID, record.Blog, ids, window)
}

func (r tenantResolver) Portfolios(
	ctx context.Context, t *ent.Tenant, args catalog.PortfolioArguments, page, pageSize int,
) (*api.PortfolioPage, error) {
	portfolios, err := r.r.Catalog.Portfolios(ctx, t, args)
	return list.NewPage(portfolios, page, pageSize), err
}

func (r tenantResolver) PortfoliosConnection(
	ctx context.Context, t *ent.Tenant, args catalog.PortfolioArguments, window list.Window,
) (*api.PortfolioConnection, error) {
	portfolios, err := r.r.Catalog.Portfolios(ctx, t, args)
	if err != nil {
		return nil, err
	}
	return list.NewConnection(ctx, portfolios, window, list.DefaultSize)
}

func (r tenantResolver) Portfolio(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Portfolio, error) {
	if record.TextOf(preview) != "" {
		return previewed(ctx, r.r, t, shownPreview{record.SlugPortfolio, slug, *preview},
			func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.Portfolio, error) {
				return r.r.Store.Portfolio.Query().Where(portfolio.ID(id)).Collect(asked).
					Modify(catalog.SelectCommentCount(record.Portfolio, asked)).Only(ctx)
			}, func(p *ent.Portfolio) string { return p.Slug })
	}
	one, err := r.r.Catalog.PublishedPortfolios(ctx).Where(portfolio.Slug(search.Slug(slug))).
		Collect(selection.Of(ctx)).Modify(catalog.SelectCommentCount(record.Portfolio, selection.Of(ctx))).
		Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugPortfolio, slug, err)
}

func (r portfolioResolver) Comments(
	ctx context.Context, portfolios []*ent.Portfolio,
) ([][]*ent.Comment, error) {
	ids := convert.All(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
	return r.r.Catalog.CommentsOn(ctx, portfolios[0].TenantID, record.Portfolio, ids, 0)
}

func (r portfolioResolver) CommentsConnection(
	ctx context.Context, portfolios []*ent.Portfolio, window list.Window,
) ([]*api.CommentConnection, error) {
	ids := convert.All(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
	return r.r.Catalog.CommentConnections(ctx, portfolios[0].TenantID, record.Portfolio, ids, window)
}
