package graph

import (
	"cmp"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// sortByPosition sorts records that editors arrange: by position, then by name as a Persian reader expects
// it, which neither database does by itself. Records that are equal in both keep their order.
func sortByPosition[T any](records []T, position func(T) int, name func(T) string) {
	persian := collate.New(language.Persian)
	slices.SortStableFunc(records, func(a, b T) int {
		return cmp.Or(cmp.Compare(position(a), position(b)), persian.CompareString(name(a), name(b)))
	})
}

// noPosition is the position of records that have no such column.
func noPosition[T any](T) int { return 0 }
