package engine

import (
	"context"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/idempotency"
)

// slowMutations hash or wait within the process, which must not hold a transaction, least of all SQLite's
// only one. An operation that asks for one of them stores its answer in a transaction after its own.
var slowMutations = map[string]bool{"changePassword": true}

// idempotencyScope says what an operation asks for, as far as an Idempotency-Key is concerned: a key holds
// for mutations of a signed-in customer.
type idempotencyScope struct {
	holds    bool   // one of the mutations needs a signed-in customer
	slow     bool   // one of them is in slowMutations
	unsigned string // a mutation beside those that needs no customer: its answer may hold tokens, which are never stored
}

// collectIdempotency notes what the fields of a mutation mean for its Idempotency-Key. seen are the
// fragments that have been walked.
func (op *Operation) collectIdempotency(fields ast.SelectionSet, seen map[string]bool) {
	for _, selection := range fields {
		switch s := selection.(type) {
		case *ast.Field:
			switch {
			case strings.HasPrefix(s.Name, "__"):
			case s.Name == "closeAccount": // with the account its answers are gone
			case signInOf(s.Definition) == signInRequired:
				op.idempotency.holds = true
				op.idempotency.slow = op.idempotency.slow || slowMutations[s.Name]
			default:
				op.idempotency.unsigned = s.Name
			}
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

// idempotencyKey finds the Idempotency-Key in a request with a body, for an operation that the caller in
// ctx was admitted to. It is nil where there is none or where it does not hold. What is wrong with it is
// added to bad.
func (op *Operation) idempotencyKey(
	ctx context.Context, r *http.Request, body map[string]any, bad *fault.Fields,
) *idempotency.Request {
	if r.Method != http.MethodPost || !op.idempotency.holds {
		return nil
	}
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil
	}
	key := idempotency.ParseKey(r.Header.Values(idempotency.Header), bad)
	switch {
	case key != "" && op.idempotency.unsigned != "":
		bad.Add(idempotency.Header,
			"does not go with %s, which needs nobody to be signed in", op.idempotency.unsigned)
	case key != "":
		return &idempotency.Request{User: caller.User, Path: strings.TrimSuffix(r.URL.Path, "/"), Key: key, Body: body}
	}
	return nil
}

// runOnce is run for a request that may have an Idempotency-Key: the answer to an earlier request with the
// same key is given again.
func (e *Engine) runOnce(
	ctx context.Context, op *Operation, variables map[string]any, request *idempotency.Request,
) (result Result) {
	if request == nil {
		result.Data, result.Errors = e.run(ctx, op, variables)
		return result
	}
	stored, err := e.Keys.Do(ctx, *request, op.idempotency.slow, func(ctx context.Context) ([]byte, error) {
		result.Data, result.Errors = e.run(ctx, op, variables)
		return result.Data, gravest(result.Errors)
	})
	switch {
	case err != nil:
		return Result{Errors: gqlerror.List{e.present(ctx, err)}}
	case stored != nil:
		return Result{Data: stored, Replayed: true}
	}
	return result
}

// gravest returns an error that is a failure of the service, else the first one.
func gravest(errs gqlerror.List) (first error) {
	for _, err := range errs {
		if fault.Is(err, fault.Internal) || fault.Is(err, fault.Unavailable) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}
