package graph

import (
	"cmp"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// byPosition sorts what editors arrange: by position, then by name as a Persian reader expects it, which neither database
// does by itself; then as it was.
func byPosition[T any](records []T, position func(T) int, name func(T) string) {
	persian := collate.New(language.Persian)
	slices.SortStableFunc(records, func(a, b T) int {
		return cmp.Or(cmp.Compare(position(a), position(b)), persian.CompareString(name(a), name(b)))
	})
}

// unplaced is the position of what has none of its own.
func unplaced[T any](T) int { return 0 }
