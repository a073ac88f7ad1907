package main

import (
	"strings"
	"testing"
)

// TestExampleBundle checks that the bundle of the documents can be imported, and that importing it or its export again
// changes nothing.
func TestExampleBundle(t *testing.T) {
	t.Parallel()
	const example = "../../examples/bundle/tea-house.json"
	s := on("sqlite://" + t.TempDir() + "/shop.db")
	out := s.succeed(t, "import", example)
	for _, told := range []string{
		"tea-house.example", "categories: 3 new", "products: 2 new", "variants: 3 new", "comments: 1 new",
	} {
		if !strings.Contains(out, told) {
			t.Errorf("import: got %s, want it to contain %q", out, told)
		}
	}
	exported := t.TempDir() + "/tea-house.json.gz"
	s.succeed(t, "export", "tea-house.example", "-o", exported)
	for _, file := range []string{example, exported} {
		out := s.succeed(t, "import", file)
		if strings.Count(out, ": 0 new, 0 changed,") != strings.Count(out, "as before") {
			t.Errorf("%s changes something: %s", file, out)
		}
	}
}
