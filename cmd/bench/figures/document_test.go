package figures_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"storefront/cmd/bench/figures"
)

var update = flag.Bool("update", false, "write the tables of docs/figures.md anew")

// TestDocumentHasTheFigures compares the tables of docs/figures.md with docs/figures.json.
func TestDocumentHasTheFigures(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "docs")
	file, err := figures.Read(filepath.Join(folder, "figures.json"))
	if err != nil || len(file.Figures) == 0 {
		t.Fatalf("%d figures, %v", len(file.Figures), err)
	}
	document := filepath.Join(folder, "figures.md")
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- tables of figures.json -->\n", "<!-- end of tables -->\n"
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("figures.md has no %q and %q", begin, end)
	}
	var tables strings.Builder
	if err := file.Markdown(&tables); err != nil {
		t.Fatal(err)
	}
	if old == tables.String() {
		return
	}
	if !*update {
		t.Fatal("the tables of figures.md are not those of figures.json: run this test with -update")
	}
	if err := os.WriteFile(document, []byte(before+begin+tables.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
