package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// scalars maps the scalars of the GraphQL schema to their JSON forms.
var scalars = map[string]jsonSchema{
	"ID":      {Type: types{"string"}},
	"String":  {Type: types{"string"}},
	"Boolean": {Type: types{"boolean"}},
	"Int":     {Type: types{"integer"}, Format: "int32"},
	"Float":   decimal,
	"Amount":  decimal,
	"Decimal": decimal,
	"Time":    {Type: types{"string"}, Format: "date-time", Pattern: "Z$"},
	"Json": {OneOf: []*jsonSchema{{Type: types{"string"}}, &decimal, {Type: types{"boolean"}},
		{Type: types{"array"}, Items: &jsonSchema{Type: types{"string"}}}}},
}

// decimal is a number with decimals. Without the format some generators use 32-bit floats, which hold only
// seven digits.
var decimal = jsonSchema{Type: types{"number"}, Format: "double"}

// shape returns the schema of the values of a type; object describes an object or a union within it.
func (b *builder) shape(t *ast.Type, object func(*ast.Definition) *jsonSchema) *jsonSchema {
	s := &jsonSchema{}
	if t.Elem != nil {
		s.Type, s.Items = types{"array"}, b.shape(t.Elem, object)
	} else {
		s = b.named(b.graph.Types[t.NamedType], object)
	}
	if !t.NonNull {
		return orNull(s)
	}
	if t.NamedType == "ID" {
		s.MinLength = new(int64(1))
	}
	return s
}

func (b *builder) named(d *ast.Definition, object func(*ast.Definition) *jsonSchema) *jsonSchema {
	switch d.Kind {
	case ast.Scalar:
		s, known := scalars[d.Name]
		if !known {
			b.fail("scalar %s has no JSON form", d.Name)
		}
		return &s
	case ast.Enum:
		return b.component(d.Name, "enum "+d.Name, func() *jsonSchema { return enum(d) })
	case ast.Object, ast.InputObject, ast.Union:
		return object(d)
	}
	b.fail("%s %s cannot be described", strings.ToLower(string(d.Kind)), d.Name)
	return &jsonSchema{}
}

// orNull lets a value also be null.
func orNull(s *jsonSchema) *jsonSchema {
	if s.Type == nil {
		return &jsonSchema{AnyOf: []*jsonSchema{s, {Type: types{"null"}}}}
	}
	s.Type = append(s.Type[:len(s.Type):len(s.Type)], "null")
	return s
}

// enum describes an enum, with the descriptions of its values where they have one.
func enum(d *ast.Definition) *jsonSchema {
	s := &jsonSchema{Type: types{"string"}, Description: d.Description}
	for _, value := range d.EnumValues {
		s.Enum = append(s.Enum, value.Name)
		if value.Description != "" {
			s.Description = sentences(s.Description, fmt.Sprintf("`%s`: %s", value.Name, value.Description))
		}
	}
	return s
}

// input describes an input object. An optional member may be null, which means absent or, in a change, clears
// it.
func (b *builder) input(d *ast.Definition) *jsonSchema {
	return b.component(d.Name, "input "+d.Name, func() *jsonSchema {
		s := &jsonSchema{Type: types{"object"}, Description: d.Description}
		for _, field := range d.Fields {
			value := b.shape(inputType(field), b.input)
			b.say(value, use{field.Description, field.DefaultValue, field.Directives})
			if clears(field) && !strings.Contains(value.Description, "Null clears it.") {
				value.Description = sentences(value.Description, "Null clears it.")
			}
			*s.Properties.at(field.Name) = value
			if field.Type.NonNull && field.DefaultValue == nil {
				s.Required = append(s.Required, field.Name)
			}
		}
		if rule := d.Directives.ForName("anyOf"); rule != nil {
			for _, name := range namesIn(rule, "members") {
				if field := d.Fields.ForName(name); field != nil {
					s.AnyOf = append(s.AnyOf, b.having(field))
				} else {
					b.fail("%s has no member %s", d.Name, name)
				}
			}
		}
		return s
	})
}

// having describes an object that has a member, neither null nor empty unless that clears it.
func (b *builder) having(field *ast.FieldDefinition) *jsonSchema {
	value := b.shape(notNull(field.Type), b.input)
	if clears(field) {
		value = b.shape(inputType(field), b.input)
	} else if slices.Contains(value.Type, "string") {
		value.MinLength = new(int64(1))
	}
	return &jsonSchema{Type: types{"object"}, Properties: ordered[*jsonSchema]{{field.Name, value}},
		Required: []string{field.Name}}
}

// omittable reports whether a member belongs to a change: if it is absent, the value stays.
func omittable(field *ast.FieldDefinition) bool {
	option := field.Directives.ForName("goField")
	return option != nil && option.Arguments.ForName("omittable") != nil
}

// clears reports whether null clears a member of a change: it does not if the empty text would be too short.
func clears(field *ast.FieldDefinition) bool {
	rule := field.Directives.ForName("constraint")
	return omittable(field) && (rule == nil || rule.Arguments.ForName("minLength") == nil)
}

// inputType returns the type of a member. It is nullable only if null has a meaning: absent, or cleared.
func inputType(field *ast.FieldDefinition) *ast.Type {
	if omittable(field) && !clears(field) {
		return notNull(field.Type)
	}
	return withNull(field.Type, field.DefaultValue)
}

// withNull returns the type of a place for which null means its default, if it has one.
func withNull(t *ast.Type, fallback *ast.Value) *ast.Type {
	if fallback == nil {
		return t
	}
	nullable := *t
	nullable.NonNull = false
	return &nullable
}
