package openapitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// small returns a document of one route, with a schema for its answer and more schemas as `"name": {…},`.
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

// TestContradictionsDoNotLoad makes one error at a time in the small document.
func TestContradictionsDoNotLoad(t *testing.T) {
	whole := small(`{"type": "object"}`, "")
	load(t, whole)
	for _, c := range []struct{ name, old, new, want string }{
		{name: "another version", old: `"3.1.0"`, new: `"3.0.3"`, want: "document: must be OpenAPI 3.1.0"},
		{name: "unknown member", old: `"version": "1"`, new: `"version": "1", "licence": "none"`, want: "licence"},
		{name: "member twice", old: `"version": "1"`, new: `"version": "1", "version": "2"`, want: "duplicate"},
		{name: "no Error", old: `"Error": {`, new: `"Fault": {`, want: "the schema Error is missing"},
		{name: "reference to nothing", old: `"$ref": "#/components/headers/Age"`,
			new: `"$ref": "#/components/headers/Size"`, want: "#/components/headers/Size leads nowhere"},
		{name: "path variable not declared", old: `/dishes/{id}`, new: `/dishes/{id}/{part}`,
			want: "{part} is not declared"},
		{name: "path parameter not in the path", old: `/dishes/{id}`, new: `/dishes`,
			want: "parameter id must be required and in the path"},
		{name: "path parameter not required", old: `"in": "path", "required": true`, new: `"in": "path"`,
			want: "parameter id must be required and in the path"},
		{name: "parameter elsewhere", old: `"in": "header"`, new: `"in": "cookie"`,
			want: `parameter Since is in "cookie"`},
		{name: "parameter twice", old: `{"$ref": "#/components/parameters/Since"}`,
			new:  `{"$ref": "#/components/parameters/Since"}, {"$ref": "#/components/parameters/Since"}`,
			want: "parameter Since is declared twice"},
		{name: "operationId taken", old: `"addDish"`, new: `"dish"`, want: `operationId "dish" is empty or taken`},
		{name: "unknown tag", old: `["All"]`, new: `["None"]`, want: "one of the document's tags"},
		{name: "unknown method", old: `"post":`, new: `"send":`, want: "is no method and path"},
		{name: "body of a GET", old: `"summary": "A dish",`,
			new: `"summary": "A dish", "requestBody": {"required": true, ` +
				`"content": {"application/json": {"schema": {"type": "object"}}}},`, want: "must have no body"},
		{name: "no success", old: `"201":`, new: `"301":`, want: "has 0 successes"},
		{name: "no status", old: `"304":`, new: `"3xx":`, want: "3xx is no status"},
		{name: "credentials of no scheme", old: `"bearer": []`, new: `"basic": []`,
			want: "security scheme basic is not described"},
		{name: "credentials of another kind", old: `"scheme": "bearer"`, new: `"scheme": "basic"`,
			want: "must be of type http with scheme bearer"},
		{name: "a key without a header", old: `"type": "http", "scheme": "bearer", "bearerFormat": "JWT"`,
			new: `"type": "apiKey", "in": "header"`, want: "or of type apiKey with the name of a header"},
		{name: "a key in the query", old: `"type": "http", "scheme": "bearer", "bearerFormat": "JWT"`,
			new: `"type": "apiKey", "in": "query", "name": "key"`, want: "or of type apiKey with the name of a header"},
		{name: "credentials and no 401", old: `"401":`, new: `"403":`, want: "needs credentials and has no 401"},
		{name: "example of another type", old: `"required": true, "schema": {"type": "string"}`,
			new:  `"required": true, "schema": {"type": "string"}, "example": 7`,
			want: "get /dishes/{id} id: example must be string, is integer"},
		{name: "example of a body", old: `{"schema": {"$ref": "#/components/schemas/Error"}}`,
			new:  `{"schema": {"$ref": "#/components/schemas/Error"}, "example": {}}`,
			want: "post /dishes/{id} body: example.code is missing"},
		{name: "example of an answer", old: `{"schema": {"type": "object"}}`,
			new:  `{"schema": {"type": "object"}, "example": []}`,
			want: "get /dishes/{id} 200: example must be object, is array"},
		{name: "no description", old: `"description": "Gone"`, new: `"description": ""`, want: "has no description"},
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
		{"not a URL", "GET", "/v1/\x00", 200, header(), body, "invalid"},
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
