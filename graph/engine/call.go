package engine

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/internal/fault"
	"storefront/internal/platform/tracing"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// Call is a request to run an operation, as /graphql or REST has read it.
type Call struct {
	Request   *http.Request
	Operation *document.Operation
	Dialect   document.Dialect
	Read      func() (Input, error) // reads what the client sent; not called if the caller is refused

	// Name and Finish are set for a read whose answer is the same for everybody and may be cached. Name
	// identifies the operation and the form of the answer; Finish makes the answer from the data. inLanguage
	// is the language of Accept-Language if the answer depends on it.
	Name   string
	Finish func(data json.RawMessage, inLanguage string) *wire.Public
}

// Input is what a client sent for an operation.
type Input struct {
	Values map[string]any // of the operation's variables; for their types see Operation.Read
	What   any            // the content of the request, to compare under an Idempotency-Key
	Faults fault.Fields   // what was found wrong while reading
}

// Result is the result of a call.
type Result struct {
	Data     json.RawMessage // the data object; nil if nothing was executed
	Errors   gqlerror.List
	Replayed bool // it is the answer to an earlier request with the same Idempotency-Key

	Public *wire.Public // the finished answer, instead of Data, of a successful call with Finish
	kept   bool         // Public is in the cache too
}

// Hold reserves the memory of Public while it is sent, unless it is in the cache anyway. It fails with UNAVAILABLE.
func (r Result) Hold(ctx context.Context) (free func(), err error) {
	if r.kept {
		return func() {}, nil
	}
	return r.Public.Hold(ctx)
}

// Do runs a call through all steps between a request and its answer. Both /graphql and REST run every
// operation through it, so that neither can leave out a step or change the order.
func (e *Engine) Do(call Call) Result {
	op := call.Operation
	ctx, span := tracing.BeginOperation(call.Request.Context(), string(op.Definition.Operation), op.Fields,
		op.Definition.Name)
	if span == nil {
		return e.do(call)
	}
	call.Request = call.Request.WithContext(ctx)
	result := e.do(call)
	span.End(codesOf(result.Errors), result.Replayed)
	return result
}

// codesOf returns the distinct codes of errors. They are sorted because fields fail in any order.
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
	noted := request.Of(call.Request.Context()).Note
	noted.Add(func(r *request.Facts) { r.Operation, r.Fields = op.Definition.Name, op.Fields })
	ctx, err := e.admit(call.Request, op)
	if err != nil {
		return Refused(err)
	}
	input, err := call.Read()
	if err != nil {
		return Refused(err)
	}
	faults := input.Faults
	key := idempotencyKey(ctx, op, call.Request, &faults)
	own := request.Of(ctx).Key
	if op.Once.AtGateway {
		own.Text = key
	}
	variables, partnerDomains, wrong := op.Read(input.Values, call.Dialect, faults)
	for _, domain := range partnerDomains {
		if caller, err := request.PartnerOf(ctx); err != nil || !caller.Owns(domain) {
			return Refused(request.UnknownPartner())
		}
	}
	if domain, ok := variables[op.ShopDomain].(string); ok && call.Finish != nil { // cached answers call no resolver
		noted.Asks(domain)
	}
	if op.FromClient {
		if err := op.WithinLimits(variables); err != nil {
			return Refused(err)
		}
	}
	if ctx, err = e.withShops(ctx, op, variables); err != nil {
		return Refused(asFault(err))
	}
	if len(wrong.All) > 0 {
		return e.refuse(ctx, op, variables, wrong)
	}
	if call.Finish != nil && !op.IsUncached(variables) {
		return e.publicAnswer(ctx, call, variables)
	}
	result := e.runOnce(ctx, op, variables, keyed(ctx, op, call.Request, key, input.What))
	result.Replayed = result.Replayed || own.Replayed()
	return result
}

// Refused returns the result of a call that was not executed.
func Refused(err error) Result {
	return Result{Errors: gqlerror.List{document.ErrorOf(fault.From(err), nil)}}
}

// Gravest returns the error of a result by which it is judged: a failure of the service if there is one, else the
// first error, else nil.
func (r Result) Gravest() (first error) {
	for _, err := range r.Errors {
		if fault.Is(err, fault.Internal) || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.ShopClosed) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}
