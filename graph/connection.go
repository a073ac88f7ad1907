package graph

import (
	"context"
	"slices"
	"sync"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/selection"
)

// list is a list that is read page by page or walked by cursors.
type list[T any] struct {
	order order
	read  func(ctx context.Context, part stretch) ([]T, error) // in the order of the stretch
	place func(T) place
}

// window is what a connection is asked for, as its arguments are.
type window struct {
	first, last   *int
	after, before *string
}

// connection is a stretch of a list after the GraphQL Cursor Connections specification. It is not read yet: its records,
// their number, and whether more stand around them are each read when they are asked for.
type connection[T any] struct {
	order  order
	place  func(T) place
	part   stretch
	size   int
	read   func(ctx context.Context, part stretch) ([]T, error)
	total  func(ctx context.Context) (int, error)
	once   sync.Once
	loaded loaded[T]
}

// The connections of the schema, and their edges.
type (
	ProductConnection struct {
		*connection[*ent.Product]
		Facets *ProductFacets
	}
	ProductEdge       struct{ edge[*ent.Product] }
	VariantConnection struct {
		*connection[*ent.Variant]
		Facets *VariantFacets
	}
	VariantEdge           struct{ edge[*ent.Variant] }
	UserProductConnection struct{ *connection[*ent.UserProduct] }
	UserProductEdge       struct{ edge[*ent.UserProduct] }
	BlogConnection        struct{ *connection[*ent.Blog] }
	BlogEdge              struct{ edge[*ent.Blog] }
	PortfolioConnection   struct{ *connection[*ent.Portfolio] }
	PortfolioEdge         struct{ edge[*ent.Portfolio] }
	CommentConnection     struct{ *connection[*ent.Comment] }
	CommentEdge           struct{ edge[*ent.Comment] }
	OrderConnection       struct{ *connection[*ent.Order] }
	OrderEdge             struct{ edge[*ent.Order] }
)

// What a list gives without being told how many, as its pages do in schema.graphql.
const (
	defaultSize  = 12
	defaultItems = 20 // store items, comments and orders
)

// loaded are the records of a connection in the order of its list.
type loaded[T any] struct {
	records []T
	more    bool // stand beyond the size, in the direction of reading
	err     error
}

// walk opens a window on a list. size is what neither first nor last says. total counts the whole list.
func walk[T any](ctx context.Context, l list[T], w window, size int, total func(context.Context) (int, error)) (*connection[T], error) {
	part, size, err := w.part(l.order, size)
	if err != nil {
		return nil, err
	}
	part.columns = walked(selection.Of(ctx), l.order)
	return &connection[T]{order: l.order, place: l.place, part: part, size: size, read: l.read, total: total}, nil
}

// walked is what is read of each record of a connection: what its nodes are asked for, and its place.
func walked(asked selection.Set, o order) selection.Set {
	columns := selection.Set{"id": nil, o.time: nil}
	if o.key != "" {
		columns[o.key] = nil
	}
	return columns.Merge(asked["nodes"]).Merge(asked["edges"]["node"])
}

// part gives the stretch of a window, of one record more than its size, by which it is known whether any follow.
func (w window) part(o order, size int) (stretch, int, error) {
	var bad fault.Fields
	part := stretch{order: o}
	for _, end := range []struct {
		name  string
		given *string
		bound **bound
	}{{"after", w.after, &part.after}, {"before", w.before, &part.before}} {
		if end.given == nil {
			continue
		}
		p, err := o.place(*end.given)
		if err != nil {
			bad.Add(end.name, "must be a cursor of this list in this order")
		}
		*end.bound = &bound{place: p}
	}
	switch {
	case w.first != nil && w.last != nil:
		bad.Add("last", "must not be given together with first")
	case w.first != nil:
		size = *w.first
	case w.last != nil:
		size, part.backward = *w.last, true
	}
	size = min(size, maxPageSize)
	part.limit = size + 1
	return part, size, bad.Err()
}

// records reads the stretch, once for all fields that show it.
func (c *connection[T]) records(ctx context.Context) ([]T, error) {
	c.once.Do(func() {
		found, err := c.read(ctx, c.part)
		c.loaded = loaded[T]{found, len(found) > c.size, err}
		if c.loaded.more {
			c.loaded.records = found[:c.size]
		}
		if c.part.backward {
			slices.Reverse(c.loaded.records)
		}
		together(ctx, c.loaded.records)
	})
	return c.loaded.records, c.loaded.err
}

// Nodes are the records.
func (c *connection[T]) Nodes(ctx context.Context) ([]T, error) { return c.records(ctx) }

// TotalCount counts the whole list.
func (c *connection[T]) TotalCount(ctx context.Context) (int, error) { return c.total(ctx) }

// PageInfo tells where the stretch stands.
func (c *connection[T]) PageInfo() PageInfo { return PageInfo{c} }

// edge is a record with its place.
type edge[T any] struct {
	Node   T
	Cursor string
}

// edges gives each record of a connection with its place, as the schema's type of edges.
func edges[T any, E ~struct{ edge[T] }](ctx context.Context, c *connection[T]) ([]E, error) {
	records, err := c.records(ctx)
	all := make([]E, len(records))
	for i, r := range records {
		all[i] = E{edge[T]{r, c.order.cursor(c.place(r))}}
	}
	return all, err
}

// Edges are the records with their places.
func (c *ProductConnection) Edges(ctx context.Context) ([]ProductEdge, error) {
	return edges[*ent.Product, ProductEdge](ctx, c.connection)
}

// Edges are the records with their places.
func (c *VariantConnection) Edges(ctx context.Context) ([]VariantEdge, error) {
	return edges[*ent.Variant, VariantEdge](ctx, c.connection)
}

// Edges are the records with their places.
func (c *UserProductConnection) Edges(ctx context.Context) ([]UserProductEdge, error) {
	return edges[*ent.UserProduct, UserProductEdge](ctx, c.connection)
}

// Edges are the records with their places.
func (c *BlogConnection) Edges(ctx context.Context) ([]BlogEdge, error) {
	return edges[*ent.Blog, BlogEdge](ctx, c.connection)
}

// Edges are the records with their places.
func (c *PortfolioConnection) Edges(ctx context.Context) ([]PortfolioEdge, error) {
	return edges[*ent.Portfolio, PortfolioEdge](ctx, c.connection)
}

// Edges are the records with their places.
func (c *CommentConnection) Edges(ctx context.Context) ([]CommentEdge, error) {
	return edges[*ent.Comment, CommentEdge](ctx, c.connection)
}

// Edges are the records with their places.
func (c *OrderConnection) Edges(ctx context.Context) ([]OrderEdge, error) {
	return edges[*ent.Order, OrderEdge](ctx, c.connection)
}

// PageInfo is where the stretch of a connection stands in its list.
type PageInfo struct{ of surrounded }

// surrounded is a connection of any records.
type surrounded interface {
	hasNext(ctx context.Context) (bool, error)
	hasPrevious(ctx context.Context) (bool, error)
	end(ctx context.Context, last bool) (*string, error)
}

// HasNextPage tells whether records follow.
func (p PageInfo) HasNextPage(ctx context.Context) (bool, error) { return p.of.hasNext(ctx) }

// HasPreviousPage tells whether records stand in front.
func (p PageInfo) HasPreviousPage(ctx context.Context) (bool, error) { return p.of.hasPrevious(ctx) }

// StartCursor is the place of the first record.
func (p PageInfo) StartCursor(ctx context.Context) (*string, error) { return p.of.end(ctx, false) }

// EndCursor is the place of the last record.
func (p PageInfo) EndCursor(ctx context.Context) (*string, error) { return p.of.end(ctx, true) }

func (c *connection[T]) end(ctx context.Context, last bool) (*string, error) {
	records, err := c.records(ctx)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	r := records[0]
	if last {
		r = records[len(records)-1]
	}
	text := c.order.cursor(c.place(r))
	return &text, nil
}

// hasNext tells whether records follow: those that were not read, else those from the place on that the stretch ends at.
func (c *connection[T]) hasNext(ctx context.Context) (bool, error) {
	if _, err := c.records(ctx); err != nil || c.loaded.more && !c.part.backward {
		return true, err
	}
	return c.beyond(ctx, stretch{after: c.part.before})
}

func (c *connection[T]) hasPrevious(ctx context.Context) (bool, error) {
	if _, err := c.records(ctx); err != nil || c.loaded.more && c.part.backward {
		return true, err
	}
	return c.beyond(ctx, stretch{before: c.part.after, backward: true})
}

// beyond tells whether any record stands at a bound of the window or outside of it. Nothing is outside where there is none.
func (c *connection[T]) beyond(ctx context.Context, part stretch) (bool, error) {
	outside := part.after
	if part.backward {
		outside = part.before
	}
	if outside == nil {
		return false, nil
	}
	reached := &bound{outside.place, true}
	part = stretch{order: c.order, backward: part.backward, limit: 1, columns: selection.Path("id")}
	if part.backward {
		part.before = reached
	} else {
		part.after = reached
	}
	found, err := c.read(ctx, part)
	return len(found) > 0, err
}
