package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bare are the functions of the service that start goroutines without package goroutine.
var bare = map[string]string{
	"internal/server.Serve": "without its listeners the process serves nothing, and ends",
	"cmd/storefront.serve":  "likewise",
}

// bounds are the functions that bound work by a channel, which serves waiters in the order of their arrival.
// All others use share.Slots, which keeps one shop or client from taking all slots.
var bounds = map[string]string{
	"internal/platform/keylock.Lock": "those who wait are of one key",
}

// TestGoroutinesAndBounds checks that the service starts its goroutines by package goroutine, which recovers
// from panics, and that bounds on concurrent work are shared between shops and clients.
func TestGoroutinesAndBounds(t *testing.T) {
	listed, err := exec.Command("go", "list", "-deps", "-f",
		`{{if and .Module .Module.Main}}{{.ImportPath}} {{.Dir}} {{join .GoFiles " "}}{{end}}`,
		"storefront/cmd/storefront").Output()
	if err != nil {
		t.Fatal(err)
	}
	unused := map[string]bool{}
	for name := range bare {
		unused[name] = true
	}
	for name := range bounds {
		unused[name] = true
	}
	files := token.NewFileSet()
	for line := range strings.Lines(string(listed)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], "storefront/")
		if pkg == "internal/platform/goroutine" || pkg == "ent" || strings.HasPrefix(pkg, "ent/") {
			continue
		}
		for _, name := range fields[2:] {
			parsed, err := parser.ParseFile(files, filepath.Join(fields[1], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, declared := range parsed.Decls {
				function, where := "", pkg
				if f, ok := declared.(*ast.FuncDecl); ok {
					function = f.Name.Name
				}
				where += "." + function
				ast.Inspect(declared, func(n ast.Node) bool {
					switch {
					case startsGoroutine(n):
						if bare[where] == "" {
							t.Errorf("%s: a goroutine without package goroutine", files.Position(n.Pos()))
						}
						delete(unused, where)
					case makesBound(n):
						if bounds[where] == "" {
							t.Errorf("%s: a bound without package share", files.Position(n.Pos()))
						}
						delete(unused, where)
					}
					return true
				})
			}
		}
	}
	for name := range unused {
		t.Errorf("%s starts no goroutine and bounds nothing: it needs no exception", name)
	}
}

// startsGoroutine reports whether a node is a go statement, or the call of sync.WaitGroup.Go with a function.
func startsGoroutine(n ast.Node) bool {
	if _, ok := n.(*ast.GoStmt); ok {
		return true
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	_, isFunction := call.Args[0].(*ast.FuncLit)
	return ok && isFunction && selector.Sel.Name == "Go"
}

// makesBound reports whether a node makes a channel of empty structs that holds more than one.
func makesBound(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || types.ExprString(call.Fun) != "make" {
		return false
	}
	return types.ExprString(call.Args[0]) == "chan struct{}" && types.ExprString(call.Args[1]) != "1"
}
