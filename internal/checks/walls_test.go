package checks_test

import (
	"fmt"
	"go/ast"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The walls of the house: what a package, a file, a type and a function may be, so that each can be read by itself.
const (
	mostLines   = 3500 // of a package, by hand
	mostFiles   = 30
	mostOfFile  = 400 // lines
	mostCircle  = 25  // files of a package that need each other in a circle
	mostParams  = 6
	mostMethods = 30 // exported ones of a type
	mostFields  = 20 // of a struct
	mostKeys    = 8  // calls of context.WithValue
	mostRooms   = 25 // names in internal
)

// tall are the packages with other bounds than these, and why: lines, files, circle.
var tall = map[string][3]int{
	"storefront/graph":      {5500, 60, mostCircle},      // a file for each room that it asks
	"storefront/ent/schema": {mostLines, 50, mostCircle}, // a file for each record
}

// wide are the structs with more fields: settings, rooms, and what one statement or one request gives as a whole.
var wide = []string{"app.Options", "cart.lineRow", "graph.Services"}

// mighty are the types with more exported methods.
var mighty = []string{"graph.mutationResolver", "graph.queryResolver", "graph.tenantResolver"} // one for each field

// withValues are the packages that may put values into contexts: what is known of a request, and what belongs to the
// transaction, the connection and the span alone.
var withValues = []string{"storefront/internal/request", "storefront/internal/database",
	"storefront/internal/database/transaction", "storefront/internal/server", "storefront/internal/platform/tracing"}

// pronouns must not be names of parameters, and riddles must not be names of functions.
var (
	pronouns = []string{"of", "one", "some", "found", "asked", "given", "made", "known"}
	riddles  = []string{"surely", "slip", "few", "still", "said", "taken"}
)

// room is a package with its types.
type room struct {
	path  string
	files []*ast.File // by hand
	set   *token.FileSet
	info  *types.Info
	pkg   *types.Package
}

func (r room) at(n ast.Node) string {
	p := r.set.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// short returns the name of the package and one of its names, as in tall.
func (r room) short(name string) string { return r.pkg.Name() + "." + name }

// faultsOf returns what a package has outside the walls.
func faultsOf(r room) (all []string) {
	add := func(format string, args ...any) { all = append(all, r.path+": "+fmt.Sprintf(format, args...)) }
	lines := 0
	for _, f := range r.files {
		n := r.set.File(f.Pos()).LineCount()
		lines += n
		if n > mostOfFile {
			add("%s has %d lines; the most are %d", r.at(f), n, mostOfFile)
		}
	}
	bounds, is := tall[r.path]
	if !is {
		bounds = [3]int{mostLines, mostFiles, mostCircle}
	}
	if lines > bounds[0] || len(r.files) > bounds[1] {
		add("%d lines in %d files; the most are %d in %d", lines, len(r.files), bounds[0], bounds[1])
	}
	if circle := largestCircle(r.needs()); len(circle) > bounds[2] {
		add("%d files need each other in a circle; the most are %d: %s", len(circle), bounds[2],
			strings.Join(circle, " "))
	}
	for _, f := range r.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				if count := n.Params.NumFields(); count > mostParams {
					add("%s takes %d parameters; the most are %d", r.at(n), count, mostParams)
				}
			case *ast.FuncDecl:
				if slices.Contains(riddles, n.Name.Name) {
					add("%s is called %s, which does not say what it does", r.at(n), n.Name.Name)
				}
				for _, parameters := range n.Type.Params.List {
					for _, name := range parameters.Names {
						if slices.Contains(pronouns, name.Name) {
							add("%s calls a parameter %s, which does not say what it is", r.at(name), name.Name)
						}
					}
				}
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					field, ok := left.(*ast.SelectorExpr)
					if ok && types.TypeString(r.info.TypeOf(field), nil) == "*storefront/ent.Client" {
						add("%s replaces the client in a field", r.at(n))
					}
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok && s.Fields.NumFields() > mostFields &&
					!slices.Contains(wide, r.short(n.Name.Name)) {
					add("%s has %d fields; the most are %d", n.Name.Name, s.Fields.NumFields(), mostFields)
				}
				if count := r.methodsOf(n.Name); count > mostMethods && !slices.Contains(mighty, r.short(n.Name.Name)) {
					add("%s has %d exported methods; the most are %d", n.Name.Name, count, mostMethods)
				}
			}
			return true
		})
	}
	for _, call := range r.withValue() {
		if !slices.Contains(withValues, r.path) {
			add("%s puts a value into a context", r.at(call))
		}
		if name, ok := call.Args[1].(*ast.Ident); ok {
			if v, ok := r.info.Uses[name].(*types.Var); ok && v.Parent() != r.pkg.Scope() {
				add("%s takes the key of a context from its caller", r.at(call))
			}
		}
	}
	return all
}

// withValue returns the calls of context.WithValue.
func (r room) withValue() (calls []*ast.CallExpr) {
	for _, f := range r.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if called, ok := call.Fun.(*ast.SelectorExpr); ok {
					if f := r.info.Uses[called.Sel]; f != nil && f.Pkg() != nil && f.Pkg().Path() == "context" &&
						f.Name() == "WithValue" {
						calls = append(calls, call)
					}
				}
			}
			return true
		})
	}
	return calls
}

// methodsOf returns how many exported methods a type has.
func (r room) methodsOf(name *ast.Ident) (n int) {
	if declared, ok := r.info.Defs[name].(*types.TypeName); ok {
		if named, ok := declared.Type().(*types.Named); ok {
			for method := range named.Methods() {
				if method.Exported() {
					n++
				}
			}
		}
	}
	return n
}

// needs returns, for each file, the files that declare what it names.
func (r room) needs() map[string]map[string]bool {
	needs := map[string]map[string]bool{}
	name := func(p token.Pos) string { return filepath.Base(r.set.Position(p).Filename) }
	for _, f := range r.files {
		from := name(f.Pos())
		needs[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if used := r.info.Uses[id]; used != nil && used.Pkg() == r.pkg && name(used.Pos()) != from {
					needs[from][name(used.Pos())] = true
				}
			}
			return true
		})
	}
	return needs
}

// largestCircle returns the largest set of files each of which needs all the others, directly or by others.
func largestCircle(needs map[string]map[string]bool) (largest []string) {
	reach := map[string]map[string]bool{}
	for from := range needs {
		seen, left := map[string]bool{}, []string{from}
		for len(left) > 0 {
			next := left[len(left)-1]
			left = left[:len(left)-1]
			for to := range needs[next] {
				if !seen[to] {
					seen[to] = true
					left = append(left, to)
				}
			}
		}
		reach[from] = seen
	}
	for from, to := range reach {
		var circle []string
		for other := range to {
			if reach[other][from] {
				circle = append(circle, other)
			}
		}
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	slices.Sort(largest)
	return largest
}

func TestWallsStand(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{Dir: root, Mode: packages.NeedName | packages.NeedFiles |
		packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports},
		"./cmd/storefront", "./ent/schema", "./graph", "./graph/document", "./graph/engine", "./graph/http",
		"./graph/plan", "./internal/...", "./rest")
	if err != nil {
		t.Fatal(err)
	}
	keys, used := 0, map[string]bool{}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
		if strings.HasPrefix(p.PkgPath, "storefront/internal/contract") ||
			strings.HasPrefix(p.PkgPath, "storefront/internal/testkit") { // for tests alone
			continue
		}
		r := room{path: p.PkgPath, set: p.Fset, info: p.TypesInfo, pkg: p.Types}
		for _, f := range p.Syntax {
			if !ast.IsGenerated(f) {
				r.files = append(r.files, f)
			}
		}
		for _, wrong := range faultsOf(r) {
			t.Error(wrong)
		}
		keys += len(r.withValue())
		used[p.PkgPath] = true
	}
	if keys > mostKeys {
		t.Errorf("%d calls of context.WithValue; the most are %d", keys, mostKeys)
	}
	if rooms, err := os.ReadDir(filepath.Join(root, "internal")); err != nil || len(rooms) > mostRooms {
		t.Errorf("%d names in internal, %v; the most are %d", len(rooms), err, mostRooms)
	}
	for _, path := range slices.Sorted(maps.Keys(tall)) {
		if !used[path] {
			t.Errorf("%s has bounds of its own, and is not there", path)
		}
	}
}

// TestWallsFall checks that each wall is found broken.
func TestWallsFall(t *testing.T) {
	many := func(format string, n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format, i)
		}
		return text.String()
	}
	for want, source := range map[string]string{
		"takes 7 parameters":      "func f(a, b, c, d, e, g, h int) {}",
		"has 21 fields":           "type wideOne struct { " + many("f%d int; ", 21) + "}",
		"has 31 exported methods": "type mightyOne int\n" + many("func (mightyOne) M%d() {}\n", 31),
		"has 403 lines":           strings.Repeat("\n", 400),
		"replaces the client":     "type Client struct{}\ntype s struct { c *Client }\nfunc (s *s) f() { s.c = nil }",
		"calls a parameter of":    "func f(of int) {}",
		"is called few":           "func few() {}",
		"puts a value into":       "import \"context\"\nvar c = context.WithValue(context.Background(), 1, 2)",
		"takes the key": "import \"context\"\n" +
			"func f(c context.Context, k int) {\n context.WithValue(c, k, 2) }",
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "sample.go", "package ent\n"+source+"\n// end\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
			Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		of := types.Config{Importer: goimporter.ForCompiler(set, "source", nil)}
		pkg, err := of.Check("storefront/ent", set, []*ast.File{file}, info)
		if err != nil {
			t.Fatal(err)
		}
		r := room{path: "storefront/ent", set: set, info: info, pkg: pkg, files: []*ast.File{file}}
		if found := strings.Join(faultsOf(r), "\n"); !strings.Contains(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
	}
	needs := map[string]map[string]bool{"a": {"b": true}, "b": {"c": true}, "c": {"a": true, "d": true}, "d": {}}
	if circle := largestCircle(needs); !slices.Equal(circle, []string{"a", "b", "c"}) {
		t.Errorf("the circle is %v", circle)
	}
}
