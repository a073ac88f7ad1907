package openapitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// small is a document of one route, with a schema for its answer and more schemas as `"name": {…},`.
func small(answer, more string) string {
	return fmt.Sprintf(`{
		"openapi": "3.1.0", "info": {"title": "Small", "version": "1", "description": ""}, "servers": [{"url": `+
		`"/v1"}],
		"tags": [{"name": "All", "description": ""}],
		"paths": {"/dishes/{id}": {"get": {
			"operationId": "dish", "tags": ["All"], "summary": "A dish", "parameters": [
				{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
				{"$ref": "#/components/parameters/Since"}
			],
			"responses": {
				"200": {"description": "OK", "headers": {"Age": {"$ref": "#/components/headers/Age"}}, "content": `+
		`{"application/json": {"schema": %s}}},
				"304": {"description": "Still true"},
				"404": {"$ref": "#/components/responses/Missing"}
			}
		}, "post": {
			"operationId": "addDish", "tags": ["All"], "summary": "Adds", "parameters": [
				{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}
			],
			"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": `+
		`"#/components/schemas/Error"}}}},
			"security": [{"bearer": []}],
			"responses": {"401": {"$ref": "#/components/responses/Missing"}, "201": {"description": "Created", `+
		`"content": {"application/json": {"schema": {"type": "object"}}}}}
		}}},
		"components": {
			"schemas": {%s "Error": {"type": "object", "properties": {"code": {"type": "string"}}, "required": `+
		`["code"]}},
			"responses": {"Missing": {"description": "Gone", "content": {"application/json": {"schema": {"$ref": `+
		`"#/components/schemas/Error"}}}}},
			"parameters": {"Since": {"name": "Since", "in": "header", "schema": {"type": "string"}}},
			"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", `+
		`"description": ""}},
			"headers": {"Age": {"description": "Seconds", "required": true, "schema": {"type": "integer", `+
		`"minimum": 0}}}
		}
	}`, answer, more)
}

func load(t testing.TB, text string) *Document {
	t.Helper()
	d, err := Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestContradictionsDoNotLoad breaks the small document in one place at a time.
func TestContradictionsDoNotLoad(t *testing.T) {
	whole := small(`{"type": "object"}`, "")
	load(t, whole)
	for _, c := range []struct{ name, old, new, want string }{
		{"another version", `"3.1.0"`, `"3.0.3"`, "document: must be OpenAPI 3.1.0"},
		{"unknown member", `"version": "1"`, `"version": "1", "licence": "none"`, "licence"},
		{"member twice", `"version": "1"`, `"version": "1", "version": "2"`, "duplicate"},
		{"no Error", `"Error": {`, `"Fault": {`, "the schema Error is missing"},
		{"reference to nothing", `"$ref": "#/components/headers/Age"`, `"$ref": "#/components/headers/Size"`,
			"#/components/headers/Size leads nowhere"},
		{"path variable not declared", `/dishes/{id}`, `/dishes/{id}/{part}`, "{part} is not declared"},
		{"path parameter not in the path", `/dishes/{id}`, `/dishes`,
			"parameter id must be required and in the path"},
		{"path parameter not required", `"in": "path", "required": true`, `"in": "path"`,
			"parameter id must be required and in the path"},
		{"parameter elsewhere", `"in": "header"`, `"in": "cookie"`, `parameter Since is in "cookie"`},
		{"parameter twice", `{"$ref": "#/components/parameters/Since"}`,
			`{"$ref": "#/components/parameters/Since"}, {"$ref": "#/components/parameters/Since"}`,
			"parameter Since is declared twice"},
		{"operationId taken", `"addDish"`, `"dish"`, `operationId "dish" is empty or taken`},
		{"unknown tag", `["All"]`, `["None"]`, "one of the document's tags"},
		{"unknown method", `"post":`, `"send":`, "is no method and path"},
		{"body of a GET", `"summary": "A dish",`, `"summary": "A dish", "requestBody": {"required": true, ` +
			`"content": {"application/json": {"schema": {"type": "object"}}}},`, "must have no body"},
		{"no success", `"201":`, `"301":`, "has 0 successes"},
		{"no status", `"304":`, `"3xx":`, "3xx is no status"},
		{"credentials of no scheme", `"bearer": []`, `"basic": []`, "security scheme basic is not described"},
		{"credentials of another kind", `"scheme": "bearer"`, `"scheme": "basic"`,
			"must be of type http with scheme bearer"},
		{"a key without a header", `"type": "http", "scheme": "bearer", "bearerFormat": "JWT"`,
			`"type": "apiKey", "in": "header"`, "or of type apiKey with the name of a header"},
		{"a key in the query", `"type": "http", "scheme": "bearer", "bearerFormat": "JWT"`,
			`"type": "apiKey", "in": "query", "name": "key"`, "or of type apiKey with the name of a header"},
		{"credentials and no 401", `"401":`, `"403":`, "needs credentials and has no 401"},
		{"example of another type", `"required": true, "schema": {"type": "string"}`,
			`"required": true, "schema": {"type": "string"}, "example": 7`,
			"get /dishes/{id} id: example must be string, is integer"},
		{"example of a body", `{"schema": {"$ref": "#/components/schemas/Error"}}`,
			`{"schema": {"$ref": "#/components/schemas/Error"}, "example": {}}`,
			"post /dishes/{id} body: example.code is missing"},
		{"example of an answer", `{"schema": {"type": "object"}}`, `{"schema": {"type": "object"}, "example": []}`,
			"get /dishes/{id} 200: example must be object, is array"},
		{"no description", `"description": "Gone"`, `"description": ""`, "has no description"},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := strings.Replace(whole, c.old, c.new, 1)
			if broken == whole {
				t.Fatalf("%s is not in the document", c.old)
			}
			if _, err := Load([]byte(broken)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestContradictingSchemasDoNotLoad(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{}`, "says nothing of the value"},
		{`{"type": "text"}`, `type "text" is unknown`},
		{`{"type": "string", "minimum": 1}`, "limits of a number"},
		{`{"type": "integer", "maxLength": 1}`, "keywords of string"},
		{`{"type": "string", "maxItems": 1}`, "keywords of array"},
		{`{"type": "array", "required": ["a"]}`, "keywords of object"},
		{`{"type": "object", "required": ["a"]}`, "requires a, which is not described"},
		{`{"type": "string", "format": "uuid"}`, `format "uuid" is unknown`},
		{`{"type": "string", "pattern": "("}`, "pattern"},
		{`{"type": "string", "minlength": 1}`, "minlength"},
		{`{"type": "integer", "default": "a"}`, "default must be integer, is string"},
		{`{"$ref": "#/components/schemas/None"}`, "leads nowhere"},
		{`{"anyOf": [{"$ref": "#/components/schemas/None"}]}`, "leads nowhere"},
		{`{"oneOf": [{"$ref": "#/components/schemas/None"}]}`, "leads nowhere"},
		{`{"type": "object", "not": {"required": []}}`, "excludes every object"},
		{`{"type": "object", "not": {"type": "null"}}`, "type"},
		{`{"type": "array", "items": {"type": "none"}}`, `type "none" is unknown`},
		{`{"type": "object", "properties": {"a": {"type": "none"}}}`, `type "none" is unknown`},
	} {
		if _, err := Load([]byte(small(c.schema, ""))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.schema, err, c.want)
		}
	}
}

func TestAnswer(t *testing.T) {
	d := load(t, small(`{"$ref": "#/components/schemas/Error"}`, ""))
	header := func(pairs ...string) http.Header {
		h := http.Header{"Content-Type": {"application/json"}, "Age": {"5"}}
		for i := 0; i < len(pairs); i += 2 {
			h[pairs[i]] = strings.Split(pairs[i+1], "|")
		}
		return h
	}
	const body = `{"code":"a"}`
	for _, c := range []struct {
		name, method, target string
		status               int
		header               http.Header
		body, want           string // want "" where the answer is as documented
	}{
		{"success", "GET", "/v1/dishes/7?a=b", 200, header(), body, ""},
		{"slash at the end", "GET", "/v1/dishes/7/", 200, header(), body, ""},
		{"charset", "GET", "/v1/dishes/7", 200, header("Content-Type", "application/json; charset=utf-8"), body,
			""},
		{"HEAD", "HEAD", "/v1/dishes/7", 200, header(), "", ""},
		{"HEAD with a body", "HEAD", "/v1/dishes/7", 200, header(), body, "has a body"},
		{"documented failure", "GET", "/v1/dishes/7", 404, header(), body, ""},
		{"no content", "GET", "/v1/dishes/7", 304, header(), "", ""},
		{"no content with a body", "GET", "/v1/dishes/7", 304, header(), body, "has a body"},
		{"status not documented", "GET", "/v1/dishes/7", 409, header(), body, "status 409 is not documented"},
		{"no route", "GET", "/v1/cooks", 404, header(), body, ""},
		{"no route and no failure", "GET", "/v1/cooks", 200, header(), body, "no documented route, and status 200"},
		{"no route and another body", "GET", "/v1/cooks", 404, header(), `{"message":"a"}`,
			"code is missing; message is not documented"},
		{"other method", "DELETE", "/v1/dishes/7", 405, header(), body, ""},
		{"header empty", "GET", "/v1/dishes/7", 200, header("Age", ""), body, "header Age is out of range"},
		{"header twice", "GET", "/v1/dishes/7", 200, header("Age", "1|2"), body, "header Age is there 2 times"},
		{"header out of range", "GET", "/v1/dishes/7", 200, header("Age", "-1"), body,
			"header Age is out of range: -1"},
		{"media type", "GET", "/v1/dishes/7", 200, header("Content-Type", "text/html"), body,
			`must be application/json, is "text/html"`},
		{"no JSON", "GET", "/v1/dishes/7", 200, header(), "{", "is no JSON"},
		{"key twice", "GET", "/v1/dishes/7", 200, header(), `{"code":"a","code":"b"}`, "is no JSON"},
		{"target that is none", "GET", "/v1/\x00", 200, header(), body, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, d.Answer(c.method, c.target, c.status, c.header, []byte(c.body)), c.want)
		})
	}
	expect(t, d.Answer("GET", "/v1/dishes/7", 200, http.Header{"Content-Type": {"application/json"}},
		[]byte(body)), "header Age is missing")
	expect(t, d.Request("POST", "/v1/dishes/7", []byte(body)), "")
	expect(t, d.Request("POST", "/v1/dishes/7", []byte(`{}`)), "code is missing")
	if d.NeedsToken("GET", "/v1/dishes/7") || d.NeedsToken("POST", "/v1/cooks") ||
		!d.NeedsToken("POST", "/v1/dishes/7") {
		t.Error("only adding a dish needs a token")
	}
	expect(t, d.Request("GET", "/v1/dishes/7", []byte(body)), "takes no body")
}

func expect(t testing.TB, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
