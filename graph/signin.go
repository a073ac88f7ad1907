package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"storefront/graph/engine"
	"storefront/internal/request"
)

// onlySignedIn implements the directive @signedIn.
func onlySignedIn(ctx context.Context, _ any, next graphql.Resolver, optional bool) (any, error) {
	if _, err := request.CallerOf(ctx); err != nil && !optional {
		return nil, err
	}
	if err := engine.RefuseRepeat(ctx); err != nil {
		return nil, err
	}
	return next(ctx)
}

// onlyPartners implements the directive @apiKey.
func onlyPartners(ctx context.Context, _ any, next graphql.Resolver) (any, error) {
	if _, err := request.PartnerOf(ctx); err != nil {
		return nil, err
	}
	return next(ctx)
}

// callerOf returns the customer who calls, for resolvers of fields with @signedIn, which refuses everybody else.
func callerOf(ctx context.Context) request.Caller {
	caller, err := request.CallerOf(ctx)
	if err != nil {
		panic(err)
	}
	return caller
}
