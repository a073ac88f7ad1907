package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"storefront/graph/exec"
	"storefront/internal/bilingual"
)

// inLanguage is the directive @inLanguage for what gqlgen resolves by itself; plan.InLanguage does the same.
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
		return *text, nil // not nil: the own text is one of the two
	}
	return text, nil
}
