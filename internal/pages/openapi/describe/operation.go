package describe

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/rest"
)

// operation describes a route.
func (b *builder) operation(route rest.Route, q query) operation {
	definition := q.OperationDefinition
	b.within = route.Operation
	o := operation{OperationID: strings.ToLower(route.Operation[:1]) + route.Operation[1:]}
	if i := sectionOf(route); i >= 0 {
		o.Tags = []string{sections[i].Name}
	} else {
		b.fail("no section knows a word of %s", route.Path)
	}
	o.Summary, o.Description = b.headline(definition)
	given := b.variables(definition)
	o.Parameters = b.parameters(route, given, q.example)
	if route.HasBody() {
		o.RequestBody = requestBody{Required: true,
			Content: content{media{b.body(route, given), q.example.Request}}}
	}
	if q.needsSignIn {
		o.Security = []security{{{name: bearerAuth}}}
	}
	if q.needsKey {
		o.Security = []security{{{name: apiKey}}}
	}
	success := o.Responses.at(strconv.Itoa(route.Status))
	*success = response{
		Description: http.StatusText(route.Status),
		Headers:     headers("No-Store", "X-Request-Id"),
		Content:     content{media{b.answer(definition), q.example.Response}},
	}
	if q.takesKey(route) {
		o.Parameters = append(o.Parameters, parameter{Ref: "#/components/parameters/Idempotency-Key"})
		success.Headers = append(success.Headers, headers("Idempotent-Replayed")...)
	}
	if route.Method == http.MethodGet && q.public {
		o.Parameters = append(o.Parameters, parameter{Ref: "#/components/parameters/If-None-Match"})
		success.Headers = headers("ETag", "Cache-Control", "X-Request-Id")
		if slices.ContainsFunc(given, variable.uncached) {
			success.Headers = headers("May-ETag", "May-Cache-Control", "X-Request-Id")
		}
		*o.Responses.at(strconv.Itoa(http.StatusNotModified)) = b.notModified()
	}
	if route.Operation == "SendOtp" {
		success.Headers = append(success.Headers, headers("May-Retry-After")...)
	}
	b.failures(&o, route, q)
	return o
}

// takesKey reports whether a route accepts an Idempotency-Key.
func (q query) takesKey(route rest.Route) bool {
	return (q.needsSignIn || q.needsKey) && route.Method == http.MethodPost
}

// headline returns the summary of a route and its description, which begins with it. Both come from the
// description of the field that the operation is about: the mutation itself, or, in a query, the last object
// on the path of fields without siblings.
func (b *builder) headline(definition *ast.OperationDefinition) (summary, description string) {
	var subject *ast.Field
	for selections := definition.SelectionSet; len(selections) == 1; selections = subject.SelectionSet {
		field, ok := selections[0].(*ast.Field)
		if !ok || len(field.SelectionSet) == 0 && subject != nil {
			break
		}
		subject = field
		if definition.Operation == ast.Mutation {
			break
		}
	}
	if subject == nil {
		b.fail("%s is about more than one field", definition.Name)
		return "", ""
	}
	description = subject.Definition.Description
	if description == "" {
		description = b.graph.Types[subject.Definition.Type.Name()].Description
	}
	if description == "" {
		b.fail("%s is about %s, which has no description", definition.Name, subject.Name)
	}
	summary, _, _ = strings.Cut(description, ". ")
	return strings.TrimSuffix(summary, "."), description
}

// parameters describes the variables that take their value from the path or, if the route has no body, from
// the query.
func (b *builder) parameters(route rest.Route, variables []variable, shown example) []parameter {
	var inPath, inQuery []parameter
	for _, v := range variables {
		p := parameter{Name: v.name, Schema: b.value(v, notNull(v.declared)), Example: shown.Parameters[v.name]}
		p.Description, p.Schema.Description = p.Schema.Description, ""
		switch {
		case inPathOf(route, v.name):
			p.In, p.Required = "path", true
			inPath = append(inPath, p)
		case !route.HasBody():
			p.In, p.Required = "query", v.required()
			inQuery = append(inQuery, p)
		}
		if p.Required && slices.Contains(p.Schema.Type, "string") && p.Schema.MinLength == nil {
			p.Schema.MinLength = new(int64(1)) // an empty one counts as absent
		}
	}
	return append(inPath, inQuery...)
}

// body describes the body of a route: $input, or an object of the variables that are not in the path.
func (b *builder) body(route rest.Route, variables []variable) *jsonSchema {
	members := &jsonSchema{Type: types{"object"}}
	for _, v := range variables {
		switch {
		case inPathOf(route, v.name):
		case v.name == rest.BodyVariable:
			members.AllOf = append(members.AllOf, b.value(v, notNull(v.declared)))
		default:
			*members.Properties.at(v.name) = b.value(v, withNull(v.declared, v.fallback))
			if v.required() {
				members.Required = append(members.Required, v.name)
			}
		}
	}
	if len(members.AllOf) == 1 && len(members.Properties) == 0 {
		return members.AllOf[0]
	}
	return members
}

func inPathOf(route rest.Route, name string) bool {
	return strings.Contains(route.Path+"/", "/{"+name+"}/")
}

func notNull(t *ast.Type) *ast.Type {
	required := *t
	required.NonNull = true
	return &required
}
