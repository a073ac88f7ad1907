package describe

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/rest"
)

// answerAlias is the alias of the field whose value a route answers with.
const answerAlias = "body"

// answer describes the answer of an operation: the field aliased `body`, at any level, else all of the data.
func (b *builder) answer(definition *ast.OperationDefinition) *jsonSchema {
	for selections := definition.SelectionSet; len(selections) == 1; {
		field, ok := selections[0].(*ast.Field)
		if !ok {
			break
		}
		if field.Alias == answerAlias {
			return b.selected(field)
		}
		selections = field.SelectionSet
	}
	return b.component(b.answerName(), "the data of "+b.within, func() *jsonSchema {
		s := b.object(definition.SelectionSet)
		s.Description = "The answer of " + b.within + "."
		return s
	})
}

// selected describes the value of a field.
func (b *builder) selected(field *ast.Field) *jsonSchema {
	shown := field.Definition.Type
	var never []string // fields of it that are null in no answer
	if rule := field.Definition.Directives.ForName("semanticNonNull"); rule != nil {
		shown = notNull(shown) // if it is null, the route answers with the error
		never = namesIn(rule, "fields")
	}
	return b.shape(shown, func(d *ast.Definition) *jsonSchema {
		if d.Kind != ast.Union && isFragment(field.SelectionSet) && never == nil {
			return b.object(field.SelectionSet)
		}
		name := b.nameOf(d, field)
		return b.component(name, "the selection "+selectionText(field), func() *jsonSchema {
			if d.Kind == ast.Union {
				return b.union(d, field.SelectionSet)
			}
			s := b.object(field.SelectionSet, never...)
			s.Description = d.Description
			if s.Description == "" || name == b.answerName() { // the answer may contain only a part of the type
				s.Description = "The answer of " + b.within + "."
			}
			return s
		})
	})
}

// fieldsIn returns the fields of a selection, those of its fragments and those below them, too.
func fieldsIn(selections ast.SelectionSet) (all []*ast.Field) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			all = append(append(all, s), fieldsIn(s.SelectionSet)...)
		case *ast.InlineFragment:
			all = append(all, fieldsIn(s.SelectionSet)...)
		case *ast.FragmentSpread:
			all = append(all, fieldsIn(s.Definition.SelectionSet)...)
		}
	}
	return all
}

// flat returns the fields of a selection, those of its fragments too.
func flat(selections ast.SelectionSet) (fields []*ast.Field) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			fields = append(fields, s)
		case *ast.FragmentSpread:
			fields = append(fields, flat(s.Definition.SelectionSet)...)
		}
	}
	return fields
}

// namesIn returns the names in a list that is an argument of a directive.
func namesIn(rule *ast.Directive, argument string) (names []string) {
	if given := rule.Arguments.ForName(argument); given != nil {
		for _, child := range given.Value.Children {
			names = append(names, child.Value.Raw)
		}
	}
	return names
}

// object describes an object of exactly the selected fields. A fragment becomes a component. The fields in never are
// null in no answer of this operation, though the schema allows it; a fragment that has one of them is therefore not a
// shared component.
func (b *builder) object(selections ast.SelectionSet, never ...string) *jsonSchema {
	var parts []*jsonSchema
	own := &jsonSchema{Type: types{"object"}}
	add := func(field *ast.Field) {
		absentIfNull := rest.AbsentIfNull[b.within] == field.Alias
		if absentIfNull {
			never = append(never, field.Name)
		}
		value := b.selected(neverNull(field, never))
		if field.Definition.Description != "" {
			value.Description = field.Definition.Description
		}
		*own.Properties.at(field.Alias) = value
		if !absentIfNull && field.Directives.ForName("include") == nil {
			own.Required = append(own.Required, field.Alias)
		}
	}
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			add(s)
		case *ast.FragmentSpread:
			fields := flat(s.Definition.SelectionSet)
			if !slices.ContainsFunc(fields, func(f *ast.Field) bool { return slices.Contains(never, f.Name) }) {
				parts = append(parts, b.fragment(s.Definition))
				continue
			}
			for _, field := range fields {
				add(field)
			}
		default:
			b.fail("a fragment without a name cannot be described")
		}
	}
	if len(own.Properties) > 0 {
		parts = append(parts, own)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &jsonSchema{AllOf: parts}
}

// neverNull returns a field as non-null, if it is one of never.
func neverNull(field *ast.Field, never []string) *ast.Field {
	if !slices.Contains(never, field.Name) {
		return field
	}
	whole, definition := *field, *field.Definition
	definition.Type = notNull(definition.Type)
	whole.Definition = &definition
	return &whole
}

// fragment returns a reference to the component of a fragment.
func (b *builder) fragment(f *ast.FragmentDefinition) *jsonSchema {
	name := componentOf(f.Name)
	return b.component(name, "fragment "+f.Name, func() *jsonSchema {
		defer func(within string) { b.within = within }(b.within)
		b.within = name
		s := b.object(f.SelectionSet)
		s.Description = f.Definition.Description
		return s
	})
}
