package graph

import (
	"context"
	"slices"
	"sync"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/selection"
)

// Connection is a stretch of a list after the GraphQL Cursor Connections specification. Nothing is read
// before a field asks for it: the records, their number, and whether more stand before or after them.
type Connection[T any] struct {
	list    list[T]
	part    stretch
	size    int
	once    sync.Once
	records []T
	more    bool // whether records stand beyond the size, in the direction of reading
	err     error
}

// The connections of the schema, and their edges.
type (
	ProductConnection struct {
		*Connection[*ent.Product]
		Facets *ProductFacets
	}
	VariantConnection struct {
		*Connection[*ent.Variant]
		Facets *VariantFacets
	}
	UserProductConnection = Connection[*ent.UserProduct]
	BlogConnection        = Connection[*ent.Blog]
	PortfolioConnection   = Connection[*ent.Portfolio]
	CommentConnection     = Connection[*ent.Comment]
	OrderConnection       = Connection[*ent.Order]

	// of staff
	ShopOrderConnection         = Connection[*ShopOrder]
	ShopCustomerConnection      = Connection[*ent.User]
	ExpertReviewConnection      = Connection[*ent.ExpertReview]
	ContactSubmissionConnection = Connection[*ent.ContactSubmission]
	WebhookDeliveryConnection   = Connection[*ent.WebhookDelivery]
	AuditEntryConnection        = Connection[*ent.AuditEntry]
	StaffRecordConnection       = Connection[*StaffRecord]
	StaffVariantConnection      = Connection[*StaffVariant]

	ProductEdge     = Edge[*ent.Product]
	VariantEdge     = Edge[*ent.Variant]
	UserProductEdge = Edge[*ent.UserProduct]
	BlogEdge        = Edge[*ent.Blog]
	PortfolioEdge   = Edge[*ent.Portfolio]
	CommentEdge     = Edge[*ent.Comment]
	OrderEdge       = Edge[*ent.Order]

	ShopOrderEdge         = Edge[*ShopOrder]
	ShopCustomerEdge      = Edge[*ent.User]
	ExpertReviewEdge      = Edge[*ent.ExpertReview]
	ContactSubmissionEdge = Edge[*ent.ContactSubmission]
	WebhookDeliveryEdge   = Edge[*ent.WebhookDelivery]
	AuditEntryEdge        = Edge[*ent.AuditEntry]
	StaffRecordEdge       = Edge[*StaffRecord]
	StaffVariantEdge      = Edge[*StaffVariant]
)

// Edge is a record with its place.
type Edge[T any] struct {
	Node   T
	Cursor string
}

// The sizes of a connection that is not asked for a size, as those of pages are in schema.graphql.
const (
	defaultSize      = 12
	defaultSizeLarge = 20 // of store items, comments, orders and the lists of staff
)

// window is what a connection is asked for, as its arguments are.
type window struct {
	first, last   *int
	after, before *string
}

// walk opens a window on a list. size is what holds where neither first nor last is given.
func walk[T any](ctx context.Context, l list[T], w window, size int) (*Connection[T], error) {
	part, size, err := w.part(l.order, size)
	if err != nil {
		return nil, err
	}
	part.columns = columnsOfNodes(selection.Of(ctx), l.order)
	return &Connection[T]{list: l, part: part, size: size}, nil
}

// columnsOfNodes is what is read of each record of a connection: what its nodes are asked for, and its place.
func columnsOfNodes(asked *selection.Set, o order) *selection.Set {
	place := []string{"id", o.time}
	if o.key != "" {
		place = append(place, o.key)
	}
	return asked.At("nodes").Merge(asked.At("edges", "node")).And(place...)
}

// part gives the stretch of a window, with one record more than its size to know whether any follow.
func (w window) part(o order, size int) (stretch, int, error) {
	var bad fault.Fields
	part := stretch{order: o}
	for _, end := range []struct {
		name  string
		given *string
		bound **bound
	}{
		{name: "after", given: w.after, bound: &part.after},
		{name: "before", given: w.before, bound: &part.before},
	} {
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

// Nodes are the records. The stretch is read once for all fields that show it.
func (c *Connection[T]) Nodes(ctx context.Context) ([]T, error) {
	c.once.Do(func() {
		c.records, c.err = c.list.show(ctx, c.part)
		if c.more = len(c.records) > c.size; c.more {
			c.records = c.records[:c.size]
		}
		if c.part.backward {
			slices.Reverse(c.records)
		}
		rememberSiblings(ctx, c.records)
	})
	return c.records, c.err
}

// Edges are the records with their places.
func (c *Connection[T]) Edges(ctx context.Context) ([]Edge[T], error) {
	records, err := c.Nodes(ctx)
	edges := make([]Edge[T], len(records))
	for i, r := range records {
		edges[i] = Edge[T]{Node: r, Cursor: c.list.order.cursor(c.list.place(r))}
	}
	return edges, err
}

// TotalCount counts the whole list.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) { return c.list.total.count(ctx) }

// PageInfo says where the stretch stands in its list.
func (c *Connection[T]) PageInfo() PageInfo { return PageInfo{of: c} }

// PageInfo says where the stretch of a connection stands in its list.
type PageInfo struct{ of ends }

// ends is a connection of any type of records, as PageInfo sees it.
type ends interface {
	hasNext(ctx context.Context) (bool, error)
	hasPrevious(ctx context.Context) (bool, error)
	endCursor(ctx context.Context, last bool) (*string, error)
}

// HasNextPage reports whether records follow.
func (p PageInfo) HasNextPage(ctx context.Context) (bool, error) { return p.of.hasNext(ctx) }

// HasPreviousPage reports whether records stand before.
func (p PageInfo) HasPreviousPage(ctx context.Context) (bool, error) { return p.of.hasPrevious(ctx) }

// StartCursor is the place of the first record.
func (p PageInfo) StartCursor(ctx context.Context) (*string, error) {
	return p.of.endCursor(ctx, false)
}

// EndCursor is the place of the last record.
func (p PageInfo) EndCursor(ctx context.Context) (*string, error) { return p.of.endCursor(ctx, true) }

func (c *Connection[T]) endCursor(ctx context.Context, last bool) (*string, error) {
	records, err := c.Nodes(ctx)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	r := records[0]
	if last {
		r = records[len(records)-1]
	}
	text := c.list.order.cursor(c.list.place(r))
	return &text, nil
}

// hasNext reports whether records follow: those beyond the size, else those from the place on that the
// stretch ends at.
func (c *Connection[T]) hasNext(ctx context.Context) (bool, error) {
	if _, err := c.Nodes(ctx); err != nil || c.more && !c.part.backward {
		return true, err
	}
	return c.holdsOutside(ctx, stretch{after: c.part.before})
}

func (c *Connection[T]) hasPrevious(ctx context.Context) (bool, error) {
	if _, err := c.Nodes(ctx); err != nil || c.more && c.part.backward {
		return true, err
	}
	return c.holdsOutside(ctx, stretch{before: c.part.after, backward: true})
}

// holdsOutside reports whether the list holds a record at a bound of the window or outside of it. Without a
// bound nothing is outside.
func (c *Connection[T]) holdsOutside(ctx context.Context, part stretch) (bool, error) {
	end := part.after
	if part.backward {
		end = part.before
	}
	if end == nil {
		return false, nil
	}
	atBound := &bound{place: end.place, inclusive: true}
	part = stretch{order: c.list.order, backward: part.backward, limit: 1, columns: selection.Path("id")}
	if part.backward {
		part.before = atBound
	} else {
		part.after = atBound
	}
	found, err := c.list.show(ctx, part)
	return len(found) > 0, err
}
