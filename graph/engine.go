package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/ent"
	"storefront/internal/account"
	"storefront/internal/cart"
	"storefront/internal/fault"
	"storefront/internal/idempotency"
	orders "storefront/internal/order"
	"storefront/internal/partner"
)

// Engine runs operations against the schema. REST and /graphql share it, so that whatever it checks holds at both doors.
type Engine struct {
	schema    graphql.ExecutableSchema
	described described
	accounts  *account.Service
	partners  *partner.Service
	keys      *idempotency.Store
	clock     func() time.Time
	log       *slog.Logger
	closed    bool // documents of others may not ask for the schema
}

// Options are what an Engine works with.
type Options struct {
	Store    *ent.Client // guarded by tenancy.Guard
	Accounts *account.Service
	Partners *partner.Service
	Carts    *cart.Service
	Orders   *orders.Service
	Keys     *idempotency.Store
	Clock    func() time.Time // the time that requests see
	Log      *slog.Logger

	NoIntrospection bool // GRAPHQL_EXPLORER=off: documents of others may not ask for the schema
}

// NewEngine makes the engine.
func NewEngine(o Options) *Engine {
	resolvers := &Resolver{
		store: o.Store, counts: newCounts(), dividing: make(chan struct{}, dividedAtOnce),
		accounts: o.Accounts, partners: o.Partners, carts: o.Carts, orders: o.Orders,
	}
	schema := NewExecutableSchema(Config{Resolvers: resolvers, Directives: DirectiveRoot{SignedIn: onlySignedIn, ApiKey: onlyPartners}})
	return &Engine{
		schema: schema, described: describe(schema.Schema()), accounts: o.Accounts, partners: o.Partners, keys: o.Keys,
		clock: o.Clock, log: o.Log, closed: o.NoIntrospection,
	}
}

// Schema is the GraphQL schema.
func (e *Engine) Schema() *ast.Schema { return e.schema.Schema() }

// Operation is one operation of a parsed and valid document, ready to run with variables.
type Operation struct {
	source     string
	document   *ast.QueryDocument
	Definition *ast.OperationDefinition
	rules      map[string][]*ast.Directive // by variable: the constraints of the places it is used in
	notNull    map[string]bool             // variables that are used where null must not stand
	bad        fault.Fields                // values written in the document itself that break a constraint
	pairs      []pair                      // arguments of which one must not be above the other
	seen       map[string]bool             // fragments whose rules have been found
	signIn     need                        // of a signed-in customer
	partner    bool                        // needs a partner's key
	domains    []string                    // written in the document itself, of the calling partner
	domainIn   map[string]bool             // variables that hold such a domain
	once       once                        // of an Idempotency-Key
}

// Run executes an operation with variables that Read has read. data is the JSON of the whole data object.
func (e *Engine) Run(ctx context.Context, op *Operation, variables map[string]any) (data json.RawMessage, errs gqlerror.List) {
	ctx = withScope(ctx, e.clock())
	ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{
		RawQuery: op.source, Doc: op.document, Operation: op.Definition, OperationName: op.Definition.Name, Variables: variables,
		RecoverFunc:            e.recovered,
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	})
	ctx = graphql.WithResponseContext(ctx, e.present, e.recovered)
	response := e.schema.Exec(ctx)(ctx)
	return response.Data, graphql.GetErrors(ctx)
}

// recovered turns a panic in a resolver into an error; present logs it.
func (e *Engine) recovered(_ context.Context, panicked any) error {
	return fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
}
