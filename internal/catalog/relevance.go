package catalog

import (
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/internal/search"
)

// searchPhrase is a search in one piece, as texts are stored that it is looked for in (search.Compact); empty where
// nothing is searched for.
type searchPhrase string

func searchPhraseOf(query *string) searchPhrase {
	if query == nil {
		return ""
	}
	return searchPhrase(search.Compact(*query))
}

// The ranks of what a search finds, the best last.
const (
	holdsWords  int64 = iota + 1 // all words of the search, apart
	holdsPhrase                  // the search in one piece
	beginsSo                     // the search, at the beginning of a title or SKU
)

// rank is how well a stored text fits: titles and SKU, each behind a space but the first (derive.SearchText).
func (p searchPhrase) rank(text string) int64 {
	switch {
	case strings.HasPrefix(text, string(p)), strings.Contains(text, " "+string(p)):
		return beginsSo
	case strings.Contains(text, string(p)):
		return holdsPhrase
	}
	return holdsWords
}

// write writes rank as an expression of the text in a column.
func (p searchPhrase) write(b *sql.Builder, column string) {
	if b.Dialect() == dialect.SQLite { // see holds
		b.WriteString("CASE WHEN instr(' ' || ").Ident(column).Comma().Arg(" " + string(p)).
			WriteString(") > 0 THEN 3 WHEN instr(").
			Ident(column).Comma().Arg(string(p)).WriteString(") > 0 THEN 2 ELSE 1 END")
		return
	}
	b.WriteString("CASE WHEN ").Ident(column).WriteString(" LIKE ").Arg(string(p) + "%").WriteString(" OR ").
		Ident(column).WriteString(" LIKE ").Arg("% " + string(p) + "%").WriteString(" THEN 3 WHEN ").
		Ident(column).WriteString(" LIKE ").Arg("%" + string(p) + "%").WriteString(" THEN 2 ELSE 1 END")
}

// byRelevance gives a list, which is newest first, in the order of how well its records fit a search. All
// that the search finds is ranked: no index has such an order.
func byRelevance[T any](newest List[T], name string, phrase searchPhrase, text func(T) string) List[T] {
	if phrase == "" {
		return newest
	}
	ranked := newest
	ranked.Order = SortOrder{Name: name + ".relevance", Key: "search_text", rank: phrase, Time: newest.Order.Time}
	ranked.Place = func(record T) Place {
		p := newest.Place(record)
		p.key = phrase.rank(text(record))
		return p
	}
	return ranked
}
