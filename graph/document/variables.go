package document

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/platform/convert"
)

// Dialect is how values are read: REST and GraphQL write some of them differently.
type Dialect struct {
	IgnoreUnknown bool   // unknown members of an input are ignored, else they are faults
	NullIsAbsent  bool   // null and "" mean the default if there is one
	Singles       bool   // one value stands for a list of it, as in GraphQL
	Body          string // the variable that is the whole body: paths of its members do not begin with its name
}

// Wrong holds the faults of the values of a request.
type Wrong struct {
	All             fault.Fields // empty if all values are right
	ofVariables     fault.Fields // those that were given for variables
	beforeVariables bool         // some were found before the variables were read
}

// Read reads the variables of an operation strictly, by their declared types and the schema's constraints. values hold
// JSON as json.Number, string, bool, nil, []any and map[string]any, or Text; absent variables have no entry. In an
// optional place "" means absent. bad holds the faults found before.
//
// variables have an int64 for Int, a json.Number for Float and decimals, and else what JSON has. Those that are wrong
// or absent have no entry. Each of partnerDomains must be the calling partner's.
func (op *Operation) Read(
	values map[string]any, dialect Dialect, bad fault.Fields,
) (variables map[string]any, partnerDomains []string, wrong Wrong) {
	r := valueReader{
		schema: op.reader.Schema, dialect: dialect,
		bad: slices.Concat(bad, op.faults), partnerDomains: slices.Clone(op.partnerDomains),
	}
	variables = make(map[string]any, len(op.Definition.VariableDefinitions))
	for _, variable := range op.Definition.VariableDefinitions {
		path := variable.Variable
		if slices.ContainsFunc(bad, func(f fault.Field) bool { return f.Field == path }) {
			continue
		}
		if path == dialect.Body {
			path = ""
		}
		value, given := values[variable.Variable]
		if variable.DefaultValue != nil && (!given || dialect.NullIsAbsent && !isGiven(value)) {
			value, given = jsonForm(variable.DefaultValue), true
		}
		if value, ok := r.member(path, value, given, variable.Type, op.constraints[variable.Variable]); ok {
			if value == nil && op.notNull[variable.Variable] { // its type may be nullable because of a default
				r.bad.Add(path, "must not be null")
				continue
			}
			variables[variable.Variable] = value
			if domain, ok := value.(string); ok && op.partnerDomainIn[variable.Variable] {
				r.partnerDomains = append(r.partnerDomains, domain)
			}
		}
	}
	wrong = Wrong{ofVariables: r.bad[len(bad)+len(op.faults):], beforeVariables: len(bad) > 0}
	op.checkPairs(&r.bad, variables)
	wrong.All = r.bad
	return variables, r.partnerDomains, wrong
}

// checkPairs checks the arguments that belong together: those of which one must not exceed the other, and those that
// name a shop. variables are those that were read.
func (op *Operation) checkPairs(bad *fault.Fields, variables map[string]any) {
	for _, p := range op.ordered {
		p.check(bad, variables)
	}
	for _, shop := range op.shops {
		shop.check(bad, variables)
	}
}

// valueReader reads the values of one call.
type valueReader struct {
	schema  *ast.Schema
	dialect Dialect
	bad     fault.Fields

	partnerDomains []string // that were read; each must be the calling partner's
}

// jsonForm returns a literal value of a document as decoded JSON.
func jsonForm(v *ast.Value) any {
	switch v.Kind {
	case ast.IntValue, ast.FloatValue:
		return json.Number(v.Raw)
	case ast.ListValue:
		return convert.All(v.Children, func(child *ast.ChildValue) any { return jsonForm(child.Value) })
	case ast.ObjectValue:
		members := make(map[string]any, len(v.Children))
		for _, child := range v.Children {
			members[child.Name] = jsonForm(child.Value)
		}
		return members
	}
	value, _ := v.Value(nil)
	return value
}

// member reads a value that may be absent; ok is false if it is absent or wrong.
func (r *valueReader) member(path string, value any, present bool, t *ast.Type, rules []*ast.Directive) (any, bool) {
	if empty := value == "" || value == Text(""); !t.NonNull && empty {
		return nil, false
	}
	if !present || value == nil {
		if t.NonNull {
			r.bad.Add(path, "is required")
			return nil, false
		}
		return nil, present
	}
	return r.value(path, value, t, rules)
}

// value reads a value that is not null.
func (r *valueReader) value(path string, value any, t *ast.Type, rules []*ast.Directive) (any, bool) {
	if t.Elem != nil {
		return r.list(path, value, t.Elem, rules)
	}
	definition := r.schema.Types[t.NamedType]
	var read any
	var ok bool
	switch definition.Kind {
	case ast.InputObject:
		return r.object(path, value, definition)
	case ast.Enum:
		read, ok = readEnum(&r.bad, path, value, definition)
	default:
		read, ok = readScalar(&r.bad, path, value, definition)
	}
	if !ok {
		return nil, false
	}
	before := len(r.bad)
	for _, rule := range rules {
		checkConstraint(&r.bad, path, read, rule)
		if len(r.bad) > before && rule.Location == ast.LocationVariableDefinition {
			break // the rule of the document is narrower than those of the schema
		}
	}
	return read, len(r.bad) == before
}

func (r *valueReader) list(path string, value any, element *ast.Type, rules []*ast.Directive) (any, bool) {
	items, ok := value.([]any)
	if !ok && r.dialect.Singles {
		items, ok = []any{value}, true
	}
	if !ok {
		r.bad.Add(path, "must be a list")
		return nil, false
	}
	before := len(r.bad)
	for _, rule := range rules {
		checkConstraint(&r.bad, path, len(items), rule)
	}
	if len(r.bad) > before {
		return nil, false // too many to check each
	}
	read := make([]any, len(items))
	for i, item := range items {
		place := path + "." + strconv.Itoa(i)
		if item == nil {
			if element.NonNull {
				r.bad.Add(place, "must not be null")
			}
			continue
		}
		read[i], _ = r.value(place, item, element, rules)
	}
	return read, len(r.bad) == before
}

func (r *valueReader) object(path string, value any, definition *ast.Definition) (any, bool) {
	members, ok := value.(map[string]any)
	if !ok {
		r.bad.Add(path, "must be an object")
		return nil, false
	}
	if path != "" {
		path += "."
	}
	before := len(r.bad)
	read := make(map[string]any, len(definition.Fields))
	for _, field := range definition.Fields {
		value, given := members[field.Name]
		if field.DefaultValue != nil && (!given || r.dialect.NullIsAbsent && (value == nil || value == "")) {
			continue // gqlgen fills in the default
		}
		var rules []*ast.Directive
		if rule := field.Directives.ForName("constraint"); rule != nil {
			rules = []*ast.Directive{rule}
		}
		if given && clears(field, value) {
			if r.mayClear(path+field.Name, rules) {
				read[field.Name] = nil
			}
			continue
		}
		if value, ok := r.member(path+field.Name, value, given, field.Type, rules); ok {
			read[field.Name] = value
			if domain, ok := value.(string); ok && field.Directives.ForName("ofPartner") != nil {
				r.partnerDomains = append(r.partnerDomains, domain)
			}
		}
	}
	checkAnyOf(&r.bad, path, definition, func(member *ast.FieldDefinition) bool {
		value, given := members[member.Name]
		return isGiven(value) || given && clears(member, value)
	})
	if !r.dialect.IgnoreUnknown {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if definition.Fields.ForName(name) == nil {
				r.bad.Add(path+name, "is not a member of %s", definition.Name)
			}
		}
	}
	return read, len(r.bad) == before
}

// clears reports whether a member of a change clears the stored value, which an absent member keeps.
func clears(field *ast.FieldDefinition, value any) bool {
	option := field.Directives.ForName("goField")
	omittable := option != nil && option.Arguments.ForName("omittable") != nil
	return omittable && (value == nil || value == "")
}

// mayClear reports whether a member may be cleared, and adds a fault if it must not be empty.
func (r *valueReader) mayClear(path string, rules []*ast.Directive) bool {
	before := len(r.bad)
	for _, rule := range rules {
		if rule.Arguments.ForName("minLength") != nil {
			r.bad.Add(path, "must not be empty")
		}
	}
	return len(r.bad) == before
}

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
