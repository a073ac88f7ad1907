package list

import (
	"context"
	"slices"
	"sync"

	"storefront/internal/catalog/selection"
	"storefront/internal/fault"
)

// Connection is a span of a list as in the GraphQL Cursor Connections specification. The records, their
// number, and whether there are more before or after them are read when a field asks for them.
type Connection[T any] struct {
	list    List[T]
	part    Span
	size    int
	once    sync.Once
	records []T
	more    bool // whether there are more records than the size, in the direction of reading
	err     error
}

// Edge is a record with its position in the list.
type Edge[T any] struct {
	Node   T
	Cursor string
}

// The default sizes of connections. Those of pages are in schema.graphql.
const (
	DefaultSize      = 12
	DefaultSizeLarge = 20 // of store items, comments, orders and the lists of staff
)

// Window holds the arguments of a connection.
type Window struct {
	First, Last   *int
	After, Before *string
}

// NewConnection returns the connection of a window of a list. size applies if neither first nor last is given.
func NewConnection[T any](ctx context.Context, l List[T], w Window, size int) (*Connection[T], error) {
	part, size, err := w.part(l.Order, size)
	if err != nil {
		return nil, err
	}
	part.Columns = columnsOfNodes(selection.Of(ctx), l.Order)
	return &Connection[T]{list: l, part: part, size: size}, nil
}

// columnsOfNodes returns the columns to read of each record of a connection: those its nodes ask for, and
// those of its position.
func columnsOfNodes(fields *selection.Set, o Order) *selection.Set {
	columns := []string{"id", o.Time}
	if o.Key != "" {
		columns = append(columns, o.Key)
	}
	return fields.At("nodes").Merge(fields.At("edges", "node")).And(columns...)
}

// part returns the span of a window, with one record more than its size to find out whether any follow.
func (w Window) part(o Order, size int) (Span, int, error) {
	var bad fault.Fields
	read := func(name string, cursor *string) *bound {
		if cursor == nil {
			return nil
		}
		p, err := o.position(*cursor)
		if err != nil {
			bad.Add(name, "must be a cursor of this list in this order")
		}
		return &bound{Position: p}
	}
	part := Span{Order: o, After: read("after", w.After), Before: read("before", w.Before)}
	switch {
	case w.First != nil && w.Last != nil:
		bad.Add("last", "must not be given together with %s", "first")
	case w.First != nil:
		size = *w.First
	case w.Last != nil:
		size, part.backward = *w.Last, true
	}
	size = min(size, MaxSize)
	part.Limit = size + 1
	return part, size, bad.Err()
}

// Nodes returns the records. The span is read once for all fields that show it.
func (c *Connection[T]) Nodes(ctx context.Context) ([]T, error) {
	c.once.Do(func() {
		c.records, c.err = c.list.show(ctx, c.part)
		if c.more = len(c.records) > c.size; c.more {
			c.records = c.records[:c.size]
		}
		if c.part.backward {
			slices.Reverse(c.records)
		}
		RememberSiblings(ctx, c.records)
	})
	return c.records, c.err
}

// Edges returns the records with their positions.
func (c *Connection[T]) Edges(ctx context.Context) ([]Edge[T], error) {
	records, err := c.Nodes(ctx)
	edges := make([]Edge[T], len(records))
	for i, r := range records {
		edges[i] = Edge[T]{Node: r, Cursor: c.list.Order.cursor(c.list.Position(r))}
	}
	return edges, err
}

// TotalCount counts the whole list.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) { return c.list.Total(ctx) }

// PageInfo returns the PageInfo of the connection.
func (c *Connection[T]) PageInfo() PageInfo { return PageInfo{c.hasNext, c.hasPrevious, c.endCursor} }

// PageInfo describes the position of a connection's span in its list.
type PageInfo struct {
	hasNext, hasPrevious func(context.Context) (bool, error)
	endCursor            func(ctx context.Context, last bool) (*string, error)
}

// HasNextPage reports whether records follow.
func (p PageInfo) HasNextPage(ctx context.Context) (bool, error) { return p.hasNext(ctx) }

// HasPreviousPage reports whether there are records before.
func (p PageInfo) HasPreviousPage(ctx context.Context) (bool, error) { return p.hasPrevious(ctx) }

// StartCursor returns the position of the first record.
func (p PageInfo) StartCursor(ctx context.Context) (*string, error) { return p.endCursor(ctx, false) }

// EndCursor returns the position of the last record.
func (p PageInfo) EndCursor(ctx context.Context) (*string, error) { return p.endCursor(ctx, true) }

func (c *Connection[T]) endCursor(ctx context.Context, last bool) (*string, error) {
	records, err := c.Nodes(ctx)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	r := records[0]
	if last {
		r = records[len(records)-1]
	}
	text := c.list.Order.cursor(c.list.Position(r))
	return &text, nil
}

// hasNext reports whether records follow: beyond the size, or else from the position at which the span ends.
func (c *Connection[T]) hasNext(ctx context.Context) (bool, error) {
	if _, err := c.Nodes(ctx); err != nil || c.more && !c.part.backward {
		return true, err
	}
	return c.holdsOutside(ctx, c.part.Before, false)
}

func (c *Connection[T]) hasPrevious(ctx context.Context) (bool, error) {
	if _, err := c.Nodes(ctx); err != nil || c.more && c.part.backward {
		return true, err
	}
	return c.holdsOutside(ctx, c.part.After, true)
}

// holdsOutside reports whether the list has a record at a bound of the window or outside of it; it has none without a
// bound.
func (c *Connection[T]) holdsOutside(ctx context.Context, end *bound, before bool) (bool, error) {
	if end == nil {
		return false, nil
	}
	part := Span{Order: c.list.Order, backward: before, Limit: 1, Columns: selection.Path("id")}
	if at := (&bound{end.Position, true}); before {
		part.Before = at
	} else {
		part.After = at
	}
	found, err := c.list.show(ctx, part)
	return len(found) > 0, err
}
