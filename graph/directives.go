package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"storefront/graph/engine"
	"storefront/graph/exec"
	"storefront/internal/locale/bilingual"
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

// inLanguage implements the directive @inLanguage for fields that gqlgen resolves. plan.InLanguage does so
// for plans.
func inLanguage(ctx context.Context, obj any, next graphql.Resolver) (any, error) {
	own, err := next(ctx)
	field := graphql.GetFieldContext(ctx)
	choice, asks := bilingual.ChoiceOf(field.Field.Field)
	if err != nil || !asks {
		return own, err
	}
	in, asked := choice.In(ctx)
	if !asked {
		return own, nil
	}
	text := exec.Texts[field.Object+"."+field.Field.Name].In(in, obj)
	if _, held := own.(string); held {
		return *text, nil // never nil: one of the two texts is there
	}
	return text, nil
}
