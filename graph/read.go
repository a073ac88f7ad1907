package graph

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/partner"
)

// Text is a value that came as text, in a path or a query string. It is read as its declared type.
type Text string

// Dialect is how strictly a door's values are read. The values that are right are the same at both.
type Dialect struct {
	IgnoreUnknown bool   // members that an input does not have are passed over, else they are faults
	NullIsAbsent  bool   // null and "" stand for the default where there is one
	Singles       bool   // one value stands for a list of it, as GraphQL has it
	Body          string // the variable whose members the client sent as the body itself, so that its name is not in their paths
}

// Read reads the variables of an operation strictly, by their declared types and the schema's constraints, and names
// every offending one in a single error. values hold JSON as json.Number, string, bool, nil, []any and map[string]any, or
// Text; what is absent is not in it. In an optional place "" means absent. bad is what the door has found already.
//
// The domain of a partner comes before all that: one that is not the partner's in ctx is INVALID_CREDENTIALS.
func (e *Engine) Read(ctx context.Context, op *Operation, values map[string]any, dialect Dialect, bad fault.Fields) (map[string]any, error) {
	r := reader{schema: e.Schema(), dialect: dialect, bad: slices.Concat(bad, op.bad), domains: slices.Clone(op.domains)}
	read := make(map[string]any, len(op.Definition.VariableDefinitions))
	for _, variable := range op.Definition.VariableDefinitions {
		path := variable.Variable
		if slices.ContainsFunc(bad, func(f fault.Field) bool { return f.Field == path }) {
			continue
		}
		if path == dialect.Body {
			path = ""
		}
		value, given := values[variable.Variable]
		if !given && variable.DefaultValue != nil {
			value, given = literal(variable.DefaultValue), true
		}
		if value, ok := r.member(path, value, given, variable.Type, op.rules[variable.Variable]); ok {
			if value == nil && op.notNull[variable.Variable] { // a default lets the type of such a variable be nullable
				r.bad.Add(path, "must not be null")
				continue
			}
			read[variable.Variable] = value
			if domain, ok := value.(string); ok && op.domainIn[variable.Variable] {
				r.domains = append(r.domains, domain)
			}
		}
	}
	for _, p := range op.pairs {
		p.obeyed(&r.bad, read)
	}
	for _, domain := range r.domains {
		if caller, err := auth.PartnerOf(ctx); err != nil || !partner.Owns(caller, domain) {
			return nil, auth.UnknownPartner()
		}
	}
	return read, r.bad.Err()
}

type reader struct {
	schema  *ast.Schema
	dialect Dialect
	bad     fault.Fields
	domains []string // that were read and must be the calling partner's
}

// literal gives a value that is written in a document the form it would have in JSON.
func literal(v *ast.Value) any {
	switch v.Kind {
	case ast.IntValue, ast.FloatValue:
		return json.Number(v.Raw)
	case ast.ListValue:
		items := make([]any, len(v.Children))
		for i, child := range v.Children {
			items[i] = literal(child.Value)
		}
		return items
	case ast.ObjectValue:
		members := make(map[string]any, len(v.Children))
		for _, child := range v.Children {
			members[child.Name] = literal(child.Value)
		}
		return members
	}
	value, _ := v.Value(nil)
	return value
}

// member reads what may be absent; ok is false when it is, or when it is wrong.
func (r *reader) member(path string, value any, given bool, t *ast.Type, rules []*ast.Directive) (any, bool) {
	if empty := value == "" || value == Text(""); !t.NonNull && empty {
		return nil, false
	}
	if !given || value == nil {
		if t.NonNull {
			r.bad.Add(path, "is required")
			return nil, false
		}
		return nil, given
	}
	return r.value(path, value, t, rules)
}

// value reads what is there and not null.
func (r *reader) value(path string, value any, t *ast.Type, rules []*ast.Directive) (any, bool) {
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
		read, ok = readScalar(&r.bad, path, value, t.NamedType)
	}
	if !ok {
		return nil, false
	}
	before := len(r.bad)
	for _, rule := range rules {
		obey(&r.bad, path, read, rule)
	}
	return read, len(r.bad) == before
}

func (r *reader) list(path string, value any, element *ast.Type, rules []*ast.Directive) (any, bool) {
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
		obey(&r.bad, path, len(items), rule)
	}
	if len(r.bad) > before {
		return nil, false // too many to look at each
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

func (r *reader) object(path string, value any, definition *ast.Definition) (any, bool) {
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
			continue // gqlgen fills it in
		}
		var rules []*ast.Directive
		if rule := field.Directives.ForName(constraint); rule != nil {
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
			if domain, ok := value.(string); ok && field.Directives.ForName(ofPartner) != nil {
				r.domains = append(r.domains, domain)
			}
		}
	}
	if !r.dialect.IgnoreUnknown {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if definition.Fields.ForName(name) == nil {
				r.bad.Add(path+name, "is not a member of %s", definition.Name)
			}
		}
	}
	return read, len(r.bad) == before
}

// clears tells whether a member of a change asks for its value to be taken away, where absence leaves it.
func clears(field *ast.FieldDefinition, value any) bool {
	option := field.Directives.ForName("goField")
	omittable := option != nil && option.Arguments.ForName("omittable") != nil
	return omittable && (value == nil || value == "")
}

// mayClear notes that what must not be empty cannot be cleared.
func (r *reader) mayClear(path string, rules []*ast.Directive) bool {
	before := len(r.bad)
	for _, rule := range rules {
		if rule.Arguments.ForName("minLength") != nil {
			r.bad.Add(path, "must not be empty")
		}
	}
	return len(r.bad) == before
}

// readEnum reads a value of an enum, or notes what is wrong with it.
func readEnum(bad *fault.Fields, path string, value any, definition *ast.Definition) (any, bool) {
	text, ok := value.(string)
	if given, isText := value.(Text); isText {
		text, ok = string(given), true
	}
	if !ok || definition.EnumValues.ForName(text) == nil {
		names := make([]string, len(definition.EnumValues))
		for i, v := range definition.EnumValues {
			names[i] = v.Name
		}
		bad.Add(path, "must be one of %s", strings.Join(names, ", "))
		return nil, false
	}
	return text, true
}

// readScalar reads a value of a scalar type, or notes what is wrong with it.
func readScalar(bad *fault.Fields, path string, value any, name string) (any, bool) {
	text, isText := value.(Text)
	switch name {
	case "Int":
		number, ok := value.(json.Number)
		if isText {
			number, ok = json.Number(text), isNumber(text)
		}
		n, err := strconv.ParseInt(string(number), 10, 64)
		if !ok || err != nil {
			bad.Add(path, "must be an integer")
			return nil, false
		}
		if n > 1<<31-1 || n < -1<<31 {
			bad.Add(path, "must fit 32 bits")
			return nil, false
		}
		return n, true
	case "Decimal", "Float":
		number, ok := value.(json.Number)
		if isText {
			number, ok = json.Number(text), isNumber(text)
		}
		if !ok {
			bad.Add(path, "must be a number")
			return nil, false
		}
		return number, true
	case "Boolean":
		switch value {
		case true, Text("true"), Text("1"):
			return true, true
		case false, Text("false"), Text("0"):
			return false, true
		}
		bad.Add(path, "must be true or false")
		return nil, false
	default: // texts and ids
		bare, ok := value.(string)
		if isText {
			bare, ok = string(text), true
		}
		if !ok {
			bad.Add(path, "must be a string")
			return nil, false
		}
		if !utf8.ValidString(bare) || strings.ContainsRune(bare, 0) {
			bad.Add(path, "must be UTF-8 without U+0000")
			return nil, false
		}
		return bare, true
	}
}

// isNumber tells whether a text is a number as JSON writes it.
func isNumber(text Text) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && json.Valid([]byte(text))
}
