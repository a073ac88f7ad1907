package catalog

import (
	"cmp"
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// SortByPosition sorts records that editors arrange: by position, then by name as a Persian reader expects
// it, which neither database does by itself. Records that are equal in both keep their order.
func SortByPosition[T any](records []T, position func(T) int, name func(T) string) {
	if len(records) < 2 {
		return
	}
	persian := persians.Get().(*collate.Collator)
	defer persians.Put(persian)
	slices.SortStableFunc(records, func(a, b T) int {
		return cmp.Or(cmp.Compare(position(a), position(b)), persian.CompareString(name(a), name(b)))
	})
}

// persians are collators, each for one goroutine at a time.
var persians = sync.Pool{New: func() any { return collate.New(language.Persian) }}

// NoPosition is the position of records that have no such column.
func NoPosition[T any](T) int { return 0 }
