package catalog

import (
	"cmp"
	"context"
	"math/bits"
	"strconv"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/variant"
	"storefront/internal/catalog/selection"
	"storefront/internal/request"
)

// SortOrder is the total order of a list: by a sort key if it has one, then by time, the latest first, then
// by id, the greatest first. With oldest, and without a key, time and id are ascending. Sort keys are never
// null, so that a position in the order can be compared with a row.
type SortOrder struct {
	Name      string       // the list and its order, as in cursors, such as "products.price_asc"
	Key       string       // column of the sort key; empty if the list is ordered by time
	Ascending bool         // whether the smallest key comes first
	Time      string       // column of the time
	ID        string       // column of the id; empty: "id"
	oldest    bool         // whether the earliest comes first, and the smallest id
	rank      searchPhrase // the search for which the key is computed; empty: none

	// computed writes the SQL expression of the sort key; nil: the key is the column Key.
	computed func(*sql.Builder, *sql.Selector)

	// foundPrice reports that key, time and id are columns of foundTable.
	foundPrice bool

	// indexColumns returns the columns of time and id in the index that narrows the list, if that has them.
	// It is nil if they are the list's own.
	indexColumns func() (time, id string)
	split        bool // whether time and id are columns of two tables, so that no index has both
}

// Position is the position of a record in an order.
type Position struct {
	key  any // int64, or []byte of a title; nil if the order has no key
	Time time.Time
	ID   uuid.UUID
}

// Span is the part of a list to read: the records after one position and before another, from the beginning or
// from the end.
type Span struct {
	SortOrder
	after, before *bound
	backward      bool // whether it is read from the end
	Offset, Limit int
	Columns       *selection.Set // the columns to read of each record
}

// bound is an end of a span.
type bound struct {
	Position
	inclusive bool
}

// sortKey is a column that a list can be sorted by, and its value in a record.
type sortKey[T any] struct {
	column    string
	ascending bool
	value     func(T) any
}

// sortBy returns the list of a filter that is newest first in the requested order. keys has no key for newest first.
func sortBy[T any, S ~string](newest List[T], f Filter, asked S, keys map[S]sortKey[T]) List[T] {
	key, given := keys[asked]
	if !given {
		return newest
	}
	sorted := newest
	sorted.Order = SortOrder{
		Name: f.list.name + "." + string(asked), Key: key.column, Ascending: key.ascending, Time: newest.Order.Time,
	}
	sorted.Position = func(record T) Position {
		p := newest.Position(record)
		p.key = key.value(record)
		return p
	}
	return sorted
}

// columnsIn returns the columns of an order in a statement.
func (o SortOrder) columnsIn(s *sql.Selector) (key, time, id string) {
	if o.foundPrice {
		return inFound(o.Key), inFound(variant.FieldListedAt), inFound(variant.FieldProductID)
	}
	time, id = s.C(o.Time), s.C(cmp.Or(o.ID, "id"))
	if o.indexColumns != nil {
		time, id = o.indexColumns()
	}
	if o.Key != "" {
		key = s.C(o.Key)
	}
	return key, time, id
}

// Sorted sorts the records of the span, in reverse if it is read from the end.
func (p Span) Sorted(s *sql.Selector) {
	key, time, id := p.columnsIn(s)
	descending, ascending := sql.Desc, sql.Asc
	if p.backward {
		descending, ascending = sql.Asc, sql.Desc
	}
	switch {
	case key == "":
	case p.computed != nil:
		s.OrderExpr(sql.ExprFunc(func(b *sql.Builder) {
			p.computed(b, s)
			if !p.backward {
				b.WriteString(" DESC")
			}
		}))
	case p.Ascending:
		s.OrderBy(ascending(key))
	default:
		s.OrderBy(descending(key))
	}
	if p.oldest {
		descending = ascending
	}
	s.OrderBy(descending(time), descending(id))
}

// idsFirst makes a statement find the ids of the span before it reads records. Otherwise it would also read
// the joined and computed columns of the records that the offset skips. Collect sets the columns to read
// afterwards.
func (p Span) idsFirst(byWords bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if p.Offset == 0 {
			return
		}
		if p.foundPrice {
			s.Offset(p.Offset)
			return
		}
		ids, records := *s, sql.Dialect(s.Dialect())
		all := records.Select().From(records.Table(s.TableName())).WithContext(s.Context())
		all.Where(p.holds(all.C("id"), &ids, s.C("id"), byWords))
		p.ofRecords().Sorted(all)
		*s = *all
	}
}

// holds returns the predicate that a column has one of the ids of the span. list selects the list, with the
// ids in column id.
//
// PostgreSQL plans a statement once for all pages if the offset is an argument, and for each page if it is a
// literal. A search that may use the index of words has a literal: the best plan depends on how many records
// match, which PostgreSQL considers only if it plans each page.
func (p Span) holds(column string, list *sql.Selector, id string, byWords bool) *sql.Predicate {
	return sql.P(func(b *sql.Builder) {
		page := list.Select().AppendSelectAs(id, "id")
		if b.Dialect() == dialect.Postgres && !byWords {
			page = sql.Dialect(b.Dialect()).Select("id").From(page.Limit(p.reach()).As("reached"))
		}
		b.Ident(column).WriteString(" IN (").Join(page.Limit(p.Limit)).WriteString(" OFFSET ")
		if byWords {
			b.WriteString(strconv.Itoa(p.Offset))
		} else {
			b.Arg(p.Offset)
		}
		b.WriteByte(')')
	})
}

// reach returns a power of two not less than the end of the span. Powers of two keep the number of statements
// small.
//
// PostgreSQL assumes that an unknown offset skips a tenth of the list. In a large list a plan for all pages
// then looks expensive, and it plans each page anew, which takes longer than reading it. The tenth of a list
// limited to reach is small.
func (p Span) reach() int { return 1 << bits.Len(uint(p.Offset+p.Limit-1)) }

// ofRecords returns the span for a statement that has found its ids. It does not use the columns of an index.
func (p Span) ofRecords() Span {
	p.indexColumns = nil
	return p
}

// published returns a context with a request time that is not later than the position after which a span by time
// begins, as nothing in the span is later. With two bounds on one column SQLite would seek to the later one.
func (p Span) published(ctx context.Context) context.Context {
	if p.Key == "" && p.after != nil && p.after.Time.Before(request.Of(ctx).Now) {
		return request.With(ctx, func(r *request.Request) { r.Now = p.after.Time })
	}
	return ctx
}

// Bounded keeps the records between the bounds of the span.
func (p Span) Bounded(s *sql.Selector) {
	if p.after != nil {
		s.Where(p.beyond(s, *p.after, sql.OpLT, sql.OpGT))
	}
	if p.before != nil {
		s.Where(p.beyond(s, *p.before, sql.OpGT, sql.OpLT))
	}
}

// beyond returns the predicate for the records on one side of a bound. descending and ascending are the
// operators for descending and ascending columns on that side. Hardly any two records are equal in all
// columns except the id. So if the columns cannot be compared as one row, comparing the first alone finds the
// position in the index.
func (o SortOrder) beyond(s *sql.Selector, b bound, descending, ascending sql.Op) *sql.Predicate {
	key, time, id := o.columnsIn(s)
	last := descending
	if o.oldest {
		last = ascending
	}
	if b.inclusive {
		last = orEqual[last]
	}
	switch {
	case o.computed != nil:
		return sql.P(func(p *sql.Builder) {
			p.Wrap(func(p *sql.Builder) {
				o.computed(p, s)
				p.Comma().IdentComma(time, id)
			})
			p.WriteOp(last)
			p.Wrap(func(p *sql.Builder) { p.Args(b.key, b.Time, b.ID) })
		})
	case key != "" && o.Ascending:
		return sql.And(compare(orEqual[ascending], []string{key}, b.key), sql.Or(
			compare(ascending, []string{key}, b.key),
			compare(last, []string{time, id}, b.Time, b.ID),
		))
	case key != "":
		return compare(last, []string{key, time, id}, b.key, b.Time, b.ID)
	case o.split:
		return sql.And(
			compare(orEqual[descending], []string{time}, b.Time),
			compare(last, []string{time, id}, b.Time, b.ID),
		)
	}
	return compare(last, []string{time, id}, b.Time, b.ID)
}

var orEqual = map[sql.Op]sql.Op{sql.OpLT: sql.OpLTE, sql.OpGT: sql.OpGTE}

// compare returns a comparison of columns with values. Several columns are compared as one row.
func compare(op sql.Op, columns []string, values ...any) *sql.Predicate {
	return sql.P(func(b *sql.Builder) {
		b.Wrap(func(b *sql.Builder) { b.IdentComma(columns...) })
		b.WriteOp(op)
		b.Wrap(func(b *sql.Builder) { b.Args(values...) })
	})
}
