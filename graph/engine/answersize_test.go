package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// TestAnswerSize checks that fields are resolved while the answer is within its limit, and none after that.
func TestAnswerSize(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	field := graphql.CollectedField{Field: &ast.Field{Alias: "body"}}
	ctx := graphql.WithFieldContext(t.Context(), &graphql.FieldContext{Field: field})
	for name, value := range map[string]any{
		"text": long, "text that may be null": &long, "texts": []string{long[:1<<19], long[:1<<19]},
		"json": json.RawMessage(long),
	} {
		var size answerSize
		resolved := 0
		next := func(context.Context) (any, error) { resolved++; return value, nil }
		for i := range 40 {
			_, err := size.resolve(ctx, next)
			fits := i < maxAnswerBytes>>20-1
			if fits != (err == nil) || err != nil && !fault.Is(err, fault.LimitExceeded) {
				t.Fatalf("%s: %d MiB: %v", name, i+1, err)
			}
		}
		if resolved != maxAnswerBytes>>20 {
			t.Errorf("%s: %d MiB were resolved", name, resolved)
		}
	}
	failed := errors.New("failed")
	var size answerSize
	if _, err := size.resolve(ctx, func(context.Context) (any, error) { return long, failed }); err != failed {
		t.Errorf("a resolver's error became %v", err)
	}
}
