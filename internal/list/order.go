package list

import (
	"cmp"
	"math/bits"
	"strconv"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/catalog/selection"
)

// Order is the total order of a list: by a sort key if it has one, then by time, the latest first, then
// by id, the greatest first. With oldest, and without a key, time and id are ascending. Sort keys are never
// null, so that a position in the order can be compared with a row.
type Order struct {
	Name      string // the list and its order, as in cursors, such as "products.price_asc"
	Key       string // column of the sort key; empty if the list is ordered by time
	Texts     bool   // whether keys are texts, as []byte; else they are int64
	Ascending bool   // whether the smallest key comes first
	Time      string // column of the time
	ID        string // column of the id; empty: "id"
	Oldest    bool   // whether the earliest comes first, and the smallest id

	// Computed writes the SQL expression of the sort key; nil: the key is the column Key.
	Computed func(*sql.Builder, *sql.Selector)

	// Joined returns the columns of key, time and id if they are those of a table that narrows the list, such as an
	// index of it. It is nil if they are the list's own.
	Joined func() (key, time, id string)
	Split  bool // whether time and id are columns of two tables, so that no index has both
}

// NewestMade sorts a list by the creation time of its records, newest first. name stands in cursors.
func NewestMade(name string) Order { return Order{Name: name, Time: "created_at"} }

// OldestMade sorts a list by the creation time of its records, oldest first. name stands in cursors.
func OldestMade(name string) Order { return Order{Name: name, Time: "created_at", Oldest: true} }

// Position is the position of a record in an order.
type Position struct {
	Key  any // int64, or []byte of a title; nil if the order has no key
	Time time.Time
	ID   uuid.UUID
}

// Span is the part of a list to read: the records after one position and before another, from the beginning or
// from the end.
type Span struct {
	Order
	After, Before *bound
	backward      bool // whether it is read from the end
	Offset, Limit int
	Columns       *selection.Set // the columns to read of each record
}

// bound is an end of a span.
type bound struct {
	Position
	inclusive bool
}

// ColumnsIn returns the columns of an order in a statement.
func (o Order) ColumnsIn(s *sql.Selector) (key, time, id string) {
	if o.Joined != nil {
		return o.Joined()
	}
	time, id = s.C(o.Time), s.C(cmp.Or(o.ID, "id"))
	if o.Key != "" {
		key = s.C(o.Key)
	}
	return key, time, id
}

// Sorted sorts the records of the span, in reverse if it is read from the end.
func (p Span) Sorted(s *sql.Selector) {
	key, time, id := p.ColumnsIn(s)
	descending, ascending := sql.Desc, sql.Asc
	if p.backward {
		descending, ascending = sql.Asc, sql.Desc
	}
	switch {
	case key == "":
	case p.Computed != nil:
		s.OrderExpr(sql.ExprFunc(func(b *sql.Builder) {
			p.Computed(b, s)
			if !p.backward {
				b.WriteString(" DESC")
			}
		}))
	case p.Ascending:
		s.OrderBy(ascending(key))
	default:
		s.OrderBy(descending(key))
	}
	if p.Oldest {
		descending = ascending
	}
	s.OrderBy(descending(time), descending(id))
}

// IDsFirst makes a statement find the ids of the span before it reads records. Otherwise it would also read the joined
// and computed columns of the records that the offset skips. Collect sets the columns to read afterwards.
func (p Span) IDsFirst(byWords bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if p.Offset == 0 {
			return
		}
		ids, records := *s, sql.Dialect(s.Dialect())
		all := records.Select().From(records.Table(s.TableName())).WithContext(s.Context())
		all.Where(p.Holds(all.C("id"), &ids, s.C("id"), byWords))
		p.OfRecords().Sorted(all)
		*s = *all
	}
}

// Holds returns the predicate that a column has one of the ids of the span. list selects the list, with the
// ids in column id.
//
// PostgreSQL plans a statement once for all pages if the offset is an argument, and for each page if it is a
// literal. A search that may use the index of words has a literal: the best plan depends on how many records
// match, which PostgreSQL considers only if it plans each page.
func (p Span) Holds(column string, list *sql.Selector, id string, byWords bool) *sql.Predicate {
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

// reach returns a power of two not less than the end of the span. Powers of two keep the number of statements small.
//
// PostgreSQL assumes that an unknown offset skips a tenth of the list. In a large list a plan for all pages
// then looks expensive, and it plans each page again, which takes longer than reading it. The tenth of a list
// limited to reach is small.
func (p Span) reach() int { return 1 << bits.Len(uint(p.Offset+p.Limit-1)) }

// OfRecords returns the span for a statement that has found its ids. It does not use the columns of an index.
func (p Span) OfRecords() Span {
	p.Joined = nil
	return p
}

// Bounded keeps the records between the bounds of the span.
func (p Span) Bounded(s *sql.Selector) {
	if p.After != nil {
		s.Where(p.beyond(s, *p.After, sql.OpLT, sql.OpGT))
	}
	if p.Before != nil {
		s.Where(p.beyond(s, *p.Before, sql.OpGT, sql.OpLT))
	}
}

// Part makes a query read the records of the span, in its order.
func (p Span) Part(s *sql.Selector) {
	p.Bounded(s)
	p.Sorted(s)
	if s.Limit(p.Limit); p.Offset > 0 {
		s.Offset(p.Offset)
	}
}

// beyond returns the predicate for the records on one side of a bound. descending and ascending are the operators for
// descending and ascending columns on that side. Hardly any two records are equal in all columns except the id. So if
// the columns cannot be compared as one row, comparing the first alone finds the position in the index.
func (o Order) beyond(s *sql.Selector, b bound, descending, ascending sql.Op) *sql.Predicate {
	key, time, id := o.ColumnsIn(s)
	last := descending
	if o.Oldest {
		last = ascending
	}
	if b.inclusive {
		last = orEqual[last]
	}
	switch {
	case o.Computed != nil:
		return sql.P(func(p *sql.Builder) {
			p.Wrap(func(p *sql.Builder) {
				o.Computed(p, s)
				p.Comma().IdentComma(time, id)
			})
			p.WriteOp(last)
			p.Wrap(func(p *sql.Builder) { p.Args(b.Key, b.Time, b.ID) })
		})
	case key != "" && o.Ascending:
		return sql.And(compare(orEqual[ascending], []string{key}, b.Key), sql.Or(
			compare(ascending, []string{key}, b.Key),
			compare(last, []string{time, id}, b.Time, b.ID),
		))
	case key != "":
		return compare(last, []string{key, time, id}, b.Key, b.Time, b.ID)
	case o.Split:
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
