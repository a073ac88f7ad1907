package catalog

import "entgo.io/ent/dialect/sql"

// optional is an optional argument of a list. Unlike a pointer it is compared by value.
type optional[T comparable] struct {
	value T
	given bool
}

func optionalOf[T comparable](argument *T) optional[T] {
	if argument == nil {
		return optional[T]{}
	}
	return optional[T]{value: *argument, given: true}
}

// narrow keeps the records with the value in a column.
func (o optional[T]) narrow(s *sql.Selector, column string) {
	if o.given {
		s.Where(sql.EQ(s.C(column), o.value))
	}
}
