// Package selection says which fields a GraphQL request asks of a record, so that loading can follow: the
// columns and neighbours that nobody asked for are not read.
package selection

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Set holds the asked fields by name, each with what is asked of it in turn. One field under several
// aliases stands once. A Set is not changed once it is made, so that many requests may share it; nil asks
// for nothing in particular, which means everything.
type Set struct {
	fields map[string]*Set

	mu   sync.Mutex
	also map[string]*Set // by the names that And added
	made map[any]any     // by Once
}

// Of returns what the field being resolved is asked for, below the given path of its own fields ("items").
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
		set.fields[field.Name] = set.fields[field.Name].Merge(collect(op, field.Selections))
	}
	return set
}

// Path is a set of one dotted path: "product.brand.name".
func Path(dotted string) *Set {
	name, rest, more := strings.Cut(dotted, ".")
	if !more {
		return Names(name)
	}
	return &Set{fields: map[string]*Set{name: Path(rest)}}
}

// Names is a set of fields of which nothing is asked in turn.
func Names(names ...string) *Set {
	set := &Set{fields: make(map[string]*Set, len(names))}
	for _, name := range names {
		set.fields[name] = nil
	}
	return set
}

// Merge returns what either asks for.
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

// And returns what s asks for and the fields of some names, which are those of the program: it remembers
// the result.
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

// Once returns what make returned the first time that Once was called for a key. Keys are those of the
// program, such as tables.
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

// At returns what is asked below a path of fields.
func (s *Set) At(path ...string) *Set {
	for _, name := range path {
		if s == nil {
			return nil
		}
		s = s.fields[name]
	}
	return s
}

// Has reports whether any of the fields is asked for.
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

// Only reports whether nothing but these fields is asked for.
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

// Each calls visit with each field and what is asked of it.
func (s *Set) Each(visit func(name string, sub *Set)) {
	if s == nil {
		return
	}
	for name, sub := range s.fields {
		visit(name, sub)
	}
}
