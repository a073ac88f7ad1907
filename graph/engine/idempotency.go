package engine

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/idempotency"
	"storefront/internal/request"
)

// idempotencyKey returns the Idempotency-Key of a request for a mutation, or "". Faults of the key are added to bad.
// It is not read where it has no effect: for mutations that are done again, and without anybody whose key it could be.
func idempotencyKey(ctx context.Context, op *document.Operation, r *http.Request, bad *fault.Fields) string {
	given := r.Header.Values(idempotency.Header)
	if len(given) == 0 || r.Method != http.MethodPost || op.Definition.Operation != ast.Mutation {
		return ""
	}
	if op.Once.Fields > 1 {
		bad.Add(idempotency.Header, "is for one mutation, and the document has %d", op.Once.Fields)
		return ""
	}
	if !op.Once.AtGateway {
		by := request.Of(ctx)
		if !op.Once.Holds || by.Caller == nil && by.Program == nil {
			return ""
		}
	}
	return idempotency.ParseKey(given, bad)
}

// keyed returns the request that an Idempotency-Key stands for, or nil if the engine does not handle it.
func keyed(
	ctx context.Context, op *document.Operation, r *http.Request, key string, what any,
) *idempotency.Request {
	if key == "" || !op.Once.Holds {
		return nil
	}
	keyed := &idempotency.Request{Path: strings.TrimSuffix(r.URL.Path, "/"), Key: key, What: what,
		Private: op.Once.Private, Secret: op.HasSecret}
	if by := request.Of(ctx); by.Program != nil {
		keyed.Token = by.Program.Token
	} else if by.Caller != nil {
		keyed.User = by.Caller.User
	}
	return keyed
}

// runOnce is run for a request that may have an Idempotency-Key. It returns the answer to an earlier request
// with the same key.
func (e *Engine) runOnce(
	ctx context.Context, op *document.Operation, variables map[string]any, keyed *idempotency.Request,
) (result Result) {
	if keyed == nil {
		_, result.Data, result.Errors = e.run(ctx, op, variables, nil)
		return result
	}
	stored, err := e.Keys.Do(ctx, *keyed, func(ctx context.Context) ([]byte, error) {
		_, result.Data, result.Errors = e.run(ctx, op, variables, nil)
		return result.Data, result.Gravest()
	})
	switch {
	case idempotency.IsRepeat(err):
		return e.wasDone(ctx, op, variables, err)
	case err != nil:
		return Result{Errors: gqlerror.List{e.present(ctx, err)}}
	case stored != nil:
		return Result{Data: stored, Replayed: true}
	case len(result.Errors) > 0 && !keyed.Private: // nothing was done, even if other fields have data
		result.Data = json.RawMessage("null")
	}
	return result
}

// longestReading is how long the answer of a request with an Idempotency-Key may be read in its transaction.
const longestReading = time.Second

var errReadingTooLong = fault.New(fault.LimitExceeded,
	"nothing was done: its answer, which is kept for the Idempotency-Key, took too long to read; ask for less of it")

// written follows the mutations of an operation while it runs.
type written struct {
	done    atomic.Bool // a mutation was done, unless its transaction is undone
	working atomic.Bool // a mutation is doing its work
	tooLong atomic.Bool
	reading atomic.Pointer[time.Timer] // ends the reading of a joint transaction
	stop    context.CancelFunc
}

// within returns a context that ends when an answer is read for too long within a transaction.
func (w *written) within(ctx context.Context) context.Context {
	ctx, w.stop = context.WithCancel(ctx)
	return ctx
}

// work calls the resolver of a mutation, and marks the mutation as working until that returns or panics.
func (w *written) work(ctx context.Context, next graphql.Resolver) (any, error) {
	w.working.Store(true)
	defer w.working.Store(false)
	return next(ctx)
}

// resolve calls the resolver of a mutation. What is read after it is the answer.
func (w *written) resolve(ctx context.Context, next graphql.Resolver) (any, error) {
	value, err := w.work(ctx, next)
	if err == nil {
		err = transaction.Written(ctx)
	}
	if err != nil {
		return nil, err
	}
	w.done.Store(true)
	if transaction.Joined(ctx) {
		w.reading.Store(time.AfterFunc(longestReading, func() { w.tooLong.Store(true); w.stop() }))
	}
	return value, nil
}

// end ends the reading. It reports whether the answer was read for too long. The context goes on: what is done after
// the commit may use it.
func (w *written) end() (tooLong bool) {
	if timer := w.reading.Load(); timer != nil {
		timer.Stop()
	}
	return w.tooLong.Load()
}

// RefuseRepeat fails if the mutation of ctx was already done with the same Idempotency-Key and is only run to
// check the caller's permissions. The directives call it after their checks.
func RefuseRepeat(ctx context.Context) error {
	if key := request.Of(ctx).Key; key != nil {
		return key.Done
	}
	return nil
}

// wasDone answers a repeated request whose first answer was not stored. A caller who has lost the permission
// gets only that error.
func (e *Engine) wasDone(ctx context.Context, op *document.Operation, variables map[string]any, err error) Result {
	request.Of(ctx).Key.Done = err
	_, _, errs := e.run(ctx, op, variables, nil)
	for _, refused := range errs {
		if !fault.Is(refused, fault.Conflict) {
			return Result{Data: json.RawMessage("null"), Errors: gqlerror.List{refused}}
		}
	}
	return Result{Errors: gqlerror.List{e.present(ctx, err)}, Replayed: true}
}
