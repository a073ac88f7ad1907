package graph

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

// slow are the mutations that hash or wait within the process, which must not hold a transaction, least of all SQLite's
// only one. An operation that asks for one of them stores its answer in a transaction after its own.
var slow = map[string]bool{"changePassword": true}

// once says what an operation asks for, as far as an Idempotency-Key is concerned: it holds for mutations of a signed-in
// customer.
type once struct {
	holds bool   // one of the mutations needs a signed-in customer
	slow  bool   // one of them is slow
	other string // a mutation beside those that needs none: its answer may hold tokens, which are never stored
}

// noteOnce notes what the fields of a mutation mean for its Idempotency-Key. seen are the fragments it has been in.
func (op *Operation) noteOnce(fields ast.SelectionSet, seen map[string]bool) {
	for _, selection := range fields {
		switch s := selection.(type) {
		case *ast.Field:
			directive := s.Definition.Directives.ForName("signedIn")
			switch {
			case strings.HasPrefix(s.Name, "__"):
			case asks(directive) == somebody:
				op.once.holds = true
				op.once.slow = op.once.slow || slow[s.Name]
			default:
				op.once.other = s.Name
			}
		case *ast.InlineFragment:
			op.noteOnce(s.SelectionSet, seen)
		case *ast.FragmentSpread:
			if !seen[s.Name] {
				seen[s.Name] = true
				op.noteOnce(s.Definition.SelectionSet, seen)
			}
		}
	}
}

// KeyIn finds the Idempotency-Key in a request with a body, for an operation that the caller in ctx was admitted to. It is
// nil where there is none or where it does not hold. What is wrong with it is added to bad.
func (op *Operation) KeyIn(ctx context.Context, r *http.Request, body map[string]any, bad *fault.Fields) *idempotency.Request {
	caller, err := auth.CallerOf(ctx)
	if err != nil || r.Method != http.MethodPost || !op.once.holds {
		return nil
	}
	key := idempotency.ParseKey(r.Header.Values(idempotency.Header), bad)
	switch {
	case key != "" && op.once.other != "":
		bad.Add(idempotency.Header, "does not go with %s, which needs nobody to be signed in", op.once.other)
	case key != "":
		return &idempotency.Request{User: caller.User, Path: strings.TrimSuffix(r.URL.Path, "/"), Key: key, Body: body}
	}
	return nil
}

// RunOnce is Run for a request that may have an Idempotency-Key. replayed tells that the answer is the one of an earlier
// request. data is nil when nothing was executed.
func (e *Engine) RunOnce(ctx context.Context, op *Operation, variables map[string]any, request *idempotency.Request) (data json.RawMessage, replayed bool, errs gqlerror.List) {
	if request == nil {
		data, errs = e.Run(ctx, op, variables)
		return data, false, errs
	}
	stored, err := e.keys.Do(ctx, *request, op.once.slow, func(ctx context.Context) ([]byte, error) {
		data, errs = e.Run(ctx, op, variables)
		return data, gravest(errs)
	})
	switch {
	case err != nil:
		return nil, false, gqlerror.List{e.present(ctx, err)}
	case stored != nil:
		return stored, true, nil
	}
	return data, false, errs
}

// gravest gives an error that is our own failure, else the first one.
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
