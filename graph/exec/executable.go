package exec

import (
	"bytes"
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
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
