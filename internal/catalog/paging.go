package catalog

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"storefront/internal/catalog/selection"
)

// A list field of the schema has two forms: pages by number (ListPage) and a connection with cursors
// (Connection). Both show the same list, so that filter, order and count are written once.

// List is a list of records that can be shown in either form.
type List[T any] struct {
	Order    SortOrder
	Read     func(ctx context.Context, part Span) ([]T, error) // the records of part, in its order
	Position func(T) Position                                  // of a record in the order
	Total    counter

	// version returns the tenant's content version as seen by the statement that read a record. It is nil if
	// the list has no content version.
	version func(T) int64
	tenant  uuid.UUID
}

// show reads a span of the list for the answer, and notes its content version.
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
	known(context.Context) (int, bool) // the number if it is known without counting
}

// MaxPageSize is the greatest size of a page; a larger one is read as this.
const MaxPageSize = 100

// ListPage is one page of a list. Items and total are read when fields ask for them.
type ListPage[T any] struct {
	number, size int
	list         List[T]

	together *together[T] // set if both are read when a field asks for one of them
}

// together is the outcome of reading the items of a page and their total.
type together[T any] struct {
	once    sync.Once
	columns *selection.Set // of the items
	items   []T
	total   int
	err     error
}

// PageOf returns the page of a list by its number, beginning at 1, and size, at most MaxPageSize.
func PageOf[T any](l List[T], number, size int) ListPage[T] {
	return ListPage[T]{number: number, size: min(size, MaxPageSize), list: l}
}

// FreshPage is PageOf for a list without a content version, for the field that is being resolved: the total agrees with
// the items, whatever is written while they are read.
func FreshPage[T any](ctx context.Context, l List[T], number, size int) *ListPage[T] {
	p := PageOf(l, number, size)
	if asked := selection.Of(ctx); asked.Has("items") && asked.Has("total") {
		p.together = &together[T]{columns: asked.At("items")}
	}
	return &p
}

// Items reads the page. For a page after the first it counts the list first: a page past the end is not read,
// because that would read all records before it. A list that is known to be empty is not read either, because
// that would read all records that its filter excludes.
func (p *ListPage[T]) Items(ctx context.Context) ([]T, error) {
	if p.together != nil {
		p.together.once.Do(func() { p.readTogether(ctx) })
		return p.together.items, p.together.err
	}
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
	return p.list.show(ctx, p.span(selection.Of(ctx)))
}

// Total counts the items of all pages.
func (p *ListPage[T]) Total(ctx context.Context) (int, error) {
	if p.together != nil {
		p.together.once.Do(func() { p.readTogether(ctx) })
		return p.together.total, p.together.err
	}
	return p.list.Total.count(ctx)
}

func (p *ListPage[T]) span(columns *selection.Set) Span {
	return Span{SortOrder: p.list.Order, Offset: (p.number - 1) * p.size, Limit: p.size, Columns: columns}
}

// readTogether reads the items and counts the list. Where the two are of different moments, the items decide: a page
// that is not full is the last one.
func (p *ListPage[T]) readTogether(ctx context.Context) {
	t, before := p.together, (p.number-1)*p.size
	t.items = []T{}
	if p.number > 1 {
		if t.total, t.err = p.list.Total.count(ctx); t.err != nil || t.total <= before {
			return
		}
	}
	if t.items, t.err = p.list.Read(ctx, p.span(t.columns)); t.err != nil {
		return
	}
	switch n := before + len(t.items); {
	case len(t.items) == 0:
		t.total = min(t.total, before)
	case len(t.items) < p.size:
		t.total = n
	case p.number == 1:
		t.total, t.err = p.list.Total.count(ctx)
		fallthrough
	default:
		t.total = max(t.total, n)
	}
}

// Page returns the page's number, counted from 1.
func (p *ListPage[T]) Page() int { return p.number }

// PageSize returns the most items that the page may have.
func (p *ListPage[T]) PageSize() int { return p.size }

// publicTotal counts a list of public content, once for each content version of its tenant.
type publicTotal struct {
	r       *Catalog
	subject subject
	size    func(context.Context) (int, error)
}

func (t publicTotal) count(ctx context.Context) (int, error) {
	ScopeOf(ctx).showsCount(t.subject.tenant)
	return publicCount(ctx, t.r, t.subject, t.size)
}

func (t publicTotal) known(ctx context.Context) (int, bool) {
	return cachedCount[int](ctx, t.r, t.subject)
}

// FreshTotal counts a list without a content version, such as a customer's own records.
type FreshTotal func(context.Context) (int, error)

func (t FreshTotal) count(ctx context.Context) (int, error) { return t(ctx) }

func (FreshTotal) known(context.Context) (int, bool) { return 0, false }
