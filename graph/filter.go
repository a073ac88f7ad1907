package graph

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/money"
	"storefront/internal/search"
)

// maybe is an optional argument of a list; unlike a pointer it compares by value, so that a filter names its count.
type maybe[T comparable] struct {
	value T
	given bool
}

func of[T comparable](argument *T) maybe[T] {
	if argument == nil {
		return maybe[T]{}
	}
	return maybe[T]{*argument, true}
}

// words are the distinct folded pieces of what is searched for, sorted and joined by spaces; none when nothing is.
type words string

func wordsOf(queries ...*string) words {
	var pieces []string
	for _, q := range queries {
		if q != nil {
			pieces = append(pieces, search.Pieces(*q)...)
		}
	}
	slices.Sort(pieces)
	return words(strings.Join(slices.Compact(pieces), " "))
}

// narrow keeps the records whose searched text holds every piece.
func (w words) narrow(s *sql.Selector) {
	for _, piece := range strings.Fields(string(w)) {
		s.Where(sql.Contains(s.C("search_text"), piece))
	}
}

// prices reads the bounds of a price filter, in thousandths of the unit: inclusive, and so rounded towards what they let in.
func prices(lowest, highest *Decimal) (least, most maybe[int64], err error) {
	if least, err = milli(lowest, true); err != nil {
		return least, most, err
	}
	most, err = milli(highest, false)
	return least, most, err
}

func milli(given *Decimal, up bool) (maybe[int64], error) {
	if given == nil {
		return maybe[int64]{}, nil
	}
	amount, err := money.ParseMilli(string(*given), up)
	return maybe[int64]{amount, true}, err
}
