// Package selection determines which fields of a record a GraphQL request selects, so that only their
// columns and neighbours are loaded.
package selection

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/locale/bilingual"
)

// Set holds the selected fields by name, each with the selection below it. A field with several aliases
// occurs once. A Set is immutable, so many requests may share it; nil selects everything.
type Set struct {
	fields map[string]*Set

	mu   sync.Mutex
	also map[string]*Set // by the names that And added
	made map[any]any     // by Once
}

// Of returns the selection of the field that is being resolved, below the given path of its fields ("items").
// Outside of a GraphQL request it is nil.
func Of(ctx context.Context, path ...string) *Set {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Field.Field == nil {
		return nil
	}
	return remembered(ctx, field.Field).At(path...)
}

func collect(op *graphql.OperationContext, selections ast.SelectionSet) *Set {
	if len(selections) == 0 {
		return nil
	}
	set := &Set{fields: map[string]*Set{}}
	for _, field := range graphql.CollectFields(op, selections, nil) {
		below := collect(op, field.Selections)
		for _, name := range bilingual.Reads(field.Field) {
			set.fields[name] = set.fields[name].Merge(below)
		}
	}
	return set
}

// Path returns a set of one dotted path: "product.brand.name".
func Path(dotted string) *Set {
	name, rest, more := strings.Cut(dotted, ".")
	if !more {
		return Names(name)
	}
	return &Set{fields: map[string]*Set{name: Path(rest)}}
}

// Names returns a set of fields without selections below them.
func Names(names ...string) *Set {
	set := &Set{fields: make(map[string]*Set, len(names))}
	for _, name := range names {
		set.fields[name] = nil
	}
	return set
}

// Merge returns the union of two sets.
func (s *Set) Merge(other *Set) *Set {
	if s.Empty() {
		return other
	}
	if other.Empty() {
		return s
	}
	merged := &Set{fields: make(map[string]*Set, len(s.fields)+len(other.fields))}
	for name, sub := range s.fields {
		merged.fields[name] = sub
	}
	for name, sub := range other.fields {
		merged.fields[name] = merged.fields[name].Merge(sub)
	}
	return merged
}

// And returns s with some more fields. It stores the result, so the names must be constants of the program.
func (s *Set) And(names ...string) *Set {
	if s == nil {
		return Names(names...)
	}
	key := strings.Join(names, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	with, ok := s.also[key]
	if !ok {
		if s.also == nil {
			s.also = map[string]*Set{}
		}
		with = s.Merge(Names(names...))
		s.also[key] = with
	}
	return with
}

// Once returns what make returned when Once was first called for a key. Keys must be from a fixed set, such as tables.
func (s *Set) Once(key any, make func() any) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.made[key]
	if !ok {
		if s.made == nil {
			s.made = map[any]any{}
		}
		value = make()
		s.made[key] = value
	}
	return value
}

// Empty reports whether the set names no field.
func (s *Set) Empty() bool { return s == nil || len(s.fields) == 0 }

// At returns the selection below a path of fields.
func (s *Set) At(path ...string) *Set {
	for _, name := range path {
		if s == nil {
			return nil
		}
		s = s.fields[name]
	}
	return s
}

// Has reports whether any of the fields is selected.
func (s *Set) Has(names ...string) bool {
	if s == nil {
		return false
	}
	for _, name := range names {
		if _, ok := s.fields[name]; ok {
			return true
		}
	}
	return false
}

// Only reports whether no other field is selected.
func (s *Set) Only(names ...string) bool {
	if s == nil {
		return true
	}
	for name := range s.fields {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// Each calls visit with each field and the selection below it.
func (s *Set) Each(visit func(name string, sub *Set)) {
	if s == nil {
		return
	}
	for name, sub := range s.fields {
		visit(name, sub)
	}
}
