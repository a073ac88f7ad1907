package engine

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/fault"
	"storefront/internal/note"
	"storefront/internal/tracing"
	"storefront/internal/wire"
)

// Call is a request to run an operation, as the door has it that the request came by.
type Call struct {
	Request   *http.Request
	Operation *Operation
	Dialect   Dialect
	Read      func() (Input, error) // reads what the client sent; it is not called for a caller who is refused

	// A read that is the same for everybody has these; its answer may be kept, and given again. Name says what is
	// asked without the variables, and how it is answered; Finish makes the answer of the data. inLanguage is the
	// language that Accept-Language asks for, where the answer depends on it.
	Name   string
	Finish func(data json.RawMessage, inLanguage string) *wire.Public
}

// Input is what a client sent for an operation.
type Input struct {
	Values map[string]any // of the operation's variables; ReadVariables says of which kinds
	Body   map[string]any // the whole body, which belongs to an Idempotency-Key; nil where there is none
	Faults fault.Fields   // what the door found wrong
}

// Result is what became of a call.
type Result struct {
	Data     json.RawMessage // the data object; nil where nothing was executed
	Errors   gqlerror.List
	Replayed bool // it is the answer to an earlier request with the same Idempotency-Key

	Public *wire.Public // the finished answer, of a call with Finish that succeeded, instead of the data
}

// Do takes a call through all that stands between a request and its answer. Each door calls it for each
// operation, and for nothing less, so that no door can leave out a step or take it in another order.
func (e *Engine) Do(call Call) Result {
	op := call.Operation
	ctx, span := tracing.BeginOperation(call.Request.Context(), string(op.Definition.Operation), op.fields,
		op.Definition.Name)
	if span == nil {
		return e.do(call)
	}
	call.Request = call.Request.WithContext(ctx)
	result := e.do(call)
	span.End(codesOf(result.Errors), result.Replayed)
	return result
}

// codesOf returns the different codes of some errors, sorted: fields fail in any order.
func codesOf(errs gqlerror.List) (codes []string) {
	for _, err := range errs {
		if code := string(fault.From(err).Code); !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

func (e *Engine) do(call Call) Result {
	op := call.Operation
	noted := note.Of(call.Request.Context())
	noted.Runs(op.Definition.Name, op.fields)
	ctx, err := e.admit(call.Request, op)
	if err != nil {
		return Refused(err)
	}
	input, err := call.Read()
	if err != nil {
		return Refused(err)
	}
	faults := input.Faults
	key := op.idempotencyKey(ctx, call.Request, input.Body, &faults)
	ctx, given := op.givenKey(ctx, call.Request, &faults)
	variables, wrong, err := e.readVariables(ctx, op, input.Values, call.Dialect, faults)
	if err != nil {
		return Refused(err)
	}
	if domain, ok := variables[op.shopDomain].(string); ok && call.Finish != nil { // what is kept asks no resolver
		noted.Asks(domain)
	}
	if op.fromClient {
		if err := e.withinLimits(op, variables); err != nil {
			return Refused(err)
		}
	}
	if ctx, err = e.withShops(ctx, op, variables); err != nil {
		return Refused(asFault(err))
	}
	if len(wrong.all) > 0 {
		return e.refuse(ctx, op, variables, wrong)
	}
	if call.Finish != nil && !op.isUncached(variables) {
		return e.publicAnswer(ctx, call, variables)
	}
	result := e.runOnce(ctx, op, variables, key)
	result.Replayed = result.Replayed || given.Replayed()
	return result
}

// Refused is the result of a call that was not executed.
func Refused(err error) Result {
	return Result{Errors: gqlerror.List{asGraphQL(fault.From(err), nil)}}
}
