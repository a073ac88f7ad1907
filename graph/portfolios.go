package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/portfolio"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// Portfolios returns a page of a shop's published portfolios, newest first.
func (r tenantResolver) Portfolios(
	ctx context.Context, t *ent.Tenant, asked catalog.PortfolioArguments, page, pageSize int,
) (*catalog.PortfolioPage, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	shown := catalog.PageOf(r.r.Catalog.Portfolios(filter), page, pageSize)
	return &shown, nil
}

// PortfoliosConnection pages through a shop's published portfolios, newest first.
func (r tenantResolver) PortfoliosConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.PortfolioArguments,
	first *int, after *string, last *int, before *string,
) (*catalog.PortfolioConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return catalog.Walk(ctx, r.r.Catalog.Portfolios(filter), window, catalog.DefaultSize)
}

// Portfolio returns a published portfolio of a shop, or one that is previewed.
func (r tenantResolver) Portfolio(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Portfolio, error) {
	if has(preview) {
		return r.r.previewedPortfolio(ctx, t, slug, *preview)
	}
	one, err := r.r.Catalog.PublishedPortfolios(ctx).Where(portfolio.Slug(catalog.LookupSlug(slug))).
		Collect(selection.Of(ctx)).Modify(catalog.SelectCommentCount(record.Portfolio, selection.Of(ctx))).
		Only(catalog.InTenant(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugPortfolio, slug, err)
}

// Comments returns the approved comments on each portfolio.
func (r portfolioResolver) Comments(
	ctx context.Context, portfolios []*ent.Portfolio,
) ([][]*ent.Comment, error) {
	return catalog.LoadForSiblings(ctx, portfolios, func(portfolios []*ent.Portfolio) ([][]*ent.Comment, error) {
		ids := catalog.IDsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
		return r.r.Catalog.CommentsOn(ctx, portfolios[0].TenantID, record.Portfolio, ids, 0)
	})
}

// CommentsConnection pages through the approved comments on each portfolio.
func (r portfolioResolver) CommentsConnection(
	ctx context.Context, portfolios []*ent.Portfolio, first *int, after *string, last *int, before *string,
) ([]*catalog.CommentConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	return catalog.LoadForSiblings(ctx, portfolios,
		func(portfolios []*ent.Portfolio) ([]*catalog.CommentConnection, error) {
			ids := catalog.IDsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
			return r.r.Catalog.CommentConnections(ctx, portfolios[0].TenantID, record.Portfolio, ids, window)
		})
}
