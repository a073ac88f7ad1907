package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/selection"
)

// order is a total order of a list: by a sort key where it has one, the greatest first, then by time, the latest first,
// then by id, the greatest first. Sort keys are never null, so that a place in the order is a row that can be compared.
type order struct {
	list   string // the list and its order, as cursors name it
	key    string // column of the sort key; empty where time alone decides
	rising bool   // the least key first
	time   string // column of the time
	// index gives the columns of time and id in the index that narrows the list, where one does that holds them too;
	// nil: the list's own table.
	index func() (time, id string)
	split bool // time and id are columns of two tables, which no one index holds
}

// place is where a record stands in an order.
type place struct {
	key  any // int64, or []byte of a title; nil where the order has no key
	time time.Time
	id   uuid.UUID
}

// stretch is the part of a list that is read: what stands behind one place and in front of another, from the beginning or
// from the end.
type stretch struct {
	order
	after, before *bound
	backward      bool
	offset, limit int
	columns       selection.Set // what is read of each record
}

// bound is an end of a stretch.
type bound struct {
	place
	inclusive bool
}

// columns gives the columns of an order in a statement.
func (o order) columns(s *sql.Selector) (key, time, id string) {
	time, id = s.C(o.time), s.C("id")
	if o.index != nil {
		time, id = o.index()
	}
	if o.key != "" {
		key = s.C(o.key)
	}
	return key, time, id
}

// sorted puts the records of the stretch in order, its reverse when it is read from the end.
func (p stretch) sorted(s *sql.Selector) {
	key, time, id := p.order.columns(s)
	falling, rising := sql.Desc, sql.Asc
	if p.backward {
		falling, rising = sql.Asc, sql.Desc
	}
	switch {
	case key == "":
	case p.rising:
		s.OrderBy(rising(key))
	default:
		s.OrderBy(falling(key))
	}
	s.OrderBy(falling(time), falling(id))
}

// shown gives a context in which no later moment is now than that of the place behind which a stretch by time alone begins:
// nothing in it is later. Of two bounds of one column, SQLite would begin at the later one.
func (p stretch) shown(ctx context.Context) context.Context {
	if p.key == "" && p.after != nil && p.after.time.Before(now(ctx)) {
		return context.WithValue(ctx, earlierKey{}, p.after.time)
	}
	return ctx
}

// bounded keeps the records between the bounds.
func (p stretch) bounded(s *sql.Selector) {
	if p.after != nil {
		s.Where(p.beyond(s, *p.after, sql.OpLT, sql.OpGT))
	}
	if p.before != nil {
		s.Where(p.beyond(s, *p.before, sql.OpGT, sql.OpLT))
	}
}

// beyond keeps what stands on one side of a bound. falls is how columns that fall compare on that side, rises how those
// that rise do. What is equal in all columns but the id is one row, or nearly, in any list; so where columns cannot be
// compared as one row, the first alone finds the place in the index.
func (o order) beyond(s *sql.Selector, b bound, falls, rises sql.Op) *sql.Predicate {
	key, time, id := o.columns(s)
	last := falls
	if b.inclusive {
		last = orEqual[falls]
	}
	switch {
	case key != "" && o.rising:
		return sql.And(compare(orEqual[rises], []string{key}, b.key), sql.Or(
			compare(rises, []string{key}, b.key),
			compare(last, []string{time, id}, b.time, b.id),
		))
	case key != "":
		return compare(last, []string{key, time, id}, b.key, b.time, b.id)
	case o.split:
		return sql.And(compare(orEqual[falls], []string{time}, b.time), compare(last, []string{time, id}, b.time, b.id))
	}
	return compare(last, []string{time, id}, b.time, b.id)
}

var orEqual = map[sql.Op]sql.Op{sql.OpLT: sql.OpLTE, sql.OpGT: sql.OpGTE}

// compare compares columns with values, as rows where they are several.
func compare(op sql.Op, columns []string, values ...any) *sql.Predicate {
	return sql.P(func(b *sql.Builder) {
		b.Wrap(func(b *sql.Builder) { b.IdentComma(columns...) }).WriteOp(op).Wrap(func(b *sql.Builder) { b.Args(values...) })
	})
}
