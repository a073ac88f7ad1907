package describe

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/platform/convert"
)

// union describes an object of one of two types, each selected by an inline fragment. Schemas allow further
// members, so an object with the members of both types would match either; therefore each type excludes the
// members that only the other has.
func (b *builder) union(d *ast.Definition, selections ast.SelectionSet) *jsonSchema {
	var parts []*ast.InlineFragment
	for _, selection := range selections {
		if part, ok := selection.(*ast.InlineFragment); ok && slices.Contains(d.Types, part.TypeCondition) {
			parts = append(parts, part)
		}
	}
	if len(selections) != 2 || len(parts) != 2 || len(d.Types) != 2 ||
		parts[0].TypeCondition == parts[1].TypeCondition {
		b.fail("union %s must be of two types, each selected by a nameless fragment", d.Name)
		return &jsonSchema{}
	}
	first, second := members(parts[0].SelectionSet), members(parts[1].SelectionSet)
	if len(without(first, second)) == 0 && len(without(second, first)) == 0 {
		b.fail("union %s: %s and %s have the same members", d.Name, parts[0].TypeCondition,
			parts[1].TypeCondition)
	}
	return &jsonSchema{Description: d.Description, OneOf: []*jsonSchema{
		b.alternative(parts[0], without(second, first)),
		b.alternative(parts[1], without(first, second)),
	}}
}

// alternative returns a reference to the component of one type of a union, which excludes the members in
// lacking.
func (b *builder) alternative(part *ast.InlineFragment, lacking []string) *jsonSchema {
	origin := fmt.Sprintf("the nameless fragment on %s in line %d", part.TypeCondition, part.Position.Line)
	return b.component(part.TypeCondition, origin, func() *jsonSchema {
		s := b.object(part.SelectionSet)
		s.Description = b.graph.Types[part.TypeCondition].Description
		if len(lacking) > 0 {
			s.Not = &jsonSchema{Required: lacking}
			for _, name := range lacking {
				*s.Not.Properties.at(name) = &jsonSchema{}
			}
		}
		return s
	})
}

// members returns the names of the members of a selection.
func members(selections ast.SelectionSet) []string {
	return convert.All(flat(selections), func(field *ast.Field) string { return field.Alias })
}

// without returns the names that are not in excluded.
func without(names, excluded []string) []string {
	return slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return slices.Contains(excluded, name) })
}
