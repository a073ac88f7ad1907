package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/selection"
)

// maxPageSize is the most items a page has; more is read as this.
const maxPageSize = 100

// page is one page of a list, not read yet: items and total are each read when they are asked for, at the same time.
type page[T any] struct {
	number, size int
	list         list[T]
	tally        counter
}

// counter tells how many items all pages have.
type counter interface {
	total(context.Context) (int, error)
	kept(context.Context) (int, bool) // the total where it is known without counting
}

// The pages of the lists.
type (
	ProductPage struct {
		page[*ent.Product]
		Facets *ProductFacets
	}
	VariantPage struct {
		page[*ent.Variant]
		Facets *VariantFacets
	}
	UserProductPage struct{ page[*ent.UserProduct] }
	BlogPage        struct{ page[*ent.Blog] }
	PortfolioPage   struct{ page[*ent.Portfolio] }
	OrderPage       struct{ page[*ent.Order] }
	FavoritePage    struct{ page[*ent.Favorite] }
)

// pageOf is a page of a list; more than a page may have is read as that.
func pageOf[T any](l list[T], t counter, number, size int) page[T] {
	return page[T]{number, min(size, maxPageSize), l, t}
}

// Items reads the page. One past the end is empty, and costs no walk over what stands before it; nor does a list that is
// known to be empty cost a walk over all that its filter leaves out.
func (p *page[T]) Items(ctx context.Context) ([]T, error) {
	total, known := p.tally.kept(ctx)
	if !known && p.number > 1 {
		var err error
		if total, err = p.tally.total(ctx); err != nil {
			return nil, err
		}
		known = true
	}
	if known && p.number > (total+p.size-1)/p.size {
		return []T{}, nil
	}
	return p.list.read(ctx, stretch{order: p.list.order, offset: (p.number - 1) * p.size, limit: p.size, columns: selection.Of(ctx)})
}

// Total counts the items of all pages.
func (p *page[T]) Total(ctx context.Context) (int, error) { return p.tally.total(ctx) }

// Page is the page's number, counted from 1.
func (p *page[T]) Page() int { return p.number }

// PageSize is the most items a page has.
func (p *page[T]) PageSize() int { return p.size }

// tally counts a list, once for each content version of its tenant.
type tally struct {
	*Resolver
	tenant    uuid.UUID
	filter    any // a comparable value that no other list shares
	size      func(context.Context) (int, error)
	scheduled func(context.Context) (time.Time, error) // when the next record of the list's kind becomes public
}

// total is how many records the list has.
func (t tally) total(ctx context.Context) (int, error) {
	return count(in(ctx, t.tenant), t.Resolver, t.tenant, t.filter, func(ctx context.Context) (int, time.Time, error) {
		until, err := t.scheduled(ctx)
		if err != nil {
			return 0, time.Time{}, err
		}
		n, err := t.size(ctx)
		return n, until, err
	})
}

// kept is the total where it has been counted already.
func (t tally) kept(ctx context.Context) (int, bool) {
	return kept[int](ctx, t.Resolver, t.tenant, t.filter)
}

// fresh counts what no version stands for, such as a customer's own records.
type fresh func(context.Context) (int, error)

func (f fresh) total(ctx context.Context) (int, error) { return f(ctx) }

func (fresh) kept(context.Context) (int, bool) { return 0, false }
