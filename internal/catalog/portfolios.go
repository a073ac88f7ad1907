package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/portfolio"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/record"
	"storefront/internal/request"
)

// PublishedPortfolios returns the query that every public read of portfolios starts from.
func (r *Catalog) PublishedPortfolios(ctx context.Context) *ent.PortfolioQuery {
	return r.Store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(request.Of(ctx).Now))
}

// PortfolioArguments are the arguments of portfolios and portfoliosConnection that choose records.
type PortfolioArguments struct {
	CategoryID *uuid.UUID
	Title      *string
	Categories []string
}

// Portfolios returns a shop's published portfolios, newest first.
func (r *Catalog) Portfolios(
	ctx context.Context, t *ent.Tenant, a PortfolioArguments,
) (list.List[*ent.Portfolio], error) {
	f := Filter{
		list: portfolioList, tenant: t.ID,
		searched: searchFor(a.Title), category: optionalOf(a.CategoryID),
	}
	err := r.choose(ctx, t, &f, a.Categories, nil)
	return publicList(r, f, r.PublishedPortfolios,
		func(_ context.Context, q *ent.PortfolioQuery, columns *selection.Set) {
			q.Collect(columns).Modify(SelectCommentCount(record.Portfolio, columns))
		},
		func(p *ent.Portfolio) int64 { return p.TenantVersion },
		func(p *ent.Portfolio) list.Position { return list.Position{Time: p.PublishedAt, ID: p.ID} }), err
}
