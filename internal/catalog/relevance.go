package catalog

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/internal/list"
	"storefront/internal/locale/search"
)

// searchPhrase is a whole search in the form of the stored texts (search.Compact); empty without a search.
type searchPhrase string

func searchPhraseOf(query *string) searchPhrase {
	if query == nil {
		return ""
	}
	return searchPhrase(search.Compact(*query))
}

// The ranks of matches, the best last.
const (
	holdsWords  int64 = iota + 1 // all words of the search, separately
	holdsPhrase                  // the whole phrase
	beginsSo                     // the phrase at the beginning of a title or SKU
	isSKU                        // the text lacks a word, and only a SKU of the product matches
)

// rank returns how well a stored text matches. The text has titles and SKU, separated by spaces (derive.SearchText).
func (f Filter) rank(text string) int64 {
	p, lacks := f.phrase, func(word string) bool { return !strings.Contains(text, word) }
	switch {
	case strings.HasPrefix(text, string(p)), strings.Contains(text, " "+string(p)):
		return beginsSo
	case strings.Contains(text, string(p)):
		return holdsPhrase
	case slices.ContainsFunc(strings.Fields(string(f.words)), lacks):
		return isSKU
	}
	return holdsWords
}

// writeRank writes rank as an expression of the searched text.
func (f Filter) writeRank(b *sql.Builder, s *sql.Selector) {
	p, column := f.phrase, s.C("search_text")
	if b.Dialect() == dialect.SQLite { // see search.Holds
		b.WriteString("CASE WHEN instr(' ' || ").Ident(column).Comma().Arg(" " + string(p)).
			WriteString(") > 0 THEN 3 WHEN instr(").
			Ident(column).Comma().Arg(string(p)).WriteString(") > 0 THEN 2")
	} else {
		b.WriteString("CASE WHEN ").Ident(column).WriteString(" LIKE ").Arg(string(p) + "%").WriteString(" OR ").
			Ident(column).WriteString(" LIKE ").Arg("% " + string(p) + "%").WriteString(" THEN 3 WHEN ").
			Ident(column).WriteString(" LIKE ").Arg("%" + string(p) + "%").WriteString(" THEN 2")
	}
	b.WriteString(" WHEN ").Join(f.words.held(s)).WriteString(" THEN 1 ELSE 4 END")
}

// byRelevance returns the list of a filter that is newest first in the order of relevance for its search. All
// matches are ranked, because no index has such an order.
func byRelevance[T any](newest list.List[T], f Filter, text func(T) string) list.List[T] {
	if f.phrase == "" {
		return newest
	}
	ranked := newest
	ranked.Order = list.Order{Name: f.list.name + ".relevance", Key: "search_text",
		Time:     newest.Order.Time,
		Computed: func(b *sql.Builder, s *sql.Selector) { f.writeRank(b, s) }}
	ranked.Position = func(record T) list.Position {
		p := newest.Position(record)
		p.Key = f.rank(text(record))
		return p
	}
	return ranked
}
