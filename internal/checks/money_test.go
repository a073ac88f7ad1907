package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMoneyIsNoFloat checks that the packages that calculate with amounts use no floats.
func TestMoneyIsNoFloat(t *testing.T) {
	for _, dir := range []string{"internal/locale/money", "internal/sale/cart", "internal/sale/order"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for number, line := range strings.Split(string(text), "\n") {
				code, _, _ := strings.Cut(line, "//")
				if strings.Contains(strings.ToLower(code), "float") {
					t.Errorf("%s:%d: %s", file, number+1, line)
				}
			}
		}
	}
}

// amountName matches what an amount is called, and dividedInSQL a division of one in a statement.
var (
	amountName   = regexp.MustCompile(`(?i)minor|price|amount|revenue|refund|discount|charge|total`)
	dividedInSQL = regexp.MustCompile(`(?i)(minor|price|amount|discount|charge|total)\w*\)? ?[/%] ?[\w$(]`)
)

// divisions are the files that divide an amount and make no amount of it.
var divisions = map[string]string{
	"internal/list/page.go":           "a number of pages",
	"internal/content/derive/new.go":  "a key of sorting",
	"internal/sale/report/sales.go":   "a key of sorting",
	"internal/sale/report/orders.go":  "billions and the rest, which are added up separately",
	"internal/catalog/crawl/torob.go": "a number of pages",
}

// TestMoneyDivides checks that internal/locale/money alone divides amounts.
func TestMoneyDivides(t *testing.T) {
	unused, files := maps.Clone(divisions), token.NewFileSet()
	for _, name := range sources(t) {
		room, _, _ := strings.Cut(name, "/")
		text := read(t, name)
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || generated.MatchString(text) ||
			room != "internal" && room != "graph" && room != "rest" ||
			strings.HasPrefix(name, "internal/locale/money/") ||
			strings.HasPrefix(name, "internal/contract/money/") { // it shares no code with what it tries
			continue
		}
		parsed, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			divides := false
			switch n := n.(type) {
			case *ast.BinaryExpr:
				divides = (n.Op == token.QUO || n.Op == token.REM) && namesAmount(n)
			case *ast.AssignStmt:
				divides = (n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN) && namesAmount(n)
			case *ast.BasicLit:
				divides = n.Kind == token.STRING && dividedInSQL.MatchString(n.Value)
			}
			if divides && divisions[name] == "" {
				t.Errorf("%s: an amount is divided without internal/locale/money", files.Position(n.Pos()))
			}
			if divides {
				delete(unused, name)
			}
			return true
		})
	}
	for name := range unused {
		t.Errorf("%s divides no amount: it needs no exception", name)
	}
}

// namesAmount reports whether a name below a node is that of an amount.
func namesAmount(n ast.Node) (names bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		name, is := n.(*ast.Ident)
		names = names || is && amountName.MatchString(name.Name)
		return true
	})
	return names
}
