package document

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// introspectionSizes are the average lengths of the lists of introspection, in hundredths, by type and field,
// such as "__Type.fields".
type introspectionSizes map[string]int

// measureIntrospection returns the sizes for a schema.
func measureIntrospection(schema *ast.Schema) introspectionSizes {
	var types, fields, arguments, inputs, values, interfaces, members, ofDirectives int
	for _, t := range schema.Types {
		types++
		interfaces += len(t.Interfaces)
		values += len(t.EnumValues)
		members += len(schema.PossibleTypes[t.Name])
		if t.Kind == ast.InputObject {
			inputs += len(t.Fields)
			continue
		}
		for _, f := range t.Fields {
			fields++
			arguments += len(f.Arguments)
		}
	}
	for _, d := range schema.Directives {
		ofDirectives += len(d.Arguments)
	}
	directives := len(schema.Directives)
	return introspectionSizes{
		"__Schema.types":       types * 100,
		"__Schema.directives":  directives * 100,
		"__Directive.args":     ofDirectives * 100 / directives,
		"__Field.args":         arguments * 100 / fields,
		"__Type.fields":        fields * 100 / types,
		"__Type.inputFields":   inputs * 100 / types,
		"__Type.enumValues":    values * 100 / types,
		"__Type.interfaces":    interfaces * 100 / types,
		"__Type.possibleTypes": members * 100 / types,
		"__Type.ofType":        50, // a reference is wrapped once or twice; queries ask for nine
	}
}

// isIntrospection reports whether a field is one of introspection.
func isIntrospection(f *ast.Field) bool {
	return strings.HasPrefix(f.ObjectDefinition.Name, "__") || f.Name == "__schema" || f.Name == "__type"
}
