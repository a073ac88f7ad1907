package catalog

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
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
// was read with a record, position its position in the order.
func publicList[T, Selected any, Q publicQuery[T, Selected]](
	r *Catalog, filter Filter, public func(context.Context) Q, collect func(context.Context, Q, *selection.Set),
	version func(T) int64, position func(T) list.Position,
) list.List[T] {
	counted := subject{tenant: filter.tenant, what: filter.list.name + ".total", filter: filter.unsorted()}
	total := func(ctx context.Context) (int, error) {
		ScopeOf(ctx).note(filter.tenant, (*reads).isCounted)
		return Counted(ctx, r, counted.tenant, counted.what, counted.filter, func(ctx context.Context) (int, error) {
			f := filter
			if f.joinsFound = false; f.listedAlone() {
				return r.countAlone(ctx, f)
			}
			all := public(ctx)
			all.Modify(f.Narrow(request.Of(ctx).Now))
			return all.Count(ctx)
		})
	}
	return list.List[T]{
		Order: filter.newestFirst(),
		Read: func(ctx context.Context, part list.Span) ([]T, error) {
			f, err := filter.read(ctx, part, total)
			if err != nil {
				return nil, err
			}
			until := published(ctx, part)
			found := public(until)
			if part.Key == "" && f.listedAlone() {
				found = public(ctx)
				found.Modify(f.newest(part, request.Of(until).Now), part.OfRecords().Sorted)
			} else {
				found.Modify(f.Narrow(request.Of(ctx).Now), part.Bounded, part.Sorted, f.limit(part))
			}
			collect(ctx, found, part.Columns)
			found.Modify(selectVersion(f.tenant))
			return found.All(tenancy.In(ctx, f.tenant))
		},
		Noted: func(ctx context.Context, records []T) {
			if len(records) == 0 {
				ScopeOf(ctx).note(filter.tenant, func(r *reads) { r.unsure = true })
			} else {
				ScopeOf(ctx).saw(filter.tenant, version(records[0]))
			}
		},
		Position: position,
		Total:    total,
		Known:    func(ctx context.Context) (int, bool) { return cachedCount[int](ctx, r, counted) },
	}
}

func (f Filter) limit(part list.Span) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Limit(part.Limit)
		if !f.joinsFound {
			part.IDsFirst(f.words != "")(s)
		} else if part.Offset > 0 {
			s.Offset(part.Offset)
		}
	}
}

// manyListed is the size from which a list is read along the index of its order and each record checked, because the
// next match comes soon. Of a smaller list all records are found, and then sorted.
const manyListed = 1000

// read returns the filter with the way in which a span of its list is read.
func (f Filter) read(ctx context.Context, part list.Span, total func(context.Context) (int, error)) (Filter, error) {
	byKey, byChoice := part.Key != "" && len(f.facets()) > 0, f.hasChoice()
	if part.Computed == nil && (byKey || byChoice) { // no index has the order of a computed key
		n, err := total(ctx)
		if err != nil {
			return f, err
		}
		f.bySortIndex, f.inListOrder = byKey && n >= manyListed, byChoice && n >= manyListed
	}
	if f.onlySearches() {
		f.indexed = f.indexed && (f.phrase != "" || f.held.fewer(part.Offset+part.Limit))
	}
	return f, nil
}

// published returns a context with a request time that is not later than the position after which a span by time
// begins, as nothing in it is later. With two bounds on one column SQLite would seek to the later one.
func published(ctx context.Context, part list.Span) context.Context {
	if part.Key == "" && part.After != nil && part.After.Time.Before(request.Of(ctx).Now) {
		return request.With(ctx, func(r *request.Request) { r.Now = part.After.Time })
	}
	return ctx
}

// sortKey is a column that a list can be sorted by, and its value in a record.
type sortKey[T any] struct {
	column string
	text   bool // sorted from the smallest
	value  func(T) any
}

// sortBy returns the list of a filter that is newest first in the requested order. keys has no key for newest first.
func sortBy[T any, S ~string](newest list.List[T], f Filter, sort S, keys map[S]sortKey[T]) list.List[T] {
	key, given := keys[sort]
	if !given {
		return newest
	}
	sorted := newest
	sorted.Order = list.Order{
		Name: f.list.name + "." + string(sort), Key: key.column, Texts: key.text, Ascending: key.text,
		Time: newest.Order.Time,
	}
	sorted.Position = func(record T) list.Position {
		p := newest.Position(record)
		p.Key = key.value(record)
		return p
	}
	return sorted
}
