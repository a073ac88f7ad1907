package catalog

import (
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

// narrow keeps the records whose searched text contains every word.
func (w searchWords) narrow(s *sql.Selector) {
	if w == noLetters {
		s.Where(sql.False())
		return
	}
	for words := range slices.Chunk(strings.Fields(string(w)), wordsInGroup) {
		group := make([]*sql.Predicate, len(words))
		for i, word := range words {
			group[i] = holdsWord(s, word)
		}
		s.Where(sql.And(group...))
	}
}

// holdsWord returns the predicate that the searched text of a record contains a word. For a word without a
// trigram PostgreSQL would scan the whole index of words, with those of every shop, so it is a CASE, for which
// PostgreSQL does not use that index.
func holdsWord(s *sql.Selector, word string) *sql.Predicate {
	column := s.C("search_text")
	if s.Dialect() != dialect.Postgres || hasTrigram(word) {
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
