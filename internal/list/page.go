package list

import (
	"context"
	"sync"

	"storefront/internal/catalog/selection"
)

// A list field of the schema has two forms: pages by number (Page) and a connection with cursors
// (Connection). Both show the same list, so that filter, order and count are written once.

// List is a list of records that can be shown in either form.
type List[T any] struct {
	Order    Order
	Read     func(ctx context.Context, part Span) ([]T, error) // the records of part, in its order
	Position func(T) Position                                  // of a record in the order
	Total    func(context.Context) (int, error)

	// Known returns the total if it is known without counting; nil: it never is.
	Known func(context.Context) (int, bool)
	// Noted is called with the records of each span that is read for the answer; it may be nil.
	Noted func(context.Context, []T)
}

// show reads a span of the list for the answer.
func (l List[T]) show(ctx context.Context, part Span) ([]T, error) {
	records, err := l.Read(ctx, part)
	if err == nil && l.Noted != nil {
		l.Noted(ctx, records)
	}
	return records, err
}

// MaxSize is the greatest size of a page; a larger one is read as this.
const MaxSize = 100

// Page is one page of a list. Items and total are read when fields ask for them.
type Page[T any] struct {
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

// NewPage returns the page of a list by its number, beginning at 1, and size, at most MaxSize.
func NewPage[T any](l List[T], number, size int) *Page[T] {
	return &Page[T]{number: number, size: min(size, MaxSize), list: l}
}

// FreshPage is NewPage for a list that is written while it is read, for the field that is being resolved: the total
// agrees with the items nevertheless.
func FreshPage[T any](ctx context.Context, l List[T], number, size int) *Page[T] {
	p := NewPage(l, number, size)
	if asked := selection.Of(ctx); asked.Has("items") && asked.Has("total") {
		p.together = &together[T]{columns: asked.At("items")}
	}
	return p
}

// Items reads the page. For a page after the first it counts the list first: a page past the end is not read,
// because that would read all records before it. A list that is known to be empty is not read either, because
// that would read all records that its filter excludes.
func (p *Page[T]) Items(ctx context.Context) ([]T, error) {
	if p.together != nil {
		p.together.once.Do(func() { p.readTogether(ctx) })
		return p.together.items, p.together.err
	}
	total, known := 0, false
	if p.list.Known != nil {
		total, known = p.list.Known(ctx)
	}
	if !known && p.number > 1 {
		var err error
		if total, err = p.list.Total(ctx); err != nil {
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
func (p *Page[T]) Total(ctx context.Context) (int, error) {
	if p.together != nil {
		p.together.once.Do(func() { p.readTogether(ctx) })
		return p.together.total, p.together.err
	}
	return p.list.Total(ctx)
}

func (p *Page[T]) span(columns *selection.Set) Span {
	return Span{Order: p.list.Order, Offset: (p.number - 1) * p.size, Limit: p.size, Columns: columns}
}

// readTogether reads the items and counts the list. Where the two are of different moments, the items decide: a page
// that is not full is the last one.
func (p *Page[T]) readTogether(ctx context.Context) {
	t, before := p.together, (p.number-1)*p.size
	t.items = []T{}
	if p.number > 1 {
		if t.total, t.err = p.list.Total(ctx); t.err != nil || t.total <= before {
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
		t.total, t.err = p.list.Total(ctx)
		fallthrough
	default:
		t.total = max(t.total, n)
	}
}

// Number returns the number of the page, from 1.
func (p *Page[T]) Number() int { return p.number }

// PageSize returns the most items that the page may have.
func (p *Page[T]) PageSize() int { return p.size }
