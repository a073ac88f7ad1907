package engine

import (
	"context"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// asSent renames the members in a resolver's error to what the client sent: the variable that held a member,
// else the argument (contract 3.5). Other packages use the argument's name, because they do not see the
// document.
func asSent(ctx context.Context, e *fault.Error) *fault.Error {
	field := graphql.GetFieldContext(ctx)
	if len(e.Fields) == 0 || field == nil || field.Field.Field == nil {
		return e
	}
	return e.Renamed(func(member string) string { return sentName(field.Field.Arguments, member) })
}

// sentName follows a path through the values of a document to a variable, and returns the path from there, or
// path itself if it meets none.
func sentName(arguments ast.ArgumentList, path string) string {
	names := strings.Split(path, ".")
	argument := arguments.ForName(names[0])
	if argument == nil {
		return path
	}
	value := argument.Value
	for below := names[1:]; value != nil; below = below[1:] {
		if value.Kind == ast.Variable {
			return strings.Join(append([]string{value.Raw}, below...), ".")
		}
		if len(below) == 0 {
			break
		}
		value = childOf(value, below[0])
	}
	return path
}

// childOf returns a member of an object or an item of a list, or nil if there is none.
func childOf(value *ast.Value, name string) *ast.Value {
	if value.Kind == ast.ObjectValue {
		return value.Children.ForName(name)
	}
	place, err := strconv.Atoi(name)
	if value.Kind != ast.ListValue || err != nil || place < 0 || place >= len(value.Children) {
		return nil
	}
	return value.Children[place].Value
}
