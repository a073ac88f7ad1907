// Package exec runs documents on the resolvers. It is the code that gqlgen generates from schema.graphql
// (generated.go), and the table of how plans read the fields of each type (plans_gen.go, package plan). It is
// the largest package; it is separate so that a changed resolver does not recompile it.
package exec

import (
	"bytes"
	"context"
	"maps"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/graph/plan"
	"storefront/internal/api"
	"storefront/internal/locale/money"
)

// executable is gqlgen's executable schema with less work before a query. gqlgen makes a map of readers of
// input types for each request, for graphql.UnmarshalInputFromContext, which is not used here; it took a
// thirtieth of the time of a simple product query. There is no @defer either (PublicSchema).
type executable struct{ *executableSchema }

// NewExecutable returns the schema with its resolvers, for gqlgen's executor.
func NewExecutable(c Config) graphql.ExecutableSchema {
	return executable{NewExecutableSchema(c).(*executableSchema)}
}

// Exec runs an operation.
func (e executable) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	if op.Operation.Operation != ast.Query {
		return e.executableSchema.Exec(ctx)
	}
	return func(ctx context.Context) *graphql.Response {
		data := buffers.Get().(*bytes.Buffer)
		defer keepBuffer(data)
		newExecutionContext(op, e.executableSchema, nil)._Query(ctx, op.Operation.SelectionSet).MarshalGQL(data)
		return &graphql.Response{Data: bytes.Clone(data.Bytes())}
	}
}

// buffers are what answers are written into before their size is known.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const keptBuffer = 1 << 20 // bytes; larger ones are rare

func keepBuffer(b *bytes.Buffer) {
	if b.Cap() <= keptBuffer {
		b.Reset()
		buffers.Put(b)
	}
}

// PublicSchema returns the schema without the directives that clients must not see: those that only gqlgen
// reads, and @defer, which gqlgen declares but which needs answers in parts; this API answers a request at
// once.
func PublicSchema() *ast.Schema {
	public := *parsedSchema
	public.Directives = maps.Clone(public.Directives)
	for _, name := range append([]string{"defer"}, storefront.PrivateDirectives...) {
		delete(public.Directives, name)
	}
	return &public
}

// The scalars of the schema as plans write them. Their marshalers in package model write the same.
var (
	plannedID     = plan.Leaf(api.AppendID)
	plannedTime   = plan.Leaf(api.AppendTime)
	plannedAmount = plan.Leaf(func(b []byte, a money.Amount) []byte { return a.AppendJSON(b) })
	plannedJSON   = plan.Checked(api.AppendJSON)
)

// arguments reads the arguments of fields.
var arguments executionContext
