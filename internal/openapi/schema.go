package openapi

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// scalars are the JSON forms of the schema's scalars.
var scalars = map[string]jsonSchema{
	"ID":      {Type: types{"string"}},
	"String":  {Type: types{"string"}},
	"Boolean": {Type: types{"boolean"}},
	"Int":     {Type: types{"integer"}, Format: "int32"},
	"Float":   {Type: types{"number"}},
	"Amount":  {Type: types{"number"}},
	"Decimal": {Type: types{"number"}},
	"Time":    {Type: types{"string"}, Format: "date-time", Pattern: "Z$"},
	"Json":    {Type: types{"string", "number", "boolean", "array"}},
}

// shape gives the schema of the values of a type; object says how an object among them looks.
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
	case ast.Object, ast.InputObject:
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

// enum describes the values of an enum, and what those mean that say so.
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

// input describes an input object: what is optional may be null, which means absent.
func (b *builder) input(d *ast.Definition) *jsonSchema {
	return b.component(d.Name, "input "+d.Name, func() *jsonSchema {
		s := &jsonSchema{Type: types{"object"}, Description: d.Description}
		for _, field := range d.Fields {
			value := b.shape(field.Type, b.input)
			b.say(value, place{field.Description, field.DefaultValue, field.Directives})
			*s.Properties.at(field.Name) = value
			if field.Type.NonNull && field.DefaultValue == nil {
				s.Required = append(s.Required, field.Name)
			}
		}
		return s
	})
}
