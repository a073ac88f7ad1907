package catalog

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/catalog/selection"
	"storefront/internal/request"
)

// publicQuery is ent's query of the public records of a kind.
type publicQuery[T, Selected any] interface {
	Modify(...func(*sql.Selector)) Selected
	Count(context.Context) (int, error)
	All(context.Context) ([]T, error)
}

// publicList returns the list of the records that match a filter, newest first. public makes the query of all public
// records of the kind, and collect makes it read some columns. version returns the content version of its tenant that
// was read with a record, published its place in the order.
func publicList[T, Selected any, Q publicQuery[T, Selected]](
	r *Catalog, filter Filter, public func(context.Context) Q, collect func(context.Context, Q, *selection.Set),
	version func(T) int64, published func(T) Position,
) List[T] {
	totalOf := func(f Filter) publicTotal {
		return publicTotal{
			r: r, subject: subject{tenant: f.tenant, what: f.list.name + ".total", filter: f.unsorted()},
			size: func(ctx context.Context) (int, error) {
				if f.listedAlone() {
					return r.countAlone(ctx, f)
				}
				all := public(ctx)
				all.Modify(f.narrow(request.Of(ctx).Now))
				return all.Count(ctx)
			},
		}
	}
	total := totalOf(filter)
	return List[T]{
		Order: filter.newestFirst(),
		Read: func(ctx context.Context, part Span) ([]T, error) {
			f, err := filter.read(ctx, part, total)
			if err != nil {
				return nil, err
			}
			until := part.published(ctx)
			found := public(until)
			if part.Key == "" && f.listedAlone() {
				found = public(ctx)
				found.Modify(f.newest(part, request.Of(until).Now), part.ofRecords().Sorted)
			} else {
				found.Modify(f.narrow(request.Of(ctx).Now), part.Bounded, part.Sorted,
					func(s *sql.Selector) { s.Limit(part.Limit) },
					part.idsFirst(f.words != ""))
			}
			collect(ctx, found, part.Columns)
			found.Modify(selectVersion(f.tenant))
			return found.All(InTenant(ctx, f.tenant))
		},
		version:  version,
		tenant:   filter.tenant,
		Position: published,
		Total:    total,
	}
}

// read returns the filter with the way in which a span of its list is read.
func (f Filter) read(ctx context.Context, part Span, total counter) (_ Filter, err error) {
	f.joinsFound = part.foundPrice
	hasIndex := part.computed == nil // no index has the order of a computed key
	if hasIndex && part.Key != "" && len(f.facets()) > 0 {
		f.bySortIndex, err = isMany(ctx, total)
	}
	if err == nil && hasIndex && f.hasChoice() {
		f.inListOrder, err = isMany(ctx, total)
	}
	if f.onlySearches() {
		f.indexed = f.indexed && (part.rank != "" || f.held.fewer(part.Offset+part.Limit))
	}
	return f, err
}

// manyListed is the size from which a list is read along the index of its order and each record checked, because
// the next match comes soon. Of a smaller list all records are found, and then sorted.
const manyListed = 1000

// isMany reports whether a list has so many records that it should be read along the index of its order.
func isMany(ctx context.Context, total counter) (bool, error) {
	n, err := total.count(ctx)
	return n >= manyListed, err
}
