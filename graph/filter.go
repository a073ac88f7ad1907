package graph

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

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
