package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"storefront/ent"
	"storefront/internal/account"
	"storefront/internal/cart"
	"storefront/internal/fault"
	"storefront/internal/idempotency"
	"storefront/internal/order"
	"storefront/internal/partner"
)

// Engine runs operations against the schema. REST and /graphql share it, so that whatever it checks holds at both doors.
type Engine struct {
	schema   graphql.ExecutableSchema
	accounts *account.Service
	partners *partner.Service
	keys     *idempotency.Store
	clock    func() time.Time
	log      *slog.Logger
}

// Options are what an Engine works with.
type Options struct {
	Store    *ent.Client // guarded by tenancy.Guard
	Accounts *account.Service
	Partners *partner.Service
	Carts    *cart.Service
	Orders   *order.Service
	Keys     *idempotency.Store
	Clock    func() time.Time // the time that requests see
	Log      *slog.Logger
}

// NewEngine makes the engine.
func NewEngine(o Options) *Engine {
	resolvers := &Resolver{store: o.Store, counts: newCounts(), accounts: o.Accounts, partners: o.Partners, carts: o.Carts, orders: o.Orders}
	schema := NewExecutableSchema(Config{Resolvers: resolvers, Directives: DirectiveRoot{SignedIn: onlySignedIn, ApiKey: onlyPartners}})
	return &Engine{schema: schema, accounts: o.Accounts, partners: o.Partners, keys: o.Keys, clock: o.Clock, log: o.Log}
}

// Schema is the GraphQL schema.
func (e *Engine) Schema() *ast.Schema { return e.schema.Schema() }

// Operation is one operation of a parsed and valid document, ready to run with variables.
type Operation struct {
	source     string
	document   *ast.QueryDocument
	Definition *ast.OperationDefinition
	rules      map[string][]*ast.Directive // by variable: the constraints of the places it is used in
	bad        fault.Fields                // values written in the document itself that break a constraint
	pairs      []pair                      // arguments of which one must not be above the other
	seen       map[string]bool             // fragments whose rules have been found
	signIn     need                        // of a signed-in customer
	once       once                        // of an Idempotency-Key
	partner    bool                        // needs a partner's key
	domains    []string                    // written in the document itself, of the calling partner
	domainIn   map[string]bool             // variables that hold such a domain
}

// Documents are the operations of one source text.
type Documents struct {
	source   string
	document *ast.QueryDocument
}

// Parse reads and validates a document of ours, of any length.
func (e *Engine) Parse(source string) (*Documents, gqlerror.List) {
	document, err := parser.ParseQuery(&ast.Source{Input: source})
	if err != nil {
		syntax, _ := errors.AsType[*gqlerror.Error](err)
		return nil, coded(fault.ParseFailed, gqlerror.List{syntax})
	}
	if errs := validator.ValidateWithRules(e.Schema(), document, nil); len(errs) > 0 {
		return nil, coded(fault.DocumentInvalid, errs)
	}
	return &Documents{source, document}, nil
}

// ParseForeign reads and validates a document of others. A long one is refused before it is parsed, and what is wrong with
// one is said without the values in it: they may be passwords and codes.
func (e *Engine) ParseForeign(source string) (*Documents, gqlerror.List) {
	tokens := lexer.New(&ast.Source{Input: source})
	var values []string
	for n := 0; ; n++ {
		token, err := tokens.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			break
		}
		if n == maxTokens {
			return nil, gqlerror.List{asGraphQL(fault.New(fault.LimitExceeded, "a document must have at most %d tokens", maxTokens), nil)}
		}
		values = append(values, spellings(token)...)
	}
	documents, errs := e.Parse(source)
	return documents, without(values, errs)
}

// Operation gives the operation of a name; the name may be empty when there is only one.
func (d *Documents) Operation(name string) (*Operation, error) {
	definition := d.document.Operations.ForName(name)
	if definition == nil {
		return nil, fault.New(fault.BadRequest, "the document has no operation %q; say which one in operationName", name)
	}
	op := &Operation{source: d.source, document: d.document, Definition: definition, rules: map[string][]*ast.Directive{}, seen: map[string]bool{}, domainIn: map[string]bool{}}
	op.findRules(definition.SelectionSet)
	if definition.Operation == ast.Mutation {
		op.noteOnce(definition.SelectionSet, map[string]bool{})
	}
	return op, nil
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
