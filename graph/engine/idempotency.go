package engine

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/idempotency"
)

// idempotencyScope is what an Idempotency-Key means for an operation, by the directives @once and @again of
// its mutations.
type idempotencyScope struct {
	fields   int    // the number of mutations
	holds    bool   // the engine makes sure that one of the mutations is done once
	slow     bool   // one hashes or waits, so it must not hold a transaction: SQLite has only one
	alone    string // a mutation that cannot be rolled back with others
	locks    string // a mutation that locks rows for which customers wait, until the document ends
	unsigned string // another mutation that needs no customer: its answer may hold tokens, which are never stored
	private  bool   // the answer is for staff, or a value is secret: the answer is not stored
	again    string // a mutation with @again
}

// collectIdempotency notes what the fields of a mutation mean for its Idempotency-Key. seen holds the
// fragments already visited.
func (op *Operation) collectIdempotency(fields ast.SelectionSet, seen map[string]bool) {
	for _, selection := range fields {
		switch s := selection.(type) {
		case *ast.Field:
			if strings.HasPrefix(s.Name, "__") {
				continue
			}
			op.idempotency.note(s.Name, s.Definition.Directives)
		case *ast.InlineFragment:
			op.collectIdempotency(s.SelectionSet, seen)
		case *ast.FragmentSpread:
			if !seen[s.Name] {
				seen[s.Name] = true
				op.collectIdempotency(s.Definition.SelectionSet, seen)
			}
		}
	}
}

// note notes one mutation by its directives.
func (i *idempotencyScope) note(name string, directives ast.DirectiveList) {
	i.fields++
	once := directives.ForName("once")
	switch {
	case isSet(once, "atGateway"):
		i.unsigned = name
	case once != nil:
		i.holds = true
		i.private = i.private || !isSet(once, "stored")
		if isSet(once, "apart") {
			i.slow, i.alone = true, name
		}
		if isSet(once, "locks") {
			i.locks = name
		}
	case isSet(directives.ForName("again"), "alone"):
		i.alone = name
	default:
		i.unsigned, i.again = name, name
	}
}

// idempotencyKey returns the Idempotency-Key of a request with a body, or nil if it has none or the key has
// no effect on the operation. The caller in ctx must be admitted. Faults of the key are added to bad.
func (op *Operation) idempotencyKey(
	ctx context.Context, r *http.Request, body map[string]any, bad *fault.Fields,
) *idempotency.Request {
	if r.Method != http.MethodPost || !op.idempotency.holds {
		return nil
	}
	caller, err := auth.CallerOf(ctx)
	program, isProgram := auth.ProgramOf(ctx)
	if err != nil && !isProgram {
		return nil
	}
	key := idempotency.ParseKey(r.Header.Values(idempotency.Header), bad)
	switch {
	case key != "" && op.idempotency.unsigned != "":
		bad.Add(idempotency.Header,
			"does not go with %s, which needs nobody to be signed in", op.idempotency.unsigned)
	case key != "" && op.idempotency.alone != "" && op.idempotency.fields > 1:
		bad.Add(idempotency.Header, "does not go with %s beside other mutations, as it cannot be undone with them",
			op.idempotency.alone)
	case key != "" && op.idempotency.locks != "" && op.idempotency.fields > 1:
		bad.Add(idempotency.Header,
			"does not go with %s beside other mutations, as customers would wait for all of them", op.idempotency.locks)
	case key != "":
		return &idempotency.Request{
			User: caller.User, Token: program.Token,
			Path: strings.TrimSuffix(r.URL.Path, "/"), Key: key, Body: body,
			Apart: op.idempotency.slow, Private: op.idempotency.private, Secret: op.idempotency.slow || op.hasSecret,
		}
	}
	return nil
}

// givenKey returns the Idempotency-Key of a partner's request. The gateway itself sends such a message once.
// The key is refused beside other mutations, which would be done again.
func (op *Operation) givenKey(
	ctx context.Context, r *http.Request, bad *fault.Fields,
) (context.Context, *idempotency.Given) {
	given := new(idempotency.Given)
	if r.Method != http.MethodPost || !op.needsAPIKey || op.idempotency.holds {
		return ctx, given
	}
	given.Key = idempotency.ParseKey(r.Header.Values(idempotency.Header), bad)
	if given.Key != "" && op.idempotency.again != "" {
		bad.Add(idempotency.Header, "does not go with %s, which would be done again", op.idempotency.again)
	}
	return idempotency.WithGiven(ctx, given), given
}

// runOnce is run for a request that may have an Idempotency-Key. It returns the answer to an earlier request
// with the same key.
func (e *Engine) runOnce(
	ctx context.Context, op *Operation, variables map[string]any, request *idempotency.Request,
) (result Result) {
	if request == nil {
		result.Data, result.Errors = e.run(ctx, op, variables)
		return result
	}
	stored, err := e.Keys.Do(ctx, *request, func(ctx context.Context) ([]byte, error) {
		result.Data, result.Errors = e.run(ctx, op, variables)
		return result.Data, gravest(result.Errors)
	})
	switch {
	case idempotency.IsRepeat(err):
		return e.wasDone(ctx, op, variables, err)
	case err != nil:
		return Result{Errors: gqlerror.List{e.present(ctx, err)}}
	case stored != nil:
		return Result{Data: stored, Replayed: true}
	case len(result.Errors) > 0 && !request.Apart: // nothing was done, even if other fields have data
		result.Data = json.RawMessage("null")
	}
	return result
}

type doneKey struct{}

// RefuseRepeat fails if the mutation of ctx was already done with the same Idempotency-Key and is only run to
// check the caller's permissions. The directives call it after their checks.
func RefuseRepeat(ctx context.Context) error {
	err, _ := ctx.Value(doneKey{}).(error)
	return err
}

// wasDone answers a repeated request whose first answer was not stored. A caller who has lost the permission
// gets only that error.
func (e *Engine) wasDone(ctx context.Context, op *Operation, variables map[string]any, err error) Result {
	_, errs := e.run(context.WithValue(ctx, doneKey{}, err), op, variables)
	for _, refused := range errs {
		if !fault.Is(refused, fault.Conflict) {
			return Result{Data: json.RawMessage("null"), Errors: gqlerror.List{refused}}
		}
	}
	return Result{Errors: gqlerror.List{e.present(ctx, err)}, Replayed: true}
}

// gravest returns an error that is a failure of the service if there is one, else the first error.
func gravest(errs gqlerror.List) (first error) {
	for _, err := range errs {
		if fault.Is(err, fault.Internal) || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.ShopClosed) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}
