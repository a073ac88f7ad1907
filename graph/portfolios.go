package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
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

func (r tenantResolver) Portfolios(
	ctx context.Context, t *ent.Tenant, asked catalog.PortfolioArguments, page, pageSize int,
) (*api.PortfolioPage, error) {
	portfolios, err := r.r.Catalog.Portfolios(ctx, t, asked)
	return list.NewPage(portfolios, page, pageSize), err
}

func (r tenantResolver) PortfoliosConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.PortfolioArguments, window list.Window,
) (*api.PortfolioConnection, error) {
	portfolios, err := r.r.Catalog.Portfolios(ctx, t, asked)
	if err != nil {
		return nil, err
	}
	return list.Walk(ctx, portfolios, window, list.DefaultSize)
}

func (r tenantResolver) Portfolio(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Portfolio, error) {
	if has(preview) {
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
