package openapi

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// answer describes the answer of an operation: the field aliased `body`, at any level, else all of the data.
func (b *builder) answer(definition *ast.OperationDefinition) *jsonSchema {
	for selections := definition.SelectionSet; len(selections) == 1; {
		field, ok := selections[0].(*ast.Field)
		if !ok {
			break
		}
		if field.Alias == "body" {
			return b.selected(field)
		}
		selections = field.SelectionSet
	}
	return b.object(definition.SelectionSet)
}

// selected describes the value of a field.
func (b *builder) selected(field *ast.Field) *jsonSchema {
	shown := field.Definition.Type
	var never []string // of its fields are null
	if rule := field.Definition.Directives.ForName("semanticNonNull"); rule != nil {
		shown = notNull(shown) // where it would be null, a route answers with the error
		never = namesIn(rule, "fields")
	}
	return b.shape(shown, func(d *ast.Definition) *jsonSchema {
		switch {
		case d.Kind == ast.Union:
			return b.union(d, field.SelectionSet)
		case never != nil:
			return b.objectWithout(never, field.SelectionSet)
		}
		return b.object(field.SelectionSet)
	})
}

// objectWithout describes an object of the selected fields, of which some are never null here, though
// elsewhere they may be.
func (b *builder) objectWithout(never []string, selections ast.SelectionSet) *jsonSchema {
	s := &jsonSchema{Type: types{"object"}}
	for _, field := range flat(selections) {
		if slices.Contains(never, field.Name) {
			definition := *field.Definition
			definition.Type = notNull(definition.Type)
			whole := *field
			whole.Definition = &definition
			field = &whole
		}
		value := b.selected(field)
		value.Description = field.Definition.Description
		*s.Properties.at(field.Alias) = value
		s.Required = append(s.Required, field.Alias)
	}
	return s
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

// object describes an object of exactly the selected fields. A fragment becomes a component.
func (b *builder) object(selections ast.SelectionSet) *jsonSchema {
	var parts []*jsonSchema
	own := &jsonSchema{Type: types{"object"}}
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			value := b.selected(s)
			value.Description = s.Definition.Description
			*own.Properties.at(s.Alias) = value
			own.Required = append(own.Required, s.Alias)
		case *ast.FragmentSpread:
			parts = append(parts, b.fragment(s.Definition))
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

// fragment returns a reference to the component of a fragment: ProductCard for productCard.
func (b *builder) fragment(f *ast.FragmentDefinition) *jsonSchema {
	name := strings.ToUpper(f.Name[:1]) + f.Name[1:]
	return b.component(name, "fragment "+f.Name, func() *jsonSchema {
		s := b.object(f.SelectionSet)
		s.Description = f.Definition.Description
		return s
	})
}
