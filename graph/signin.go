package graph

import (
	"context"
	"errors"
	"net/http"
	"net/netip"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/auth"
	"storefront/internal/fault"
)

// need says whether an operation is about a signed-in customer.
type need int

const (
	nobody   need = iota // tokens are not looked at
	anybody              // whoever is signed in is known
	somebody             // nothing without a customer
)

// asks is what a field's directive @signedIn asks for; nil is none.
func asks(directive *ast.Directive) need {
	if directive == nil {
		return nobody
	}
	if optional := directive.Arguments.ForName("optional"); optional != nil && optional.Value.Raw == "true" {
		return anybody
	}
	return somebody
}

// Public tells whether the operation's answer is the same for everybody.
func (op *Operation) Public() bool { return op.signIn == nobody && !op.partner }

// NeedsSignIn tells whether the operation answers only a signed-in customer.
func (op *Operation) NeedsSignIn() bool { return op.signIn == somebody }

// NeedsKey tells whether the operation answers only a partner's server.
func (op *Operation) NeedsKey() bool { return op.partner }

// CredentialsIn finds the credentials in a request.
func CredentialsIn(r *http.Request) auth.Credentials {
	c := auth.Credentials{Authorization: r.Header.Get("Authorization"), APIKey: r.Header.Get("X-Api-Key")}
	if client, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		c.Client = client.Addr()
	}
	return c
}

// Admit looks at credentials as far as an operation needs it, and gives the context to run it with. It fails with
// UNAUTHENTICATED for an operation that needs a signed-in customer; the context then still serves its public fields. For
// one that needs a partner's key it fails with INVALID_CREDENTIALS.
func (e *Engine) Admit(ctx context.Context, op *Operation, credentials auth.Credentials) (context.Context, error) {
	ctx = withArrival(auth.WithCredentials(ctx, credentials), e.clock())
	if op.partner {
		known, err := e.partners.Authenticate(ctx, credentials.APIKey)
		if err != nil {
			return ctx, name(err)
		}
		ctx = auth.WithPartner(ctx, known)
	}
	if op.signIn == nobody {
		return ctx, nil
	}
	caller, err := e.accounts.Authenticate(ctx, credentials.Authorization)
	if err == nil {
		return auth.WithCaller(ctx, caller), nil
	}
	refused, ok := errors.AsType[*fault.Error](err)
	if ok && refused.Code == fault.Unauthenticated && op.signIn == anybody {
		return ctx, nil
	}
	return ctx, name(err)
}

// onlySignedIn is the directive @signedIn.
func onlySignedIn(ctx context.Context, _ any, next graphql.Resolver, optional bool) (any, error) {
	if _, err := auth.CallerOf(ctx); err != nil && !optional {
		return nil, err
	}
	return next(ctx)
}

// onlyPartners is the directive @apiKey.
func onlyPartners(ctx context.Context, _ any, next graphql.Resolver) (any, error) {
	if _, err := auth.PartnerOf(ctx); err != nil {
		return nil, err
	}
	return next(ctx)
}
