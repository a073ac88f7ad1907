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

// portfolioArguments are the arguments of portfolios and portfoliosConnection that choose records.
type portfolioArguments struct {
	categoryID *uuid.UUID
	title      *string
	categories []string
}

// portfolioFilter is what a list of portfolios is narrowed by.
type portfolioFilter struct {
	tenant     uuid.UUID
	categories choice
	walk       bool // how it is read, see listingFilter
	category   optional[uuid.UUID]
	words      searchWords
}

func (a portfolioArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f portfolioFilter, err error) {
	f = portfolioFilter{
		tenant: t.ID, category: optionalOf(a.categoryID), words: searchWordsOf(a.title),
	}
	f.categories, err = r.someCategories(ctx, t, record.Portfolio, a.categories)
	f.categories.singleID(&f.category)
	return f, err
}

func (f portfolioFilter) listings() listingFilter {
	return listedUnder(listing.KindPortfolio, f.category, optional[string]{}).orUnder(f.tenant, f.categories, choice{}, f.walk)
}

// listedAlone reports whether the listings alone say which portfolios the list has.
func (f portfolioFilter) listedAlone() bool {
	return f.listings().alone() && f == portfolioFilter{tenant: f.tenant, category: f.category}
}

func (f portfolioFilter) narrow(q *ent.PortfolioQuery) *ent.PortfolioQuery {
	return q.Where(f.words.narrow(false), f.listings().narrow)
}

// portfolios are a shop's published portfolios, newest first.
func (r *Catalog) portfolios(t *ent.Tenant, filter portfolioFilter) list[*ent.Portfolio] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "portfolios.total", filter: filter},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.publishedPortfolios(ctx)).Count(ctx)
		},
	}
	return list[*ent.Portfolio]{
		order: filter.listings().newestFirst("portfolios"),
		read: func(ctx context.Context, part stretch) ([]*ent.Portfolio, error) {
			filter, err := filter, error(nil)
			if filter.categories.given {
				filter.walk, err = isMany(ctx, total)
			}
			if err != nil {
				return nil, err
			}
			found := r.publishedPortfolios(ctx)
			if filter.listedAlone() {
				found.Where(filter.listings().newest(part, requestTime(part.published(ctx)))).Order(part.ofRecords().sorted)
			} else {
				found = filter.narrow(r.publishedPortfolios(part.published(ctx))).
					Where(part.bounded).Order(part.sorted).Limit(part.limit)
				found.Modify(part.idsFirst(filter.words != ""))
			}
			return found.Collect(part.columns).Modify(selectCommentCount(record.Portfolio, part.columns), selectVersion(t.ID)).
				All(inTenant(ctx, t.ID))
		},
		version: func(p *ent.Portfolio) int64 { return p.TenantVersion },
		tenant:  t.ID,
		place:   func(p *ent.Portfolio) place { return place{time: p.PublishedAt, id: p.ID} },
		total:   total,
	}
}

// Portfolios is a page of a shop's published portfolios, newest first.
func (r tenantResolver) Portfolios(
	ctx context.Context, t *ent.Tenant, page, pageSize int, categoryID *uuid.UUID, categories []string,
	title *string,
) (*PortfolioPage, error) {
	asked := portfolioArguments{categoryID: categoryID, categories: categories, title: title}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	shown := pageOf(r.r.catalog.portfolios(t, filter), page, pageSize)
	return &shown, nil
}

// PortfoliosConnection walks a shop's published portfolios, newest first.
func (r tenantResolver) PortfoliosConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string,
	categoryID *uuid.UUID, categories []string,
	title *string,
) (*PortfolioConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := portfolioArguments{categoryID: categoryID, categories: categories, title: title}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return walk(ctx, r.r.catalog.portfolios(t, filter), window, defaultSize)
}

// Portfolio is a published portfolio of a shop.
func (r tenantResolver) Portfolio(ctx context.Context, t *ent.Tenant, slug string) (*ent.Portfolio, error) {
	return r.r.catalog.publishedPortfolios(ctx).Where(portfolio.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Modify(selectCommentCount(record.Portfolio, selection.Of(ctx))).Only(inTenant(ctx, t.ID))
}

// Comments are the approved comments on each portfolio.
func (r portfolioResolver) Comments(
	ctx context.Context, portfolios []*ent.Portfolio,
) ([][]*ent.Comment, error) {
	return loadForSiblings(ctx, portfolios, func(portfolios []*ent.Portfolio) ([][]*ent.Comment, error) {
		ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
		return r.r.catalog.commentsOn(ctx, portfolios[0].TenantID, record.Portfolio, ids, 0)
	})
}

// CommentsConnection walks the approved comments on each portfolio.
func (r portfolioResolver) CommentsConnection(
	ctx context.Context, portfolios []*ent.Portfolio, first *int, after *string, last *int, before *string,
) ([]*CommentConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	return loadForSiblings(ctx, portfolios, func(portfolios []*ent.Portfolio) ([]*CommentConnection, error) {
		ids := idsOf(portfolios, func(p *ent.Portfolio) uuid.UUID { return p.ID })
		return r.r.catalog.commentConnections(ctx, portfolios[0].TenantID, record.Portfolio, ids, window)
	})
}
