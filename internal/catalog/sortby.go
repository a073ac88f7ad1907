package catalog

import "storefront/internal/list"

// sortKey is a column that a list can be sorted by, and its value in a record.
type sortKey[T any] struct {
	column string
	text   bool // sorted from the smallest
	value  func(T) any
}

// sortBy returns the list of a filter that is newest first in the requested order. keys has no key for newest first.
func sortBy[T any, S ~string](newest list.List[T], f Filter, asked S, keys map[S]sortKey[T]) list.List[T] {
	key, given := keys[asked]
	if !given {
		return newest
	}
	sorted := newest
	sorted.Order = list.Order{
		Name: f.list.name + "." + string(asked), Key: key.column, Texts: key.text, Ascending: key.text,
		Time: newest.Order.Time,
	}
	sorted.Position = func(record T) list.Position {
		p := newest.Position(record)
		p.Key = key.value(record)
		return p
	}
	return sorted
}
