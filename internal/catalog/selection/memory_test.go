package selection

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// asked parses a document and returns a function that asks for the Set of a field by its path.
func asked(t *testing.T, source string, room int) (*Memory, func(path ...string) *Set) {
	t.Helper()
	document, err := parser.ParseQuery(&ast.Source{Input: source})
	if err != nil {
		t.Fatal(err)
	}
	memory := MemoryFor(document, room)
	return memory, func(path ...string) *Set {
		op := &graphql.OperationContext{Doc: document, Variables: map[string]any{"yes": true, "no": false}}
		ctx := Remember(graphql.WithOperationContext(t.Context(), op), memory)
		selections := document.Operations[0].SelectionSet
		for i, name := range path {
			for _, field := range graphql.CollectFields(op, selections, nil) {
				if field.Alias != name {
					continue
				}
				if i == len(path)-1 {
					return Of(graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: field}))
				}
				selections = field.Selections
				break
			}
		}
		t.Fatalf("no field at %v", path)
		return nil
	}
}

func TestSetsAreRemembered(t *testing.T) {
	_, of := asked(t, `{ tenant { products { slug category { name } ...f } } }
		fragment f on P { category { slug } }`, 100)
	first := of("tenant", "products")
	if !first.At("category").Has("name") || !first.At("category").Has("slug") || first.Has("name") {
		t.Error("the set is wrong")
	}
	if of("tenant", "products") != first {
		t.Error("the set was made again")
	}
	if of("tenant").At("products") == first {
		t.Error("two fields have one set")
	}
	if added := first.And("id", "slug"); added != first.And("id", "slug") || first.Has("id") {
		t.Error("an addition was made again, or changed the set")
	}
}

// TestFragmentInTwoPlaces uses a field of a fragment in two places, beside different selections of the same
// field.
func TestFragmentInTwoPlaces(t *testing.T) {
	_, of := asked(t, `{
		one: tenant { ...f product { slug } }
		two: tenant { ...f }
		three: tenant { ...f product { title } }
	}
	fragment f on T { product { price } }`, 100)
	for range 2 {
		for place, more := range map[string]string{"one": "slug", "two": "", "three": "title"} {
			set := of(place, "product")
			for _, name := range []string{"slug", "title"} {
				if set.Has(name) != (name == more) {
					t.Errorf("%s: %s: got %v, want %v", place, name, set.Has(name), name == more)
				}
			}
			if !set.Has("price") {
				t.Errorf("%s: price is not asked", place)
			}
		}
	}
}

func TestConditionsAreNotRemembered(t *testing.T) {
	for _, source := range []string{
		`query ($yes: Boolean!) { a { b @include(if: $yes) } }`,
		`query ($no: Boolean!) { a { ...f @skip(if: $no) } } fragment f on A { b }`,
		`query ($no: Boolean!) { a { ... @skip(if: $no) { b } } }`,
		`query ($yes: Boolean!) { a { ...f } } fragment f on A { c { b @include(if: $yes) } }`,
	} {
		memory, of := asked(t, source, 100)
		if memory != nil {
			t.Errorf("%s is remembered", source)
		}
		if of("a").Empty() {
			t.Errorf("%s asks for nothing", source)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	memory, of := asked(t, `{ a { b { c { d e } } } }`, 6)
	for _, path := range [][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}} {
		if of(path...).Empty() {
			t.Errorf("%v has no fields", path)
		}
	}
	if memory.room < 0 || len(memory.fields) != 1 {
		t.Errorf("%d fields are remembered, and there is room for %d", len(memory.fields), memory.room)
	}
}
