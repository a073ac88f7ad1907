package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"storefront/graph/document"
	"storefront/graph/engine"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// BodyVariable is the variable of an operation that takes the whole body.
const BodyVariable = "input"

// read finds the value of each variable of the operation: in the path, else in the body or the query string.
func (e *endpoint) read(w http.ResponseWriter, r *http.Request) (engine.Input, error) {
	values := map[string]any{}
	for _, name := range e.inPath {
		value := r.PathValue(name)
		if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
			value = "\ufffd" // no record has it: NOT_FOUND if all else is right
		}
		values[name] = document.Text(value)
	}
	if e.operation.Definition.VariableDefinitions.ForName(ChargesVariable) != nil {
		does, err := e.charges(r.Context(), r.PathValue("businessId"))
		if err != nil {
			return engine.Input{}, err
		}
		values[ChargesVariable] = does
	}
	if e.HasBody() {
		body, err := wire.ReadObject(w, r)
		if err != nil {
			return engine.Input{}, err
		}
		e.fromBody(values, body)
		return engine.Input{Values: values, What: body}, nil
	}
	query, err := wire.ReadQuery(r, e.isParameter)
	if err != nil {
		return engine.Input{}, err
	}
	return engine.Input{Values: values, Faults: e.fromQuery(values, query)}, nil
}

func (e *endpoint) fromBody(values, body map[string]any) {
	for _, variable := range e.operation.Definition.VariableDefinitions {
		name := variable.Variable
		if name == BodyVariable {
			values[name] = body
		} else if member, given := body[name]; given && e.isParameter(name) {
			values[name] = member
		}
	}
}

// isParameter reports whether a variable takes its value from the parameter of its name.
func (e *endpoint) isParameter(name string) bool {
	return e.operation.Definition.VariableDefinitions.ForName(name) != nil && !slices.Contains(e.inPath, name) &&
		name != ChargesVariable
}

func (e *endpoint) fromQuery(values map[string]any, query url.Values) (bad fault.Fields) {
	for _, variable := range e.operation.Definition.VariableDefinitions {
		name := variable.Variable
		switch given := query[name]; {
		case len(given) > 1:
			bad.Add(name, "must be given once")
		case len(given) == 1 && given[0] != "":
			values[name] = document.Text(given[0])
		}
	}
	return bad
}
