// Package selection says which fields a GraphQL request asks of a record, so that loading can follow: the
// columns and neighbours that nobody asked for are not read.
package selection

import (
	"context"
	"maps"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Set holds the asked fields by name, each with what is asked of it in turn. One field under several
// aliases stands once.
type Set map[string]Set

// Of returns what the field being resolved is asked for, below the given path of its own fields ("items").
// Outside of a GraphQL request it is nil, which means everything.
func Of(ctx context.Context, path ...string) Set {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Field.Field == nil {
		return nil
	}
	set := collect(graphql.GetOperationContext(ctx), field.Field.Selections)
	for _, name := range path {
		set = set[name]
	}
	return set
}

func collect(op *graphql.OperationContext, selections ast.SelectionSet) Set {
	set := Set{}
	for _, field := range graphql.CollectFields(op, selections, nil) {
		set[field.Name] = set[field.Name].Merge(collect(op, field.Selections))
	}
	return set
}

// Path is a set of one dotted path: "product.brand.name".
func Path(dotted string) Set {
	name, rest, more := strings.Cut(dotted, ".")
	if !more {
		return Set{name: nil}
	}
	return Set{name: Path(rest)}
}

// Merge adds what other asks for. It changes and returns s, which may be nil.
func (s Set) Merge(other Set) Set {
	if s == nil {
		return maps.Clone(other)
	}
	for name, sub := range other {
		s[name] = s[name].Merge(sub)
	}
	return s
}

// Has reports whether any of the fields is asked for.
func (s Set) Has(names ...string) bool {
	for _, name := range names {
		if _, ok := s[name]; ok {
			return true
		}
	}
	return false
}
