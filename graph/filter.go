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

// wordsInGroup keeps the expression of a search flat: SQLite refuses one that is nested 1,000 deep, and each
// condition that is added to a statement nests those before it once more.
const wordsInGroup = 32

// narrow keeps the records whose searched text holds every piece.
func (w searchWords) narrow(s *sql.Selector) {
	for words := range slices.Chunk(strings.Fields(string(w)), wordsInGroup) {
		group := make([]*sql.Predicate, len(words))
		for i, word := range words {
			group[i] = sql.Contains(s.C("search_text"), word)
		}
		s.Where(sql.And(group...))
	}
}

// isAmong keeps the records whose value in a column is one of a choice. walk: they are read in the order of a list, whose
// index is to be taken, and not that of the column.
func isAmong(column string, values choice, walk bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if len(values.list()) == 0 {
			s.Where(sql.False())
			return
		}
		of := s.C(column)
		s.Where(sql.P(func(b *sql.Builder) {
			b.Wrap(func(b *sql.Builder) {
				b.Ident(of).WriteString(" IN ").Wrap(func(b *sql.Builder) { b.Args(texts(values.list())...) })
			})
			if walk {
				b.WriteString(" IS TRUE")
			}
		}))
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
