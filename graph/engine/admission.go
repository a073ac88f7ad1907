package engine

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"storefront/graph/document"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// admit checks the credentials that an operation needs, and returns the context to run it with.
//
// It fails with UNAUTHENTICATED for an operation of the service that needs a signed-in customer. A client
// document runs nevertheless: only its fields that need the customer fail. It fails with INVALID_CREDENTIALS
// for an operation that needs a partner's key.
func (e *Engine) admit(r *http.Request, op *document.Operation) (context.Context, error) {
	credentials := credentialsOf(r)
	ctx := request.With(r.Context(), func(r *request.Request) {
		r.Credentials, r.Key = credentials, new(request.Key)
		if r.Arrival.At.IsZero() {
			r.Arrival = request.Arrival{At: e.Clock(), Own: time.Now()}
		}
	})
	if op.NeedsKey {
		partner, err := e.Partner(ctx, credentials.APIKey)
		if err != nil {
			return ctx, asFault(err)
		}
		ctx = request.With(ctx, func(r *request.Request) { r.Partner = &partner })
	}
	if op.SignIn == document.SignInIgnored {
		return ctx, nil
	}
	known, err := e.authenticate(ctx, op, credentials.Authorization)
	if err == nil {
		return known, nil
	}
	refused, is := errors.AsType[*fault.Error](err)
	if is && refused.Code == fault.Unauthenticated && (op.SignIn == document.SignInOptional || op.FromClient) {
		return request.With(ctx, func(r *request.Request) { r.Credentials.Refused = err }), nil
	}
	return ctx, asFault(err)
}

// authenticate finds the caller: a customer or, for a client document, a program. Operations of the service
// itself are for customers only.
func (e *Engine) authenticate(
	ctx context.Context, op *document.Operation, authorization string,
) (context.Context, error) {
	if bearer, ok := request.Bearer(authorization); ok && op.FromClient && e.IsProgram(bearer) {
		program, err := e.Program(ctx, bearer)
		return request.WithProgram(ctx, program), err
	}
	customer, err := e.Customer(ctx, authorization)
	return request.WithCaller(ctx, customer), err
}

// credentialsOf finds the credentials in a request.
func credentialsOf(r *http.Request) request.Credentials {
	c := request.Credentials{Authorization: r.Header.Get("Authorization"), UserAgent: r.UserAgent()}
	if keys := r.Header.Values("X-Api-Key"); len(keys) == 1 { // among several it is unclear which one is meant
		c.APIKey = keys[0]
	}
	if client, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		c.Client = client.Addr()
	}
	return c
}
