package engine

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"storefront/graph/document"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// admit checks the credentials that an operation needs, and returns the context to run it with.
//
// It fails with UNAUTHENTICATED for an operation of the service that needs a signed-in customer. A client
// document runs nevertheless: only its fields that need the customer fail. It fails with INVALID_CREDENTIALS
// for an operation that needs a partner's key.
func (e *Engine) admit(r *http.Request, op *document.Operation) (context.Context, error) {
	credentials := credentialsOf(r)
	ctx := auth.WithCredentials(r.Context(), credentials)
	if _, _, noted := wire.Arrival(ctx); !noted {
		ctx = wire.WithArrival(ctx, e.Clock(), 0)
	}
	if op.NeedsKey {
		partner, err := e.Partner(ctx, credentials.APIKey)
		if err != nil {
			return ctx, asFault(err)
		}
		ctx = auth.WithPartner(ctx, partner)
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
		return auth.WithRefusal(ctx, err), nil
	}
	return ctx, asFault(err)
}

// authenticate finds the caller: a customer or, for a client document, a program. Operations of the service
// itself are for customers only.
func (e *Engine) authenticate(
	ctx context.Context, op *document.Operation, authorization string,
) (context.Context, error) {
	if bearer, ok := auth.Bearer(authorization); ok && op.FromClient && e.IsProgram(bearer) {
		program, err := e.Program(ctx, bearer)
		return auth.WithProgram(ctx, program), err
	}
	customer, err := e.Customer(ctx, authorization)
	return auth.WithCaller(ctx, customer), err
}

// credentialsOf finds the credentials in a request.
func credentialsOf(r *http.Request) auth.Credentials {
	c := auth.Credentials{Authorization: r.Header.Get("Authorization"), UserAgent: r.UserAgent()}
	if keys := r.Header.Values("X-Api-Key"); len(keys) == 1 { // among several it is unclear which one is meant
		c.APIKey = keys[0]
	}
	if client, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		c.Client = client.Addr()
	}
	return c
}

// Arrival returns the time at which the current request arrived, before it waited for anything.
func Arrival(ctx context.Context) time.Time {
	at, _, _ := wire.Arrival(ctx) // always set after admit
	return at
}

// Arrived is Arrival by the clock of the process, which no test stops and no server sets.
func Arrived(ctx context.Context) time.Time {
	_, own, _ := wire.Arrival(ctx)
	return own
}
