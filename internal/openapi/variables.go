package openapi

import "github.com/vektah/gqlparser/v2/ast"

// variable is a variable of an operation with the places where it is used: arguments and members of inputs.
type variable struct {
	name     string
	declared *ast.Type
	fallback *ast.Value // its default in the operation
	usedIn   []place
}

// place is what the schema says where a value goes.
type place struct {
	description string
	fallback    *ast.Value // its default
	directives  ast.DirectiveList
}

// required tells whether a client must give the variable a value.
func (v variable) required() bool { return v.declared.NonNull && v.fallback == nil }

// variables gives the variables of an operation in their order.
func (b *builder) variables(definition *ast.OperationDefinition) []variable {
	places := map[string][]place{}
	findPlaces(definition.SelectionSet, places)
	given := make([]variable, len(definition.VariableDefinitions))
	for i, v := range definition.VariableDefinitions {
		given[i] = variable{v.Variable, v.Type, v.DefaultValue, places[v.Variable]}
	}
	return given
}

func findPlaces(selections ast.SelectionSet, places map[string][]place) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			for _, argument := range s.Arguments {
				declared := s.Definition.Arguments.ForName(argument.Name)
				note(argument.Value, place{declared.Description, declared.DefaultValue, declared.Directives}, places)
			}
			findPlaces(s.SelectionSet, places)
		case *ast.InlineFragment:
			findPlaces(s.SelectionSet, places)
		case *ast.FragmentSpread:
			findPlaces(s.Definition.SelectionSet, places)
		}
	}
}

// note notes a place for the variables in the value that stands there.
func note(value *ast.Value, at place, places map[string][]place) {
	switch value.Kind {
	case ast.Variable:
		places[value.Raw] = append(places[value.Raw], at)
	case ast.ListValue:
		for _, child := range value.Children {
			note(child.Value, place{description: at.description, directives: at.directives}, places)
		}
	case ast.ObjectValue:
		for _, child := range value.Children {
			field := value.Definition.Fields.ForName(child.Name)
			note(child.Value, place{field.Description, field.DefaultValue, field.Directives}, places)
		}
	}
}

// value describes the values of a variable, read as type t.
func (b *builder) value(v variable, t *ast.Type) *jsonSchema {
	s := b.shape(t, b.input)
	for _, at := range v.usedIn {
		b.say(s, at)
	}
	if v.fallback != nil {
		b.fallback(s, v.fallback)
	}
	return s
}

// say adds to the schema of a value what the place says where the value goes.
func (b *builder) say(s *jsonSchema, at place) {
	if s.Description == "" {
		s.Description = at.description
	}
	if at.fallback != nil {
		b.fallback(s, at.fallback)
	}
	if rule := at.directives.ForName("constraint"); rule != nil {
		b.constrain(s, rule)
	}
}

func (b *builder) fallback(s *jsonSchema, value *ast.Value) {
	given, err := value.Value(nil)
	if err != nil {
		b.fail("default %s: %w", value, err)
	}
	s.Default = given
}

func sentences(one, two string) string {
	if one == "" {
		return two
	}
	return one + " " + two
}
