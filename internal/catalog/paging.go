package catalog

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/internal/selection"
)

// A list field of the schema comes in two shapes: pages by number (ListPage) and a connection that is
// walked by cursors (Connection). Both show the same list, so that a filter, an order and a count are
// written once.

// List is a list of records that is shown in either shape.
type List[T any] struct {
	Order SortOrder
	Read  func(ctx context.Context, part Span) ([]T, error) // the records of part, in its order
	Place func(T) Place                                     // where a record stands in the order
	Total counter

	// version gives the content version of the tenant that the statement saw which read a record; nil where the
	// list has no content version.
	version func(T) int64
	tenant  uuid.UUID
}

// show reads a span of the list that the answer shows.
func (l List[T]) show(ctx context.Context, part Span) ([]T, error) {
	found, err := l.Read(ctx, part)
	switch {
	case err != nil || l.version == nil:
	case len(found) == 0:
		ScopeOf(ctx).isUnsure(l.tenant)
	default:
		ScopeOf(ctx).saw(l.tenant, l.version(found[0]))
	}
	return found, err
}

// counter counts the records of a list.
type counter interface {
	count(context.Context) (int, error)
	known(context.Context) (int, bool) // the number where it is known without counting
}

// MaxPageSize is the most items a page has; a larger size is read as this.
const MaxPageSize = 100

// ListPage is one page of a list. Nothing is read before a field asks for it: items and total are read at
// the same time.
type ListPage[T any] struct {
	number, size int
	list         List[T]
}

// PageOf is the page of a list by its number, beginning at 1, and size, at most MaxPageSize.
func PageOf[T any](l List[T], number, size int) ListPage[T] {
	return ListPage[T]{number: number, size: min(size, MaxPageSize), list: l}
}

// Items reads the page. A page past the end is empty without a walk over all that stands before it, and so
// is a list that is known to be empty without a walk over all that its filter leaves out.
func (p *ListPage[T]) Items(ctx context.Context) ([]T, error) {
	total, known := p.list.Total.known(ctx)
	if !known && p.number > 1 {
		var err error
		if total, err = p.list.Total.count(ctx); err != nil {
			return nil, err
		}
		known = true
	}
	if known && p.number > (total+p.size-1)/p.size {
		return []T{}, nil
	}
	return p.list.show(ctx, Span{
		SortOrder: p.list.Order, Offset: (p.number - 1) * p.size, Limit: p.size, Columns: selection.Of(ctx),
	})
}

// Total counts the items of all pages.
func (p *ListPage[T]) Total(ctx context.Context) (int, error) { return p.list.Total.count(ctx) }

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
	ScopeOf(ctx).showsCount(t.subject.tenant)
	return countOnce(InTenant(ctx, t.subject.tenant), t.r, t.subject, surely(t.r, t.subject.tenant, load))
}

func (t publicTotal) known(ctx context.Context) (int, bool) {
	return cachedCount[int](ctx, t.r, t.subject)
}

// FreshTotal counts a list that has no content version, such as a customer's own records.
type FreshTotal func(context.Context) (int, error)

func (t FreshTotal) count(ctx context.Context) (int, error) { return t(ctx) }

func (FreshTotal) known(context.Context) (int, bool) { return 0, false }
