package openapitest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/platform/strictjson"
)

// proof collects the errors of a document.
type proof struct {
	*document
	ids    map[string]bool // operationIds seen so far
	faults []string
}

func (p *proof) fault(at, format string, args ...any) {
	p.faults = append(p.faults, at+": "+fmt.Sprintf(format, args...))
}

func (p *proof) whole() {
	p.ids = map[string]bool{}
	if p.OpenAPI != "3.1.0" || p.Info.Title == "" || p.Info.Version == "" || len(p.Servers) != 1 {
		p.fault("document", "must be OpenAPI 3.1.0 with title, version and one server")
	}
	if p.Components.Schemas["Error"] == nil {
		p.fault("components", "the schema Error is missing")
	}
	for name, s := range p.Components.Schemas {
		p.schema("schema "+name, s)
	}
	for name, r := range p.Components.Responses {
		p.response("response "+name, r)
	}
	for name, h := range p.Components.Headers {
		p.header("header "+name, h)
	}
	for name, given := range p.Components.Parameters {
		p.schema("parameter "+name, given.Schema)
	}
	for name, s := range p.Components.SecuritySchemes {
		bearer := s.Type == "http" && s.Scheme == "bearer" && s.In == "" && s.Name == ""
		key := s.Type == "apiKey" && s.In == "header" && s.Name != "" && s.Scheme == "" && s.BearerFormat == ""
		if !bearer && !key {
			p.fault("security scheme "+name, "must be of type http with scheme bearer, or of type apiKey with the "+
				"name of a header")
		}
	}
	for path, item := range p.Paths {
		for method, o := range item {
			p.operation(method, path, o)
		}
	}
	slices.Sort(p.faults)
}

var (
	statusForm   = regexp.MustCompile(`^[1-5][0-9][0-9]$`)
	methods      = []string{"get", "post", "put", "patch", "delete"}
	templateName = regexp.MustCompile(`\{([A-Za-z]+)\}`)
)

func (p *proof) operation(method, path string, o *operation) {
	at := method + " " + path
	if !slices.Contains(methods, method) || !strings.HasPrefix(path, "/") {
		p.fault(at, "is no method and path")
	}
	if o.OperationID == "" || p.ids[o.OperationID] {
		p.fault(at, "operationId %q is empty or taken", o.OperationID)
	}
	p.ids[o.OperationID] = true
	if o.Summary == "" || len(o.Tags) != 1 || !slices.ContainsFunc(p.Tags, func(t tag) bool {
		return t.Name == o.Tags[0]
	}) {
		p.fault(at, "must have a summary and one of the document's tags")
	}
	p.parameters(at, path, o)
	p.security(at, o)
	if o.RequestBody != nil {
		if method == "get" || method == "delete" {
			p.fault(at, "must have no body")
		}
		p.media(at+" body", o.RequestBody.Content.JSON)
	}
	successes := 0
	for status, r := range o.Responses {
		if !statusForm.MatchString(status) {
			p.fault(at, "%s is no status", status)
		}
		if strings.HasPrefix(status, "2") {
			successes++
		}
		p.response(at+" "+status, r)
	}
	if successes != 1 {
		p.fault(at, "has %d successes", successes)
	}
}

// security checks that an operation with credentials documents the answer without them.
func (p *proof) security(at string, o *operation) {
	for _, alternative := range o.Security {
		for name := range alternative {
			if _, known := p.Components.SecuritySchemes[name]; !known {
				p.fault(at, "security scheme %s is not described", name)
			}
		}
	}
	if _, told := o.Responses["401"]; len(o.Security) > 0 && !told {
		p.fault(at, "needs credentials and has no 401")
	}
}

// parameters checks that the path's variables and the path parameters are the same, and that none is
// declared twice.
func (p *proof) parameters(at, path string, o *operation) {
	missing := map[string]bool{}
	for _, found := range templateName.FindAllStringSubmatch(path, -1) {
		missing[found[1]] = true
	}
	seen := map[string]bool{}
	for _, declared := range o.Parameters {
		given, err := deref(declared.Ref, "parameters", declared, p.Components.Parameters)
		if err != nil {
			p.fault(at, "%v", err)
			continue
		}
		place := given.In + " " + given.Name
		switch given.In {
		case "path":
			if !given.Required || !missing[given.Name] {
				p.fault(at, "parameter %s must be required and in the path", given.Name)
			}
			delete(missing, given.Name)
		case "query", "header":
		default:
			p.fault(at, "parameter %s is in %q", given.Name, given.In)
		}
		if seen[place] {
			p.fault(at, "parameter %s is declared twice", given.Name)
		}
		seen[place] = true
		p.media(at+" "+given.Name, media{given.Schema, given.Example})
	}
	for name := range missing {
		p.fault(at, "{%s} is not declared", name)
	}
}

func (p *proof) response(at string, declared response) {
	r, err := deref(declared.Ref, "responses", declared, p.Components.Responses)
	if err != nil {
		p.fault(at, "%v", err)
		return
	}
	if r.Description == "" {
		p.fault(at, "has no description")
	}
	for name, h := range r.Headers {
		p.header(at+" "+name, h)
	}
	if r.Content != nil {
		p.media(at, r.Content.JSON)
	}
}

func (p *proof) header(at string, declared header) {
	h, err := deref(declared.Ref, "headers", declared, p.Components.Headers)
	if err != nil {
		p.fault(at, "%v", err)
		return
	}
	p.schema(at, h.Schema)
}

// media checks that an example matches its schema.
func (p *proof) media(at string, m media) {
	p.schema(at, m.Schema)
	if m.Schema != nil {
		p.instance(at, "example", m.Example, m.Schema)
	}
}

// schema checks that a schema's keywords are known, apply to its types, and agree.
func (p *proof) schema(at string, s *schema) {
	if s == nil {
		p.fault(at, "has no schema")
		return
	}
	if _, err := deref(s.Ref, "schemas", s, p.Components.Schemas); err != nil {
		p.fault(at, "%v", err)
		return
	}
	if s.Ref == "" && s.Type == nil && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil {
		p.fault(at, "says nothing of the value")
	}
	for _, name := range s.Type {
		if !slices.Contains(jsonTypes, name) {
			p.fault(at, "type %q is unknown", name)
		}
	}
	p.belongs(at, s, "string", s.Enum != nil || s.Pattern != nil || s.MinLength != nil || s.MaxLength != nil)
	p.belongs(at, s, "array", s.Items != nil || s.MaxItems != nil)
	p.belongs(at, s, "object", s.Properties != nil || s.Required != nil)
	if (s.Minimum != nil || s.Maximum != nil) && !slices.Contains(s.Type, "integer") &&
		!slices.Contains(s.Type, "number") {
		p.fault(at, "has limits of a number and is none")
	}
	if _, known := formats[s.Format]; s.Format != "" && !known {
		p.fault(at, "format %q is unknown", s.Format)
	}
	for _, name := range s.Required {
		if s.Properties[name] == nil {
			p.fault(at, "requires %s, which is not described", name)
		}
	}
	for name, member := range s.Properties {
		p.schema(at+"."+name, member)
	}
	if s.Items != nil {
		p.schema(at+" items", s.Items)
	}
	if s.Not != nil && len(s.Not.Required) == 0 {
		p.fault(at, "excludes every object")
	}
	for _, part := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
		p.schema(at, part)
	}
	p.instance(at, "default", s.Default, s)
}

func (p *proof) belongs(at string, s *schema, jsonType string, used bool) {
	if used && !slices.Contains(s.Type, jsonType) {
		p.fault(at, "has keywords of %s and is none", jsonType)
	}
}

// instance checks that a value in the document, if there is one, matches its schema.
func (p *proof) instance(at, name string, text jsontext.Value, s *schema) {
	if text == nil {
		return
	}
	value, err := strictjson.Value(text, maxDepth)
	if err != nil {
		p.fault(at, "%s: %v", name, err)
		return
	}
	c := check{schemas: p.Components.Schemas}
	c.value(name, value, s)
	for _, wrong := range c.faults {
		p.fault(at, "%s", wrong)
	}
}
