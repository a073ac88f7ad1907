package catalog

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/internal/search"
)

// searchWords are the distinct folded words of a search, sorted and joined by spaces; empty without a search.
type searchWords string

// noLetters is a search without letters or numbers, such as a single emoji: it finds nothing. No folded word
// has this form.
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

// wordsInGroup keeps the expression of a search flat: SQLite refuses expressions nested 1,000 deep, and each
// condition added to a statement nests those before it once more.
const wordsInGroup = 32

// narrow keeps the records whose searched text contains every word. With inListOrder they are read in the
// order of the list (searchInListOrder).
func (w searchWords) narrow(s *sql.Selector, inListOrder bool) {
	if w == noLetters {
		s.Where(sql.False())
		return
	}
	for words := range slices.Chunk(strings.Fields(string(w)), wordsInGroup) {
		group := make([]*sql.Predicate, len(words))
		for i, word := range words {
			group[i] = holdsWord(s, word, inListOrder)
		}
		s.Where(sql.And(group...))
	}
}

// holdsWord returns the predicate that the searched text of a record contains a word. With inListOrder, or
// for a word without a trigram, it is a CASE, for which PostgreSQL does not use its index of words: it
// assumes that half of all rows match. For a word without a trigram it would scan that whole index, with the
// words of every shop.
func holdsWord(s *sql.Selector, word string, inListOrder bool) *sql.Predicate {
	column := s.C("search_text")
	if s.Dialect() != dialect.Postgres || !inListOrder && hasTrigram(word) {
		return search.Holds(column, word)
	}
	return sql.P(func(b *sql.Builder) {
		b.WriteString("CASE WHEN ").Ident(column).WriteString(" LIKE ").Arg("%" + word + "%").
			WriteString(" THEN TRUE ELSE FALSE END")
	})
}

// hasTrigram reports whether pg_trgm can find a word by trigrams: three letters or digits in a row.
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

// searchInListOrder reports whether PostgreSQL should read a span of a search along the index of the list's
// order, where the next match comes soon, instead of finding all matches by the index of words and sorting
// them. PostgreSQL cannot decide this itself, because it does not know how many records a prepared statement
// matches. all is the list without the search.
func (r *Catalog) searchInListOrder(ctx context.Context, part Span, found, all counter) (bool, error) {
	n, known := found.known(ctx)
	if !known || n < manyListed || part.rank != "" || r.store.Raw().Dialect() == dialect.SQLite {
		return false, nil
	}
	of, err := all.count(ctx)
	return (part.Offset+part.Limit)*of <= n*n, err // the rows read either way
}
