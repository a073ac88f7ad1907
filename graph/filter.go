package graph

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/money"
	"storefront/internal/search"
)

// optional is an optional argument of a list. Unlike a pointer it is compared by value, so that two
// requests with equal filters share one count.
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

// searchWords are the distinct folded pieces of a search, sorted and joined by spaces; empty where nothing
// is searched for.
type searchWords string

func searchWordsOf(queries ...*string) searchWords {
	var pieces []string
	for _, q := range queries {
		if q != nil {
			pieces = append(pieces, search.Pieces(*q)...)
		}
	}
	slices.Sort(pieces)
	return searchWords(strings.Join(slices.Compact(pieces), " "))
}

// narrow keeps the records whose searched text holds every piece.
func (w searchWords) narrow(s *sql.Selector) {
	for _, piece := range strings.Fields(string(w)) {
		s.Where(sql.Contains(s.C("search_text"), piece))
	}
}

// priceRange are the inclusive bounds of a price filter, in thousandths of the unit.
type priceRange struct{ min, max optional[int64] }

// priceRangeOf reads the bounds of a price filter. A minimum with more than three decimals is rounded up
// and a maximum down, which lets in the same prices.
func priceRangeOf(lowest, highest *Decimal) (r priceRange, err error) {
	if r.min, err = thousandths(lowest, true); err != nil {
		return r, err
	}
	r.max, err = thousandths(highest, false)
	return r, err
}

func thousandths(given *Decimal, roundUp bool) (optional[int64], error) {
	if given == nil {
		return optional[int64]{}, nil
	}
	amount, err := money.ParseMilli(string(*given), roundUp)
	return optional[int64]{value: amount, given: true}, err
}
