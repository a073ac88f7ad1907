package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/portfolio"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// portfolioFilter is what a list of portfolios is narrowed by.
type portfolioFilter struct {
	category maybe[uuid.UUID]
	title    words
}

func (f portfolioFilter) facets() facets {
	return under(listing.KindPortfolio, f.category, maybe[string]{})
}

func (f portfolioFilter) narrow(q *ent.PortfolioQuery) *ent.PortfolioQuery {
	return q.Where(f.title.narrow, f.facets().narrow)
}

// Portfolios is a page of a shop's published portfolios, newest first.
func (r tenantResolver) Portfolios(ctx context.Context, t *ent.Tenant, number, size int, categoryID *uuid.UUID, title *string) (*PortfolioPage, error) {
	filter := portfolioFilter{of(categoryID), wordsOf(title)}
	return &PortfolioPage{page[*ent.Portfolio]{number, min(size, maxPageSize),
		func(ctx context.Context, offset, limit int) ([]*ent.Portfolio, error) {
			return filter.narrow(r.publishedPortfolios(ctx)).Order(filter.facets().newest).Offset(offset).Limit(limit).
				Collect(selection.Of(ctx)).All(in(ctx, t.ID))
		},
		tally{r.Resolver, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.publishedPortfolios(ctx)).Count(ctx) }, r.nextPortfolio},
	}}, nil
}

// Portfolio is a published portfolio of a shop.
func (r tenantResolver) Portfolio(ctx context.Context, t *ent.Tenant, slug string) (*ent.Portfolio, error) {
	return r.publishedPortfolios(ctx).Where(portfolio.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
}

// CommentCount is how many approved comments each portfolio has.
func (r portfolioResolver) CommentCount(ctx context.Context, portfolios []*ent.Portfolio) ([]int, error) {
	ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
	return r.countComments(ctx, portfolios[0].TenantID, record.Portfolio, ids)
}

// Comments are the approved comments on each portfolio.
func (r portfolioResolver) Comments(ctx context.Context, portfolios []*ent.Portfolio) ([][]*ent.Comment, error) {
	ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
	return r.commentsOn(ctx, portfolios[0].TenantID, record.Portfolio, ids)
}
