// Package describe generates the OpenAPI 3.1 document of the REST routes from the route table, the operations behind
// the routes and the GraphQL schema, the same three that answer requests, so that the document cannot disagree with the
// service. The service does not import it: `make generate` writes the document into package openapi.
//
// Document goes through the routes: operation.go describes a route, answer.go and union.go its success from
// the fields that the operation selects, errors.go its failures from the codes that those fields name
// (codes.go), schema.go and constraints.go the types. Package openapitest checks answers against the document.
package describe

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/document"
	"storefront/graph/exec"
	"storefront/rest"
)

// about is the introduction of the document: the wire rules of every route (contract 1).
const about = `Content, catalog and forms of many shops on one service, and the accounts of their customers. ` +
	`The domain in a path names the shop.

Ids are opaque strings. Times are RFC 3339 in UTC. Amounts are exact decimal numbers of the currency beside them. ` +
	`An absent value is null. Members may be added to answers; parameters and members that are ` +
	`not documented are ignored.

In an optional place null and the empty text mean absent; in a PATCH, where what is absent stays, they clear. ` +
	`Lengths are of the trimmed text, in Unicode code points. A body has at most 256 KiB and 32 levels.

Messages are in English, or in Farsi where Accept-Language likes that better. Decide by codes; messages are for people.

Every GET may be sent as HEAD, and every path may end in a slash. A path that is not listed answers 404, ` +
	`and a method that is not listed 405 with Allow, with the same Error as everything else.`

// serverURL is relative to the document's own URL, so that it holds below any path of a reverse proxy.
const serverURL = "." + rest.Prefix

// Document returns the OpenAPI document of all routes: indented JSON, the same bytes each time. It fails when
// a route, its operation and the schema disagree, or when one of them uses something that this package cannot
// describe.
func Document() ([]byte, error) {
	reader := document.NewReader(document.Options{Schema: exec.PublicSchema()})
	operations, errs := reader.Parse(rest.Operations())
	if len(errs) > 0 {
		return nil, fmt.Errorf("operations.graphql: %w", errs)
	}
	var broken []error
	d, err := describe(reader.Schema, func(name string) (query, bool) {
		op, err := operations.Operation(name)
		if err != nil {
			return query{}, false
		}
		shown, err := exampleOf(name)
		broken = append(broken, err)
		return query{
			OperationDefinition: op.Definition,
			public:              op.Public(),
			needsSignIn:         op.SignIn == document.SignInRequired,
			needsKey:            op.NeedsKey,
			example:             shown,
		}, true
	}, rest.Routes)
	if err := errors.Join(append(broken, err)...); err != nil {
		return nil, err
	}
	return text(d)
}

func text(part any) ([]byte, error) {
	written, err := json.Marshal(part, jsontext.WithIndent("  "), jsontext.EscapeForJS(true))
	return append(written, '\n'), err
}

// query is a GraphQL operation with who may call it and an example.
type query struct {
	*ast.OperationDefinition
	public      bool // answers everybody alike
	needsSignIn bool // answers signed-in customers only
	needsKey    bool // answers partners only
	example     example
}

func describe(schema *ast.Schema, find func(name string) (query, bool), routes []rest.Route) (description, error) {
	b := &builder{
		graph: schema, shapes: shapes{}, schemas: map[string]*jsonSchema{}, origins: map[string]string{},
	}
	for _, route := range routes {
		if asked, known := find(route.Operation); known {
			b.shapes.add(asked.SelectionSet)
		}
	}
	d := description{
		OpenAPI: "3.1.0",
		Info: info{
			Title: "Storefront API", Version: "1.0.0", Description: about, // the version: contract 10
			Contact: named{Name: "Whoever runs the service"}, License: named{Name: "MIT", Identifier: "MIT"},
		},
		Servers: []server{{URL: serverURL}},
		Tags:    tagsOf(routes),
	}
	for _, route := range routes {
		asked, known := find(route.Operation)
		if !known {
			b.fail("there is no operation %s", route.Operation)
			continue
		}
		item := d.Paths.at(route.Path)
		*item = append(*item, member[operation]{strings.ToLower(route.Method), b.operation(route, asked)})
	}
	d.Components = b.components()
	return d, errors.Join(b.errs...)
}

// builder collects the components that the operations refer to, and the errors.
type builder struct {
	graph     *ast.Schema
	shapes    shapes                 // of all operations
	within    string                 // the operation or the component of a fragment that is being described
	schemas   map[string]*jsonSchema // components, by name
	origins   map[string]string      // which type or fragment each component describes
	responses ordered[response]      // components
	errs      []error
}

func (b *builder) fail(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf("openapi: "+format, args...))
}

// component returns a reference to a named schema, which build makes the first time.
func (b *builder) component(name, origin string, build func() *jsonSchema) *jsonSchema {
	if b.schemas[name] == nil {
		made := &jsonSchema{}
		b.schemas[name], b.origins[name] = made, origin // before build, which may refer to itself
		*made = *build()
	} else if b.origins[name] != origin {
		b.fail("%s and %s would both be named %s", b.origins[name], origin, name)
	}
	return &jsonSchema{Ref: "#/components/schemas/" + name}
}

func (b *builder) components() components {
	c := components{
		Responses: b.responses, Parameters: sharedParameters(), Headers: sharedHeaders(),
		SecuritySchemes: securitySchemes(),
	}
	if b.schemas[cartName] == nil && b.schemas["Error"] != nil {
		b.schemas[cartName] = &jsonSchema{Type: types{"object"}} // no route has carts
	}
	for _, name := range slices.Sorted(maps.Keys(b.schemas)) {
		*c.Schemas.at(name) = b.schemas[name]
	}
	return c
}
