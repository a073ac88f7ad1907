// Package engine runs GraphQL documents: those of clients, which come to Handler at /graphql, and the
// service's own, by which package rest answers each documented route. It knows no resolver and no field: what
// holds for a field is said by directives in the schema (declared.go). Package graph gives it an executable
// schema, who finds out who calls, and what begins a request.
//
// A document is parsed, validated and measured once, and kept (documents.go, documentcache.go,
// validationcost.go, fieldmerging.go). Each request to run one of its operations then takes the same steps
// in the same order, by either door (call.go):
//
//	admit  who calls, as far as the operation asks for it              admission.go
//	read   what the client sent, by the declared types and constraints  variables.go, constraints.go
//	key    the Idempotency-Key, where it holds                          idempotency.go
//	limits what a document of a client may cost                         limits.go
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

	"storefront/graph/plan"
	"storefront/internal/answercache"
	"storefront/internal/auth"
	"storefront/internal/idempotency"
	"storefront/internal/language"
	"storefront/internal/selection"
)

// Engine runs operations against the schema. REST and /graphql share it, so that whatever it checks holds
// at both doors.
type Engine struct {
	Options
	declared      *declared
	introspection introspectionSizes
}

// Options are what an Engine works with.
type Options struct {
	Executable graphql.ExecutableSchema
	Planned    plan.Table // the fields that plans can read; what it does not hold is gqlgen's alone
	Customers  CustomerAuthenticator
	Partners   PartnerAuthenticator
	Programs   ProgramAuthenticator

	// MayStaff fails unless the caller has a permission (@staff) in the business that a field is about.
	// argument returns an argument of the field as the client gave it, empty where it gave none, and the id of a shop
	// that it named by its domain; ctx is one that BeginRequest returned.
	MayStaff func(ctx context.Context, argument func(name string) string, permission string) error

	// ShopsAt returns the ids of the shops that some domains lead to, by domain as it was given.
	ShopsAt func(ctx context.Context, domains []string) (map[string]uuid.UUID, error)

	Keys          *idempotency.Store
	MaxPageSize   int      // items of a page at most; more is read as this
	SizeArguments []string // the arguments that say how many items a page, a connection or a list has

	// BeginRequest gives the context that the resolvers of one request share, answered for the moment now.
	BeginRequest func(ctx context.Context, now time.Time) context.Context

	// ReadConsistently reports whether what a query read belongs together; ctx is the one that BeginRequest
	// returned. A query that read from before and from after a change of the content is run again.
	ReadConsistently func(ctx context.Context) (bool, error)

	// FromReplicas gives a context in which a read that is the same for everybody may be read from a replica of the
	// database; ctx is the one that BeginRequest returned.
	FromReplicas func(ctx context.Context) context.Context

	// Answers keeps the answers of public reads; nil: all are computed. Sources says what an answer was read from
	// and how long it holds; ctx is the one that BeginRequest returned. It reports false for one that cannot be
	// kept.
	Answers *answercache.Cache
	Sources func(ctx context.Context) (answercache.Answer, bool)

	Clock func() time.Time // the time that requests see
	Log   *slog.Logger

	NoPlans         bool // answers are written by gqlgen alone
	NoIntrospection bool // GRAPHQL_EXPLORER=off: client documents may not ask for the schema
}

// CustomerAuthenticator finds the signed-in customer of an Authorization header. It fails with
// UNAUTHENTICATED.
type CustomerAuthenticator interface {
	Authenticate(ctx context.Context, authorization string) (auth.Caller, error)
}

// ProgramAuthenticator finds the program of an access token of a shop. It fails with UNAUTHENTICATED.
type ProgramAuthenticator interface {
	// Is reports whether a token has the form of such an access token.
	Is(token string) bool
	Authenticate(ctx context.Context, token string) (auth.Program, error)
}

// PartnerAuthenticator finds the partner of an X-Api-Key header. It fails with INVALID_CREDENTIALS.
type PartnerAuthenticator interface {
	Authenticate(ctx context.Context, key string) (auth.Partner, error)
}

// New makes an engine.
func New(o Options) *Engine {
	schema := o.Executable.Schema()
	return &Engine{
		Options: o, declared: readDeclared(schema, o.SizeArguments), introspection: measureIntrospection(schema),
	}
}

// Schema is the GraphQL schema.
func (e *Engine) Schema() *ast.Schema { return e.Executable.Schema() }

// maxReads bounds how often a query is run because the content changes while it reads.
const maxReads = 5

// run runs an operation with variables that ReadVariables has read. data is the JSON of the whole data
// object.
func (e *Engine) run(
	ctx context.Context, op *Operation, variables map[string]any,
) (data json.RawMessage, errs gqlerror.List) {
	_, data, errs = e.runIn(ctx, op, variables)
	return data, errs
}

// runIn is run; it returns the context of the request that was answered as well.
func (e *Engine) runIn(
	outer context.Context, op *Operation, variables map[string]any,
) (ctx context.Context, data json.RawMessage, errs gqlerror.List) {
	for range maxReads {
		ctx = e.BeginRequest(outer, e.Clock())
		if op.Public() && op.Definition.Operation == ast.Query {
			ctx = e.FromReplicas(ctx)
		}
		data, errs = e.execute(ctx, op, variables)
		if op.Definition.Operation != ast.Query {
			break
		}
		if together, err := e.ReadConsistently(ctx); err != nil {
			return ctx, nil, gqlerror.List{e.present(ctx, err)}
		} else if together {
			break
		}
	}
	return ctx, data, errs
}

// execute runs an operation once. A client document whose answer grows too large is refused as a whole.
func (e *Engine) execute(
	ctx context.Context, op *Operation, variables map[string]any,
) (data json.RawMessage, errs gqlerror.List) {
	if op.isInRequested(variables) {
		language.Of(ctx).Language() // the answer is labelled with it, also if it shows no text
	}
	planned := op.plans.Resolve
	if op.Definition.Operation == ast.Subscription {
		planned = belowSubscriptions(e.Schema().Subscription, planned)
	}
	resolve := func(ctx context.Context, next graphql.Resolver) (any, error) {
		op.giveShop(ctx)
		return planned(ctx, next, nil)
	}
	present := e.present
	refused := refusalsOf(ctx)
	size := new(answerSize)
	if op.fromClient {
		ctx = size.limit(ctx)
		resolve = func(ctx context.Context, next graphql.Resolver) (any, error) {
			op.giveShop(ctx)
			return size.resolve(ctx, func(ctx context.Context) (any, error) {
				return planned(ctx, next, size.write)
			})
		}
		present = func(ctx context.Context, err error) *gqlerror.Error {
			if size.exceeded.Load() {
				return tooLarge // the same for each field that fails from now on
			}
			return e.present(ctx, err)
		}
	}
	ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{
		RawQuery: op.source, Doc: op.document, Operation: op.Definition,
		OperationName: op.Definition.Name, Variables: variables,
		RecoverFunc:            e.recovered,
		ResolverMiddleware:     resolve,
		RootResolverMiddleware: refused.resolveRoot,
	})
	ctx = graphql.WithResponseContext(selection.Remember(ctx, op.selections), present, e.recovered)
	answer := e.Executable.Exec(ctx)
	if op.Definition.Operation == ast.Subscription && len(graphql.GetErrors(ctx)) > 0 { // answer is not usable
		return nil, graphql.GetErrors(ctx)
	}
	response := answer(ctx)
	if response == nil { // a subscription that was resumed
		return nil, nil
	}
	if size.exceeded.Load() || op.fromClient && len(response.Data) > maxAnswerBytes {
		return nil, gqlerror.List{tooLarge}
	}
	return refused.within(response.Data), graphql.GetErrors(ctx)
}

// recovered turns a panic in a resolver into an error; present logs it.
func (e *Engine) recovered(_ context.Context, panicked any) error {
	return fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
}
