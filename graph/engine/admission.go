package engine

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

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

// A field with @orDomain takes either the id or the domain of its shop. Resolvers get the id in both cases. The domains
// of an operation are looked up before it runs: a mutation with an Idempotency-Key holds a database connection while it
// runs, and a lookup at that time would wait for a second one.

// withShops returns a context with the ids of the shops that an operation identifies by domain.
func (e *Engine) withShops(
	ctx context.Context, op *document.Operation, variables map[string]any,
) (context.Context, error) {
	domains := op.ShopDomains(variables)
	if len(domains) == 0 {
		return ctx, nil
	}
	ids, err := e.ShopsAt(ctx, domains)
	return request.With(ctx, func(r *request.Request) { r.Shops = ids }), err
}

// byDomain returns the id of the shop that a field identifies by domain, and false if it gives no domain.
// For an unknown domain it returns uuid.Nil, which is refused like an unknown id after the caller is checked.
func byDomain(ctx context.Context, shop document.FieldShop) (uuid.UUID, bool) {
	known := request.Of(ctx).Shops
	return known[shop.Domain], known != nil && shop.Domain != ""
}

// NoShop is among the arguments of a field that may name a shop and names none. The id alone does not say so: a
// text that is not an id is read as uuid.Nil, too.
const NoShop = "no shop"

// giveShop sets the id of the shop among the arguments of the field that is about to be resolved.
func giveShop(ctx context.Context, op *document.Operation) {
	if !op.TakesShops() {
		return
	}
	field := graphql.GetFieldContext(ctx)
	shop := op.ShopOf(field.Field.Field, graphql.GetOperationContext(ctx).Variables)
	if id, ok := byDomain(ctx, shop); ok {
		field.Args[shop.ID] = id
	} else if shop.Optional && shop.None {
		field.Args[NoShop] = true
	}
}
