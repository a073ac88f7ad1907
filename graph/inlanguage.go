package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"storefront/graph/exec"
	"storefront/internal/locale/bilingual"
)

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
