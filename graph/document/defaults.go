package document

import (
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// defaults are the argument defaults that apply when variables are absent, by variable.
type defaults map[string]*argumentDefault

type argumentDefault struct {
	value any // as Read would read it
	uses  int // the number of arguments with this default
}

// note records that a variable is used for an argument.
func (d defaults) note(schema *ast.Schema, argument *ast.ArgumentDefinition, use *ast.Value) {
	if use.Kind != ast.Variable || argument.DefaultValue == nil {
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
	if d[use.Raw] == nil {
		d[use.Raw] = &argumentDefault{value: value}
	}
	if d[use.Raw].value == value {
		d[use.Raw].uses++
	}
}

// Default returns the value that an absent variable has in all places where it is used, and whether there is
// one such value.
func (op *Operation) Default(variable string) (value any, ok bool) {
	if d := op.defaults[variable]; d != nil && d.uses == op.uses[variable] {
		return d.value, true
	}
	return nil, false
}
