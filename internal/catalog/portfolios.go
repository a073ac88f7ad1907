package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/portfolio"
	"storefront/internal/catalog/selection"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The shapes of lists of portfolios.
type (
	PortfolioPage       = ListPage[*ent.Portfolio]
	PortfolioConnection = Connection[*ent.Portfolio]
	PortfolioEdge       = Edge[*ent.Portfolio]
)

// PublishedPortfolios returns the query that every public read of portfolios starts from.
func (r *Catalog) PublishedPortfolios(ctx context.Context) *ent.PortfolioQuery {
	return r.store.Portfolio.Query().
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(request.Of(ctx).Now))
}

// PortfolioArguments are the arguments of portfolios and portfoliosConnection that choose records.
type PortfolioArguments struct {
	CategoryID *uuid.UUID
	Title      *string
	Categories []string
}

func (a PortfolioArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (Filter, error) {
	f := Filter{
		list: portfolioList, tenant: t.ID,
		words: searchWordsOf(a.Title), category: optionalOf(a.CategoryID),
	}
	return f, r.choose(ctx, t, &f, a.Categories, nil)
}

// Portfolios returns a shop's published portfolios, newest first.
func (r *Catalog) Portfolios(filter Filter) List[*ent.Portfolio] {
	return publicList(r, filter, r.PublishedPortfolios,
		func(_ context.Context, q *ent.PortfolioQuery, columns *selection.Set) {
			q.Collect(columns).Modify(SelectCommentCount(record.Portfolio, columns))
		},
		func(p *ent.Portfolio) int64 { return p.TenantVersion },
		func(p *ent.Portfolio) Position { return Position{Time: p.PublishedAt, ID: p.ID} })
}
