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

// portfolios are a shop's published portfolios, newest first.
func (r *Resolver) portfolios(t *ent.Tenant, filter portfolioFilter) (list[*ent.Portfolio], tally) {
	return list[*ent.Portfolio]{
		order: filter.facets().newest("portfolios"),
		read: func(ctx context.Context, part stretch) ([]*ent.Portfolio, error) {
			return filter.narrow(r.publishedPortfolios(part.shown(ctx))).Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).
				Collect(part.columns).All(in(ctx, t.ID))
		},
		place: func(p *ent.Portfolio) place { return place{time: p.PublishedAt, id: p.ID} },
	}, tally{r, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.publishedPortfolios(ctx)).Count(ctx) }, r.nextPortfolio}
}

// Portfolios is a page of a shop's published portfolios, newest first.
func (r tenantResolver) Portfolios(ctx context.Context, t *ent.Tenant, number, size int, categoryID *uuid.UUID, title *string) (*PortfolioPage, error) {
	l, n := r.Resolver.portfolios(t, portfolioFilter{of(categoryID), wordsOf(title)})
	return &PortfolioPage{pageOf(l, n, number, size)}, nil
}

// PortfoliosConnection walks a shop's published portfolios, newest first.
func (r tenantResolver) PortfoliosConnection(ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, categoryID *uuid.UUID, title *string) (*PortfolioConnection, error) {
	l, n := r.Resolver.portfolios(t, portfolioFilter{of(categoryID), wordsOf(title)})
	c, err := walk(ctx, l, window{first, last, after, before}, defaultSize, n.total)
	return &PortfolioConnection{c}, err
}

// Portfolio is a published portfolio of a shop.
func (r tenantResolver) Portfolio(ctx context.Context, t *ent.Tenant, slug string) (*ent.Portfolio, error) {
	return r.publishedPortfolios(ctx).Where(portfolio.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
}

// CommentCount is how many approved comments each portfolio has.
func (r portfolioResolver) CommentCount(ctx context.Context, portfolios []*ent.Portfolio) ([]int, error) {
	return ofAll(ctx, portfolios, func(portfolios []*ent.Portfolio) ([]int, error) {
		ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
		return r.countComments(ctx, portfolios[0].TenantID, record.Portfolio, ids)
	})
}

// Comments are the approved comments on each portfolio.
func (r portfolioResolver) Comments(ctx context.Context, portfolios []*ent.Portfolio) ([][]*ent.Comment, error) {
	return ofAll(ctx, portfolios, func(portfolios []*ent.Portfolio) ([][]*ent.Comment, error) {
		ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
		return r.commentsOn(ctx, portfolios[0].TenantID, record.Portfolio, ids)
	})
}

// CommentsConnection walks the approved comments on each portfolio.
func (r portfolioResolver) CommentsConnection(ctx context.Context, portfolios []*ent.Portfolio, first *int, after *string, last *int, before *string) ([]*CommentConnection, error) {
	return ofAll(ctx, portfolios, func(portfolios []*ent.Portfolio) ([]*CommentConnection, error) {
		ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
		return r.commentConnections(ctx, portfolios[0].TenantID, record.Portfolio, ids, window{first, last, after, before})
	})
}
