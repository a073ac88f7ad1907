package describe

import (
	"math"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/rest"
)

// variable is a variable of an operation with its uses as arguments and members of inputs.
type variable struct {
	name     string
	declared *ast.Type
	fallback *ast.Value // default in the operation
	usedIn   []use
}

// use is an argument or input member of the schema that receives a value.
type use struct {
	description string
	fallback    *ast.Value // default in the schema
	directives  ast.DirectiveList
}

// required reports whether a client must give the variable a value.
func (v variable) required() bool { return v.declared.NonNull && v.fallback == nil }

// uncached reports whether the answer is not cached if the variable has a value.
func (v variable) uncached() bool {
	return slices.ContainsFunc(v.usedIn, func(at use) bool { return at.directives.ForName("uncached") != nil })
}

// variables returns the variables of an operation in their order.
func (b *builder) variables(definition *ast.OperationDefinition) []variable {
	uses := map[string][]use{}
	for _, field := range fieldsIn(definition.SelectionSet) {
		for _, argument := range field.Arguments {
			declared := field.Definition.Arguments.ForName(argument.Name)
			note(argument.Value, use{declared.Description, declared.DefaultValue, declared.Directives}, uses)
		}
	}
	var given []variable
	for _, v := range definition.VariableDefinitions {
		if v.Variable == rest.ChargesVariable {
			continue
		}
		given = append(given, variable{
			name: v.Variable, declared: v.Type, fallback: v.DefaultValue,
			usedIn: append(uses[v.Variable], use{directives: v.Directives}), // its own limits come last, and hold
		})
	}
	return given
}

// note records a use of each variable in the value that is given there.
func note(value *ast.Value, at use, uses map[string][]use) {
	switch value.Kind {
	case ast.Variable:
		uses[value.Raw] = append(uses[value.Raw], at)
	case ast.ListValue:
		for _, child := range value.Children {
			note(child.Value, use{description: at.description, directives: at.directives}, uses)
		}
	case ast.ObjectValue:
		for _, child := range value.Children {
			field := value.Definition.Fields.ForName(child.Name)
			note(child.Value, use{field.Description, field.DefaultValue, field.Directives}, uses)
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

// say adds to the schema of a value the description, default and constraint of a place where it is used.
func (b *builder) say(s *jsonSchema, at use) {
	if s.Description == "" {
		s.Description = at.description
	}
	if at.fallback != nil {
		b.fallback(s, at.fallback)
	}
	if rule := at.directives.ForName("constraint"); rule != nil {
		b.constrain(s, rule)
	}
	if s.Format == "int32" && s.Maximum == nil {
		s.Maximum = new(int64(math.MaxInt32))
	}
}

func (b *builder) fallback(s *jsonSchema, value *ast.Value) {
	given, err := value.Value(nil)
	if err != nil {
		b.fail("default %s: %w", value, err)
	}
	s.Default = given
}

func sentences(text, two string) string {
	if text == "" {
		return two
	}
	return text + " " + two
}
