package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/portfolio"
	"storefront/internal/record"
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
		Where(portfolio.StatusEQ(record.Published), portfolio.PublishedAtLTE(RequestTime(ctx)))
}

// PortfolioArguments are the arguments of portfolios and portfoliosConnection that choose records.
type PortfolioArguments struct {
	CategoryID *uuid.UUID
	Title      *string
	Categories []string
}

// portfolioFilter narrows a list of portfolios.
type portfolioFilter struct {
	tenant      uuid.UUID
	categories  choice
	inListOrder bool // how it is read, see listingFilter
	category    optional[uuid.UUID]
	words       searchWords
}

func (a PortfolioArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f portfolioFilter, err error) {
	f = portfolioFilter{
		tenant: t.ID, category: optionalOf(a.CategoryID), words: searchWordsOf(a.Title),
	}
	f.categories, err = r.someCategories(ctx, t, record.Portfolio, a.Categories)
	f.categories.singleID(&f.category)
	return f, err
}

func (f portfolioFilter) listings() listingFilter {
	return listedUnder(listing.KindPortfolio, f.category, optional[string]{}).
		orUnder(f.tenant, f.categories, choice{}, f.inListOrder)
}

// listedAlone reports whether the listings alone determine the portfolios of the list.
func (f portfolioFilter) listedAlone() bool {
	return f.listings().alone() && f == portfolioFilter{tenant: f.tenant, category: f.category}
}

func (f portfolioFilter) narrow(q *ent.PortfolioQuery) *ent.PortfolioQuery {
	return q.Where(f.words.narrow(false), f.listings().narrow)
}

// Portfolios returns a shop's published portfolios, newest first.
func (r *Catalog) Portfolios(t *ent.Tenant, filter portfolioFilter) List[*ent.Portfolio] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "portfolios.total", filter: filter},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.PublishedPortfolios(ctx)).Count(ctx)
		},
	}
	return List[*ent.Portfolio]{
		Order: filter.listings().newestFirst("portfolios"),
		Read: func(ctx context.Context, part Span) ([]*ent.Portfolio, error) {
			filter, err := filter, error(nil)
			if filter.categories.given {
				filter.inListOrder, err = isMany(ctx, total)
			}
			if err != nil {
				return nil, err
			}
			found := r.PublishedPortfolios(ctx)
			if filter.listedAlone() {
				found.Where(filter.listings().newest(part, RequestTime(part.published(ctx)))).
					Order(part.ofRecords().Sorted)
			} else {
				found = filter.narrow(r.PublishedPortfolios(part.published(ctx))).
					Where(part.Bounded).Order(part.Sorted).Limit(part.Limit)
				found.Modify(part.idsFirst(filter.words != ""))
			}
			return found.Collect(part.Columns).
				Modify(SelectCommentCount(record.Portfolio, part.Columns), selectVersion(t.ID)).
				All(InTenant(ctx, t.ID))
		},
		version:  func(p *ent.Portfolio) int64 { return p.TenantVersion },
		tenant:   t.ID,
		Position: func(p *ent.Portfolio) Position { return Position{Time: p.PublishedAt, ID: p.ID} },
		Total:    total,
	}
}
