// Package rest translates the documented routes of /api/v1 into operations of the GraphQL schema. It holds no
// rule of its own: routes.go says which operation answers a route, operations.graphql holds the operations,
// and engine.Engine checks and runs them, as it does for /graphql. This package only finds the variables in a
// request (values.go) and writes the answer with its status (answer.go, errors.go).
package rest

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"storefront/graph/document"
	"storefront/graph/engine"
	"storefront/internal/fault"
	"storefront/internal/platform/idempotency"
	"storefront/internal/platform/wire"
)

// Prefix stands before the path of every route.
const Prefix = "/api/v1"

//go:embed operations.graphql
var operations string

// Operations returns the text of operations.graphql, from which package openapi describes the routes.
func Operations() string { return operations }

// ChargesVariable is a variable that no client gives: it is true if the shop that the path names by its id has set up
// delivery or a payment gateway. Some members are included in answers on this condition, so that all other shops have
// the answers of the specification.
const ChargesVariable = "charges"

// Charges reports whether a shop has set up delivery or a payment gateway.
type Charges func(ctx context.Context, shopID string) (bool, error)

// New makes the handler of every route. It fails when a route, its operation and the schema disagree.
func New(e *engine.Engine, charges Charges) (http.Handler, error) {
	parsed, errs := e.Documents.Parse(operations)
	if len(errs) > 0 {
		return nil, fmt.Errorf("operations.graphql: %w", errs)
	}
	paths := map[string]methods{}
	for _, route := range Routes {
		operation, err := parsed.Operation(route.Operation)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", route.Method, route.Path, err)
		}
		known, err := newEndpoint(e, route, operation)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", route.Method, route.Path, err)
		}
		known.charges = charges
		if paths[route.Path] == nil {
			paths[route.Path] = methods{}
		}
		paths[route.Path][route.Method] = known
	}
	mux := http.NewServeMux()
	for path, known := range paths {
		mux.Handle(Prefix+path, known)
		mux.Handle(Prefix+path+"/{$}", known)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		wire.WriteError(w, r, fault.New(fault.NotFound, "there is no such route"))
	})
	return mux, nil
}

// methods holds the endpoints of one path, by method.
type methods map[string]*endpoint

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet // net/http leaves the body out
	}
	known := m[method]
	if known == nil {
		allowed := []string{}
		for name := range m {
			allowed = append(allowed, name)
			if name == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
		slices.Sort(allowed)
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		wire.WriteError(w, r, fault.New(fault.MethodNotAllowed, "this path takes %s", strings.Join(allowed, ", ")))
		return
	}
	known.serve(w, r)
}

// endpoint is a route ready to answer.
type endpoint struct {
	Route
	engine    *engine.Engine
	operation *document.Operation
	name      string   // identifies the endpoint among all calls of the engine
	inPath    []string // variables whose value is in the path
	envelope  envelope
	charges   Charges
}

func newEndpoint(runner *engine.Engine, route Route, operation *document.Operation) (*endpoint, error) {
	e := &endpoint{
		Route: route, engine: runner, operation: operation, name: "rest " + route.Operation + ";",
		envelope: envelopeOf(operation.Definition.SelectionSet),
	}
	for segment := range strings.SplitSeq(route.Path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			if operation.Definition.VariableDefinitions.ForName(name) == nil {
				return nil, fmt.Errorf("operation %s has no variable $%s", route.Operation, name)
			}
			e.inPath = append(e.inPath, name)
		}
	}
	if operation.Definition.VariableDefinitions.ForName(BodyVariable) != nil && !route.HasBody() {
		return nil, fmt.Errorf("operation %s takes a body, the route has none", route.Operation)
	}
	return e, nil
}

// HasBody reports whether the route reads a body.
func (r Route) HasBody() bool {
	return r.Method == http.MethodPost || r.Method == http.MethodPatch
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	call := engine.Call{
		Request: r, Operation: e.operation,
		Dialect: document.Dialect{IgnoreUnknown: true, NullIsAbsent: true, Body: BodyVariable},
		Read:    func() (engine.Input, error) { return e.read(w, r) },
	}
	if e.Method == http.MethodGet && e.operation.Public() {
		call.Name, call.Finish = e.name, e.finish
	}
	result := e.engine.Do(call)
	if len(result.Errors) > 0 {
		if result.Replayed {
			w.Header().Set(idempotency.ReplayedHeader, "true")
		}
		e.writeError(w, r, result.Errors[0])
		return
	}
	e.write(w, r, result)
}
