package engine

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
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

// TestAnswersThatAreMadeShareMemory makes large answers of one client until one is refused. When their requests end,
// their memory is free.
func TestAnswersThatAreMadeShareMemory(t *testing.T) {
	field := graphql.CollectedField{Field: &ast.Field{Alias: "body"}}
	ctx := request.WithClient(graphql.WithFieldContext(t.Context(), &graphql.FieldContext{Field: field}),
		request.ClientAt(netip.MustParseAddr("203.0.113.1")))
	text := strings.Repeat("x", 15<<20)
	make := func(ctx context.Context) error {
		_, err := new(answerSize).resolve(ctx, func(context.Context) (any, error) { return text, nil })
		return err
	}
	running, end := context.WithCancel(ctx)
	for n := range 4 {
		if err := make(running); err != nil {
			t.Fatalf("%d: %v", n+1, err)
		}
	}
	if err := make(ctx); !fault.Is(err, fault.Unavailable) {
		t.Errorf("the fifth: %v", err)
	}
	end()
	for began := time.Now(); make(ctx) != nil; time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("the memory is not free again")
		}
	}
}

// TestFieldsTakeMemoryOnce resolves the fields of an answer at once, as those of a list are. Together they take the
// parts that the answer needs, not one for each field.
func TestFieldsTakeMemoryOnce(t *testing.T) {
	const fields = 2000
	ctx := graphql.WithFieldContext(t.Context(), &graphql.FieldContext{
		Field: graphql.CollectedField{Field: &ast.Field{Alias: "titleFa"}}})
	text := strings.Repeat("x", 3*wire.PartBytes/fields)
	for range 20 {
		var size answerSize
		var all sync.WaitGroup
		for range fields {
			all.Go(func() {
				if _, err := size.resolve(ctx, func(context.Context) (any, error) { return text, nil }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if taken := size.parts.Load(); taken != size.shown.Load()/wire.PartBytes {
			t.Fatalf("%d bytes took %d parts", size.shown.Load(), taken)
		}
	}
}
