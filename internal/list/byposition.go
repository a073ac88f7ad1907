package list

import (
	"cmp"
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// SortByPosition sorts records by position, then by name in Persian collation, which neither database has.
// Equal records keep their order.
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

// NoPosition returns 0, the position of records without a position.
func NoPosition[T any](T) int { return 0 }
