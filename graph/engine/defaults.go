package engine

import (
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// defaults are what the arguments that variables stand for are when these are absent, by variable.
type defaults map[string]*argumentDefault

type argumentDefault struct {
	value any // as ReadVariables would have read it
	uses  int // arguments that have this default
}

// note notes a use of a variable for an argument.
func (d defaults) note(schema *ast.Schema, argument *ast.ArgumentDefinition, given *ast.Value) {
	if given.Kind != ast.Variable || argument.DefaultValue == nil {
		return
	}
	var bad fault.Fields
	value, ok := jsonForm(argument.DefaultValue), true
	if argument.DefaultValue.Kind != ast.EnumValue {
		value, ok = readScalar(&bad, "", value, schema.Types[argument.Type.Name()])
	}
	if !ok || argument.Type.Elem != nil {
		return
	}
	if d[given.Raw] == nil {
		d[given.Raw] = &argumentDefault{value: value}
	}
	if d[given.Raw].value == value {
		d[given.Raw].uses++
	}
}

// ofAbsent returns the value that a variable has wherever it is used when it is absent; false where there is no
// such value.
func (op *Operation) ofAbsent(variable string) (value any, ok bool) {
	if d := op.defaults[variable]; d != nil && d.uses == op.uses[variable] {
		return d.value, true
	}
	return nil, false
}
