// Package engine runs GraphQL documents: those of clients, which come to package http at /graphql, and the service's
// own, by which package rest answers each documented route. It knows no resolver and no field: the rules for a field
// are directives in the schema, which package document reads. Package graph gives it an executable schema, the
// authenticators of callers, and a function that begins a request.
//
// Each request to run an operation, from REST or /graphql, takes the same steps in the same order (call.go):
//
//	admit  who calls, as far as the operation asks for it              admission.go
//	read   what the client sent, by the declared types and constraints  document: variables.go, constraints.go
//	key    the Idempotency-Key, where it holds                          idempotency.go
//	limits what a document of a client may cost                         document: limits.go
//	refuse the fields whose values are wrong, once it is clear who asks  refusals.go
//	run    once for each key                                            idempotency.go, engine.go
package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/internal/catalog/answercache"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/transaction"
	"storefront/internal/platform/idempotency"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// Engine runs operations against the schema. REST and /graphql share it, so that its checks hold for both.
type Engine struct{ Options }

// Options are what an Engine works with.
type Options struct {
	Executable graphql.ExecutableSchema
	Documents  *document.Reader // reads documents of its schema

	// These find who calls: the signed-in customer of an Authorization header, and the program of an access token of
	// a shop, or UNAUTHENTICATED; the partner of an X-Api-Key header, or INVALID_CREDENTIALS. IsProgram reports
	// whether a token has the form of such an access token.
	Customer  func(ctx context.Context, authorization string) (request.Caller, error)
	Program   func(ctx context.Context, token string) (request.Program, error)
	Partner   func(ctx context.Context, key string) (request.Partner, error)
	IsProgram func(token string) bool

	// MayStaff fails unless the caller has a permission (@staff) in the business that a field is about.
	// argument returns an argument of the field as the client gave it, or "" if it gave none; for a shop
	// given by its domain it returns the id. ctx comes from BeginRequest.
	MayStaff func(ctx context.Context, argument func(name string) string, permission string) error

	// ShopsAt returns the ids of the shops that domains lead to, by domain as given.
	ShopsAt func(ctx context.Context, domains []string) (map[string]uuid.UUID, error)

	Keys *idempotency.Store

	// BeginRequest returns the context that the resolvers of one request share; now is the time of the
	// request.
	BeginRequest func(ctx context.Context, now time.Time) context.Context

	// ReadConsistently reports whether no change of the content happened between the reads of a query.
	// Otherwise the query is run again. ctx comes from BeginRequest.
	ReadConsistently func(ctx context.Context) (bool, error)

	// Answers caches the answers of public reads; nil for no cache. Sources returns what an answer was read
	// from and how long it stays valid, or false if it cannot be cached. ctx comes from BeginRequest.
	Answers *answercache.Cache
	Sources func(ctx context.Context) (answercache.Answer, bool)

	Clock func() time.Time // the time that requests see
	Log   *slog.Logger
}

// New makes an engine.
func New(o Options) *Engine { return &Engine{Options: o} }

// maxReads is how often a query is run at most because the content changes while it reads.
const maxReads = 5

// run runs an operation with variables that Operation.Read has read, but for the root fields that are refused. data is
// the JSON of the whole data object, and ran the context of the answered request.
func (e *Engine) run(
	ctx context.Context, op *document.Operation, variables map[string]any, refused refusals,
) (ran context.Context, data json.RawMessage, errs gqlerror.List) {
	size := &answerSize{own: !op.FromClient}
	for range maxReads {
		size.begin()
		ran = e.BeginRequest(ctx, e.Clock())
		data, errs = e.execute(ran, op, variables, refused, size)
		if op.Definition.Operation != ast.Query {
			break
		}
		if together, err := e.ReadConsistently(ran); err != nil {
			return ran, nil, gqlerror.List{e.present(ran, err)}
		} else if together {
			break
		}
	}
	return ran, data, errs
}

// execute runs an operation once. An answer that grows too large, or for which no memory is available, is refused as a
// whole; after a mutation was done, data is null.
func (e *Engine) execute(
	ctx context.Context, op *document.Operation, variables map[string]any, refused refusals, size *answerSize,
) (data json.RawMessage, errs gqlerror.List) {
	if op.DependsOnLanguage(variables) {
		request.Language(ctx).Language() // sets Content-Language, even if the answer shows no text
	}
	planned := op.Plans.Resolve
	wrote := new(written)
	if op.Definition.Operation == ast.Mutation {
		ctx = wrote.within(ctx)
		answered := planned
		planned = func(ctx context.Context, next graphql.Resolver, grow func(int) error) (any, error) {
			if graphql.GetFieldContext(ctx).Field.ObjectDefinition != e.Documents.Schema.Mutation {
				return answered(ctx, next, grow)
			}
			return answered(ctx, func(ctx context.Context) (any, error) { return wrote.resolve(ctx, next) }, grow)
		}
	}
	if op.FromClient {
		ctx = size.limit(ctx, &wrote.working)
	}
	writes := size.writes(ctx)
	resolve := func(ctx context.Context, next graphql.Resolver) (any, error) {
		giveShop(ctx, op)
		return size.resolve(ctx, func(ctx context.Context) (any, error) { return planned(ctx, next, writes) })
	}
	present := func(ctx context.Context, err error) *gqlerror.Error {
		if why := size.refused.Load(); why != nil {
			return document.ErrorOf(why, nil) // the same error for each field that fails from now on
		}
		return e.present(ctx, err)
	}
	shown := func(ctx context.Context, err error) *gqlerror.Error {
		if wrote.tooLong.Load() { // nothing of it is shown
			return document.ErrorOf(errReadingTooLong, nil)
		}
		return present(ctx, err)
	}
	ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{
		RawQuery: op.Source, Doc: op.AST, Operation: op.Definition,
		OperationName: op.Definition.Name, Variables: variables,
		RecoverFunc:            e.recovered,
		ResolverMiddleware:     resolve,
		RootResolverMiddleware: refused.resolveRoot,
	})
	ctx = graphql.WithResponseContext(selection.Remember(ctx, op.Selections), shown, e.recovered)
	answer := e.Executable.Exec(ctx)
	if op.Definition.Operation == ast.Subscription && len(graphql.GetErrors(ctx)) > 0 { // answer is not usable
		return nil, graphql.GetErrors(ctx)
	}
	response := answer(ctx)
	if response == nil { // a subscription that was resumed
		return nil, nil
	}
	if op.Definition.Operation == ast.Mutation && wrote.end() {
		return nil, gqlerror.List{document.ErrorOf(errReadingTooLong, nil)}
	}
	if op.FromClient && len(response.Data) > maxAnswerBytes {
		size.refused.Store(errAnswerTooLarge)
	}
	if why := size.refused.Load(); why != nil {
		if wrote.done.Load() && !transaction.Joined(ctx) {
			done := errDoneTooLarge
			if why == wire.ErrAnswersFull {
				done = errDoneUnsent
			}
			return json.RawMessage("null"), gqlerror.List{document.ErrorOf(done, nil)}
		}
		return nil, gqlerror.List{document.ErrorOf(why, nil)}
	}
	return refused.within(response.Data), graphql.GetErrors(ctx)
}

// recovered turns a panic in a resolver into an error; present logs it.
func (e *Engine) recovered(_ context.Context, panicked any) error {
	return fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
}
