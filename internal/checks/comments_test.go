package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// conventional are the methods of well-known interfaces, whose meaning no comment has to say.
var conventional = []string{"Error", "Unwrap", "String", "GoString", "ServeHTTP", "Write"}

// uncommented returns the exported names of a file without a comment: top-level names, and methods of exported types.
// A comment of a group counts for its names.
func uncommented(file *ast.File) (names []string) {
	add := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		if name.IsExported() && !slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
			names = append(names, name.Name)
		}
	}
	for _, declared := range file.Decls {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			if declared.Recv == nil || ast.IsExported(receiver(declared)) &&
				!slices.Contains(conventional, declared.Name.Name) {
				add(declared.Name, declared.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, declared.Doc, spec.Doc, spec.Comment)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name, declared.Doc, spec.Doc, spec.Comment)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type.
func receiver(method *ast.FuncDecl) (name string) {
	ast.Inspect(method.Recv.List[0].Type, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && name == "" {
			name = ident.Name
		}
		return true
	})
	return name
}

// TestExportedNamesHaveComments checks packages but commands, and the methods of ent/schema, which ent names.
func TestExportedNamesHaveComments(t *testing.T) {
	for _, name := range sources(t) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || generated.MatchString(read(t, name)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", read(t, name),
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name.Name == "main" {
			continue
		}
		if file.Name.Name == "schema" {
			file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
				method, ok := d.(*ast.FuncDecl)
				return ok && method.Recv != nil
			})
		}
		for _, missing := range uncommented(file) {
			t.Errorf("%s: %s has no comment", name, missing)
		}
	}
}

// TestUncommented checks which names are found.
func TestUncommented(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p

func Bare() {}

// Said says.
func Said() {}

type T[K any] struct{}

func (*T[K]) Method() {}
func (*T[K]) Error() string { return "" }
func (t) Hidden() {}

// The values.
const (
	A = 1
	B = 2
)

var (
	C int
	D int // at the end of the line
)
`, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(uncommented(file), " "); got != "Bare T Method C" {
		t.Errorf("got %s, want Bare T Method C", got)
	}
}
