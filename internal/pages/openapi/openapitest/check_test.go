package openapitest

import (
	"net/http"
	"testing"
)

// TestKeywords checks values against every keyword; want is "" where the value is valid.
func TestKeywords(t *testing.T) {
	const more = `
		"Card": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
		"Sent": {"type": "object", "properties": {"id": {"type": "string"}, "at": {"type": "integer"}}, ` +
		`"required": ["id", "at"]},
		"Held": {"type": "object", "properties": {"id": {"type": "string"}, "why": {"type": "string"}}, ` +
		`"required": ["id"], "not": {"required": ["at"]}},
		"Heat": {"type": "string", "enum": ["mild", "hot"]},`
	header := http.Header{"Content-Type": {"application/json"}, "Age": {"5"}}
	for _, c := range []struct{ schema, value, want string }{
		{`{"type": "string"}`, `"a"`, ""},
		{`{"type": "string"}`, `null`, "must be string, is null"},
		{`{"type": ["string", "null"]}`, `null`, ""},
		{`{"type": ["string", "null"]}`, `1`, "must be string or null, is integer"},
		{`{"type": "boolean"}`, `true`, ""},
		{`{"type": "integer"}`, `5`, ""},
		{`{"type": "integer", "format": "int32"}`, `5.0`, ""},
		{`{"type": "integer"}`, `5.1`, "must be integer, is number"},
		{`{"type": "number"}`, `5.50`, ""},
		{`{"type": "number"}`, `5`, ""},
		{`{"type": "number"}`, `"5"`, "must be number, is string"},
		{`{"type": "integer", "format": "int32"}`, `2147483648`, "must be of form int32"},
		{`{"type": "integer", "minimum": 1, "maximum": 3}`, `3`, ""},
		{`{"type": "integer", "minimum": 1, "maximum": 3}`, `0`, "is out of range: 0"},
		{`{"type": "number", "minimum": 1, "maximum": 3}`, `3.5`, "is out of range: 3.5"},
		{`{"type": "string", "minLength": 1, "maxLength": 3}`, `"شیر"`, ""},
		{`{"type": "string", "minLength": 1, "maxLength": 3}`, `""`, "has 0 characters"},
		{`{"type": "string", "minLength": 1, "maxLength": 3}`, `"abcd"`, "has 4 characters"},
		{`{"type": "string", "format": "date-time", "pattern": "Z$"}`, `"2026-02-02T01:00:00.5Z"`, ""},
		{`{"type": "string", "format": "date-time", "pattern": "Z$"}`, `"2026-02-02T01:00:00+01:00"`,
			"must match Z$"},
		{`{"type": "string", "format": "date-time"}`, `"2026-02-02"`, "must be of form date-time"},
		{`{"type": "string", "format": "email"}`, `"a@b.ir"`, ""},
		{`{"type": "string", "format": "email"}`, `"A <a@b.ir>"`, "must be of form email"},
		{`{"type": "string", "format": "cellNumber"}`, `"+989121234567"`, ""},
		{`{"type": "string", "format": "cellNumber"}`, `"12"`, "must be of form cellNumber"},
		{`{"$ref": "#/components/schemas/Heat"}`, `"hot"`, ""},
		{`{"$ref": "#/components/schemas/Heat"}`, `"cold"`, `must be one of mild, hot, is "cold"`},
		{`{"type": "array", "maxItems": 2, "items": {"type": "string"}}`, `["a", "b"]`, ""},
		{`{"type": "array", "maxItems": 2, "items": {"type": "string"}}`, `["a", "b", "c"]`, "has 3 items"},
		{`{"type": "array", "items": {"type": "string"}}`, `["a", 2]`, "1 must be string, is integer"},
		{`{"type": "array"}`, `["a", 2]`, ""},
		{`{"type": "object"}`, `{"any": 1}`, ""},
		{`{"$ref": "#/components/schemas/Card"}`, `{"id": "a"}`, ""},
		{`{"$ref": "#/components/schemas/Card"}`, `{}`, "id is missing"},
		{`{"$ref": "#/components/schemas/Card"}`, `{"id": "a", "name": "b"}`, "name is not documented"},
		{`{"type": "object", "properties": {"card": {"$ref": "#/components/schemas/Card"}}}`, `{"card": {"id": 1}}`,
			"card.id must be string"},
		{`{"type": "object", "properties": {"card": {"$ref": "#/components/schemas/Card"}}}`,
			`{"card": {"id": "a", "name": "b"}}`, "card.name is not documented"},
		{`{"anyOf": [{"$ref": "#/components/schemas/Card"}, {"type": "null"}]}`, `null`, ""},
		{`{"anyOf": [{"$ref": "#/components/schemas/Card"}, {"type": "null"}]}`, `{"id": "a"}`, ""},
		{`{"anyOf": [{"$ref": "#/components/schemas/Card"}, {"type": "null"}]}`, `{"id": 1}`, "id must be string"},
		{`{"anyOf": [{"$ref": "#/components/schemas/Card"}, {"type": "null"}]}`, `{"id": "a", "name": "b"}`,
			"name is not documented"},
		{`{"type": "string", "format": "e164"}`, `"+989121234567"`, ""},
		{`{"type": "string", "format": "e164"}`, `"09121234567"`, "must be of form e164"},
		{`{"type": "string", "format": "password"}`, `"any"`, ""},
		{`{"$ref": "#/components/schemas/Held"}`, `{"id": "a", "at": 1}`, "must not have at"},
		{`{"oneOf": [{"$ref": "#/components/schemas/Sent"}, {"$ref": "#/components/schemas/Held"}]}`,
			`{"id": "a", "at": 1}`, ""},
		{`{"oneOf": [{"$ref": "#/components/schemas/Sent"}, {"$ref": "#/components/schemas/Held"}]}`,
			`{"id": "a"}`, ""},
		{`{"oneOf": [{"$ref": "#/components/schemas/Sent"}, {"$ref": "#/components/schemas/Held"}]}`,
			`{"id": "a", "why": "b"}`, ""},
		{`{"oneOf": [{"$ref": "#/components/schemas/Sent"}, {"$ref": "#/components/schemas/Held"}]}`,
			`{"id": "a", "at": 1, "why": "b"}`, "why is not documented"},
		{`{"oneOf": [{"$ref": "#/components/schemas/Sent"}, {"$ref": "#/components/schemas/Held"}]}`, `{}`,
			"at is missing; id is missing"},
		{`{"oneOf": [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Held"}]}`, `{"id": "a"}`,
			"is 2 of the alternatives at once"},
		{`{"allOf": [{"$ref": "#/components/schemas/Card"}, {"type": "object", "properties": {"name": {"type": ` +
			`"string"}}, "required": ["name"]}]}`, `{"id": "a", "name": "b"}`, ""},
		{`{"allOf": [{"$ref": "#/components/schemas/Card"}, {"type": "object", "properties": {"name": {"type": ` +
			`"string"}}, "required": ["name"]}]}`, `{"name": "b"}`, "id is missing"},
		{`{"allOf": [{"$ref": "#/components/schemas/Card"}, {"type": "object", "properties": {"name": {"type": ` +
			`"string"}}, "required": ["name"]}]}`, `{"id": "a", "name": "b", "x": 1}`, "x is not documented"},
	} {
		d := load(t, small(c.schema, more))
		t.Run(c.schema+" "+c.value, func(t *testing.T) {
			expect(t, d.Answer("GET", "/v1/dishes/7", 200, header, []byte(c.value)), c.want)
		})
	}
}
