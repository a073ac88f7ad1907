package document

import (
	"encoding/json"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// orderedPair is a pair of arguments of a field; the first must not be greater than the second.
type orderedPair struct {
	lower, upper *ast.Argument
}

// check adds a fault if the first argument is greater than the second. variables are those that were read. It
// adds none if one of them is absent or has a fault already.
func (p orderedPair) check(bad *fault.Fields, variables map[string]any) {
	isNamed := func(f fault.Field) bool { return f.Field == nameOf(p.lower) || f.Field == nameOf(p.upper) }
	if slices.ContainsFunc(*bad, isNamed) {
		return
	}
	lower, given := numberOf(p.lower.Value, variables)
	upper, alsoGiven := numberOf(p.upper.Value, variables)
	if given && alsoGiven && money.Compare(lower, upper) > 0 {
		bad.Add(nameOf(p.lower), "must not be above %s", nameOf(p.upper))
	}
}

// nameOf returns the name by which the client knows an argument's value.
func nameOf(argument *ast.Argument) string {
	if argument.Value.Kind == ast.Variable {
		return argument.Value.Raw
	}
	return argument.Name
}

// numberOf returns the number given for an argument, as it was written, and whether there is one.
func numberOf(value *ast.Value, variables map[string]any) (text string, ok bool) {
	switch value.Kind {
	case ast.Variable:
		number, ok := variables[value.Raw].(json.Number)
		return string(number), ok
	case ast.NullValue:
		return "", false
	}
	return value.Raw, true
}
