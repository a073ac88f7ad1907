package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/selection"
)

// A list field of the schema comes in two shapes: pages by number (ListPage) and a connection that is
// walked by cursors (Connection). Both show the same list, so that a filter, an order and a count are
// written once.

// list is a list of records that is shown in either shape.
type list[T any] struct {
	order order
	read  func(ctx context.Context, part stretch) ([]T, error) // the records of part, in its order
	place func(T) place                                        // where a record stands in the order
	total counter

	// version gives the content version of the tenant that the statement saw which read a record; nil where the
	// list has no content version.
	version func(T) int64
	tenant  uuid.UUID
}

// show reads a stretch of the list that the answer shows.
func (l list[T]) show(ctx context.Context, part stretch) ([]T, error) {
	found, err := l.read(ctx, part)
	switch {
	case err != nil || l.version == nil:
	case len(found) == 0:
		scopeOf(ctx).isUnsure(l.tenant)
	default:
		scopeOf(ctx).saw(l.tenant, l.version(found[0]))
	}
	return found, err
}

// counter counts the records of a list.
type counter interface {
	count(context.Context) (int, error)
	known(context.Context) (int, bool) // the number where it is known without counting
}

// maxPageSize is the most items a page has; a larger size is read as this.
const maxPageSize = 100

// ListPage is one page of a list. Nothing is read before a field asks for it: items and total are read at
// the same time.
type ListPage[T any] struct {
	number, size int
	list         list[T]
}

// The pages of the schema.
type (
	ProductPage struct {
		ListPage[*ent.Product]
		Facets *ProductFacets
	}
	VariantPage struct {
		ListPage[*ent.Variant]
		Facets *VariantFacets
	}
	UserProductPage = ListPage[*ent.UserProduct]
	BlogPage        = ListPage[*ent.Blog]
	PortfolioPage   = ListPage[*ent.Portfolio]
	OrderPage       = ListPage[*ent.Order]
	FavoritePage    = ListPage[*ent.Favorite]
)

func pageOf[T any](l list[T], number, size int) ListPage[T] {
	return ListPage[T]{number: number, size: min(size, maxPageSize), list: l}
}

// Items reads the page. A page past the end is empty without a walk over all that stands before it, and so
// is a list that is known to be empty without a walk over all that its filter leaves out.
func (p *ListPage[T]) Items(ctx context.Context) ([]T, error) {
	total, known := p.list.total.known(ctx)
	if !known && p.number > 1 {
		var err error
		if total, err = p.list.total.count(ctx); err != nil {
			return nil, err
		}
		known = true
	}
	if known && p.number > (total+p.size-1)/p.size {
		return []T{}, nil
	}
	return p.list.show(ctx, stretch{
		order: p.list.order, offset: (p.number - 1) * p.size, limit: p.size, columns: selection.Of(ctx),
	})
}

// Total counts the items of all pages.
func (p *ListPage[T]) Total(ctx context.Context) (int, error) { return p.list.total.count(ctx) }

// Page is the page's number, counted from 1.
func (p *ListPage[T]) Page() int { return p.number }

// PageSize is the most items a page has.
func (p *ListPage[T]) PageSize() int { return p.size }

// publicTotal counts a list of public content, once for each content version of its tenant.
type publicTotal struct {
	r       *Catalog
	subject subject
	size    func(context.Context) (int, error)
}

func (t publicTotal) count(ctx context.Context) (int, error) {
	load := func(ctx context.Context) (int, time.Time, error) {
		until, err := t.r.nextChange(ctx, t.subject.tenant)
		if err != nil {
			return 0, time.Time{}, err
		}
		n, err := t.size(ctx)
		return n, until, err
	}
	scopeOf(ctx).showsCount(t.subject.tenant)
	return countOnce(inTenant(ctx, t.subject.tenant), t.r, t.subject, surely(t.r, t.subject.tenant, load))
}

func (t publicTotal) known(ctx context.Context) (int, bool) {
	return cachedCount[int](ctx, t.r, t.subject)
}

// freshTotal counts a list that has no content version, such as a customer's own records.
type freshTotal func(context.Context) (int, error)

func (t freshTotal) count(ctx context.Context) (int, error) { return t(ctx) }

func (freshTotal) known(context.Context) (int, bool) { return 0, false }
