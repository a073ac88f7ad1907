package catalog

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/variant"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
)

// searchWords are the distinct folded words of a search, sorted and joined by spaces; empty without a search.
type searchWords string

// noLetters is a search without letters or numbers, such as a single emoji: it finds nothing. No folded word
// has this form.
const noLetters searchWords = "-"

// searchFor returns a search for all words of some queries.
func searchFor(queries ...*string) searched {
	var pieces []string
	for _, q := range queries {
		of, ok := search.PiecesOf(q)
		if !ok {
			return searched{words: noLetters}
		}
		pieces = append(pieces, of...)
	}
	return searched{words: searchWords(strings.Join(distinct(pieces), " "))}
}

// wordsInGroup keeps the expression of a search flat: SQLite refuses expressions nested 1,000 deep, and each
// condition added to a statement nests those before it once more.
const wordsInGroup = 32

// narrowToSearched keeps the records whose searched text contains every word of the search, and the products with a
// variant that has it as SKU.
func (f Filter) narrowToSearched(s *sql.Selector, at time.Time) {
	if f.words == "" {
		return
	}
	if f.words == noLetters {
		s.Where(sql.False())
		return
	}
	found := f.words.held(s)
	if f.sku != "" {
		found = sql.Or(found, f.sku.named(s, f.tenant, at))
	}
	s.Where(found)
}

// held returns the predicate that the searched text of a record contains every word.
func (w searchWords) held(s *sql.Selector) *sql.Predicate {
	var groups []*sql.Predicate
	for words := range slices.Chunk(strings.Fields(string(w)), wordsInGroup) {
		group := convert.All(words, func(word string) *sql.Predicate { return holdsWord(s, word) })
		groups = append(groups, sql.And(group...))
	}
	return sql.And(groups...)
}

// named returns the predicate that a product has a variant on sale with the SKU. PostgreSQL gets an array, because it
// combines the index lookup of an array with that of the words, but not that of a subquery. The EXISTS lets SQLite skip
// the comparison of products when no variant has the SKU.
func (p searchPhrase) named(s *sql.Selector, tenant uuid.UUID, at time.Time) *sql.Predicate {
	variants, v := variantsOnSale(s.Dialect(), "named", tenant, at)
	variants.Select(v.C(variant.FieldProductID)).Where(sql.EQ(v.C(variant.FieldSkuText), string(p)))
	return sql.P(func(b *sql.Builder) {
		if b.Dialect() == dialect.Postgres {
			b.Ident(s.C("id")).WriteString(" = ANY (ARRAY(").Join(variants).WriteString("))")
			return
		}
		b.WriteString("EXISTS (").Join(variants).WriteString(") AND ").
			Ident(s.C("id")).WriteString(" IN (").Join(variants).WriteString(")")
	})
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
