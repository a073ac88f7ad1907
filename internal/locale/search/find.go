package search

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// CompactAll returns the Compact form of each text, separated so that no piece matches across two. It leaves
// out texts without letters and numbers.
func CompactAll(texts ...string) string {
	compact := make([]string, 0, len(texts))
	for _, text := range texts {
		if text = Compact(text); text != "" {
			compact = append(compact, text)
		}
	}
	return strings.Join(compact, " ")
}

// PiecesOf returns the folded pieces of a search, none for a nil query. ok is false for a query without
// letters or numbers, which finds nothing.
func PiecesOf(query *string) (pieces []string, ok bool) {
	if query == nil || IsBlank(*query) {
		return nil, true
	}
	pieces = Pieces(*query)
	return pieces, len(pieces) > 0
}

// HoldsAll selects the records whose column of folded text contains every piece of a search.
func HoldsAll(s *sql.Selector, column string, query *string) {
	FindsAll(s, query, func(piece string) *sql.Predicate { return Holds(s.C(column), piece) })
}

// FindsAll selects the records that every piece of a search finds.
func FindsAll(s *sql.Selector, query *string, finds func(piece string) *sql.Predicate) {
	pieces, ok := PiecesOf(query)
	if !ok {
		s.Where(sql.False())
	}
	slices.Sort(pieces)
	for _, piece := range slices.Compact(pieces) {
		s.Where(finds(piece))
	}
}

// Holds returns the predicate that the folded text in a column contains a piece. On SQLite instr compares
// bytes; LIKE would fold each letter again, and plan the statement again for each pattern.
func Holds(column, piece string) *sql.Predicate {
	return sql.P(func(b *sql.Builder) {
		if b.Dialect() == dialect.Postgres {
			b.Join(sql.Contains(column, piece))
			return
		}
		b.WriteString("instr(").Ident(column).Comma().Arg(piece).WriteString(") > 0")
	})
}
