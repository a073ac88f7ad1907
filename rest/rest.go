// Package rest translates the documented routes of /api/v1 into operations of the GraphQL schema. It holds no rule of its
// own: routes.go says which operation answers a route, operations.graphql what it asks for, and graph.Engine checks and
// runs it, as it does for /graphql.
package rest

import (
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"storefront/graph"
	"storefront/internal/fault"
	"storefront/internal/idempotency"
)

// Prefix stands before the path of every route.
const Prefix = "/api/v1"

//go:embed operations.graphql
var operations string

// New makes the handler of every route. It fails when a route, its operation and the schema disagree.
func New(engine *graph.Engine) (http.Handler, error) {
	documents, errs := engine.Parse(operations)
	if len(errs) > 0 {
		return nil, fmt.Errorf("operations.graphql: %w", errs)
	}
	paths := map[string]methods{}
	for _, route := range Routes {
		operation, err := documents.Operation(route.Operation)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", route.Method, route.Path, err)
		}
		e, err := newEndpoint(engine, route, operation)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", route.Method, route.Path, err)
		}
		if paths[route.Path] == nil {
			paths[route.Path] = methods{}
		}
		paths[route.Path][route.Method] = e
	}
	mux := http.NewServeMux()
	for path, known := range paths {
		mux.Handle(Prefix+path, known)
		mux.Handle(Prefix+path+"/{$}", known)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		WriteError(w, r, fault.New(fault.NotFound, "there is no such route"))
	})
	return mux, nil
}

// methods answers one path.
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
		WriteError(w, r, fault.New(fault.MethodNotAllowed, "this path takes %s", strings.Join(allowed, ", ")))
		return
	}
	known.serve(w, r)
}

// endpoint is a route ready to answer.
type endpoint struct {
	Route
	engine    *graph.Engine
	operation *graph.Operation
	inPath    []string // variables whose value is in the path
	envelope  envelope
}

func newEndpoint(engine *graph.Engine, route Route, operation *graph.Operation) (*endpoint, error) {
	e := &endpoint{Route: route, engine: engine, operation: operation, envelope: envelopeOf(operation.Definition.SelectionSet)}
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

// HasBody tells whether the route reads a body.
func (r Route) HasBody() bool {
	return r.Method == http.MethodPost || r.Method == http.MethodPatch
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	ctx, err := e.engine.Admit(r.Context(), e.operation, graph.CredentialsIn(r))
	if err != nil {
		e.writeError(w, r, err)
		return
	}
	asked, err := e.read(w, r)
	if err != nil {
		e.writeError(w, r, err)
		return
	}
	key := e.operation.KeyIn(ctx, r, asked.body, &asked.bad)
	variables, err := e.engine.Read(ctx, e.operation, asked.values, graph.Dialect{IgnoreUnknown: true, NullIsAbsent: true, Body: BodyVariable}, asked.bad)
	if err != nil {
		e.writeError(w, r, err)
		return
	}
	data, replayed, errs := e.engine.RunOnce(ctx, e.operation, variables, key)
	if len(errs) > 0 {
		var first *fault.Error
		if !errors.As(errs[0], &first) {
			first = fault.From(errs[0])
		}
		e.writeError(w, r, first)
		return
	}
	if replayed {
		w.Header().Set(idempotency.ReplayedHeader, "true")
	}
	e.write(w, r, e.envelope.open(data))
}
