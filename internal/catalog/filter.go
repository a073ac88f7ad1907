package catalog

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/graph/model"
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

// noLetters is a search for what has no letter or number, such as an emoji alone: it finds nothing. No folded piece has
// this form.
const noLetters searchWords = "-"

func searchWordsOf(queries ...*string) searchWords {
	var pieces []string
	for _, q := range queries {
		of, ok := search.PiecesOf(q)
		if !ok {
			return noLetters
		}
		pieces = append(pieces, of...)
	}
	slices.Sort(pieces)
	return searchWords(strings.Join(slices.Compact(pieces), " "))
}

// wordsInGroup keeps the expression of a search flat: SQLite refuses one that is nested 1,000 deep, and each
// condition that is added to a statement nests those before it once more.
const wordsInGroup = 32

// narrow keeps the records whose searched text holds every piece. walk: they are read in the order of a list, see
// searchWalk.
func (w searchWords) narrow(walk bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if w == noLetters {
			s.Where(sql.False())
			return
		}
		for words := range slices.Chunk(strings.Fields(string(w)), wordsInGroup) {
			group := make([]*sql.Predicate, len(words))
			for i, word := range words {
				group[i] = holdsWord(s, word, walk)
			}
			s.Where(sql.And(group...))
		}
	}
}

// holdsWord is that the searched text of a record holds a word. PostgreSQL keeps from its index of words for
// a CASE, which it takes to hold for half of all rows. For a word without a trigram it would go through that
// index whole, with the words of every shop.
func holdsWord(s *sql.Selector, word string, walk bool) *sql.Predicate {
	column := s.C("search_text")
	if s.Dialect() != dialect.Postgres || !walk && hasTrigram(word) {
		return search.Holds(column, word)
	}
	return sql.P(func(b *sql.Builder) {
		b.WriteString("CASE WHEN ").Ident(column).WriteString(" LIKE ").Arg("%" + word + "%").
			WriteString(" THEN TRUE ELSE FALSE END")
	})
}

// hasTrigram reports whether pg_trgm looks for a piece by trigrams: three letters or digits in a row.
func hasTrigram(piece string) bool {
	row := 0
	for _, r := range piece {
		if row++; !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			row = 0
		}
		if row == 3 {
			return true
		}
	}
	return false
}

// searchWalk reports whether PostgreSQL is to read a span of a search along the index of its order, where
// the next record that is found comes soon, and not to find all records by the index of words, and sort them.
// It must be told: of a prepared statement it does not know how many records it finds. all is the list
// without the search.
func (r *Catalog) searchWalk(ctx context.Context, part Span, found, all counter) (bool, error) {
	n, known := found.known(ctx)
	if !known || n < manyListed || part.rank != "" || r.store.Raw().Dialect() == dialect.SQLite {
		return false, nil
	}
	of, err := all.count(ctx)
	return (part.Offset+part.Limit)*of <= n*n, err // what is read either way
}

// isAmong keeps the records whose value in a column is one of a choice. walk: they are read in the order of a
// list, whose index is to be taken, and not that of the column.
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
func priceRangeOf(lowest, highest *model.Decimal) (r priceRange, err error) {
	if r.min, err = thousandths(lowest, true); err != nil {
		return r, err
	}
	r.max, err = thousandths(highest, false)
	return r, err
}

func thousandths(given *model.Decimal, roundUp bool) (optional[int64], error) {
	if given == nil {
		return optional[int64]{}, nil
	}
	amount, err := money.ParseMilli(string(*given), roundUp)
	return optional[int64]{value: amount, given: true}, err
}
