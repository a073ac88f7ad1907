// Command unused removes from package ent, and the packages below it, the functions and types that nothing uses. ent
// generates every builder for every table, and every setter, predicate and helper for every column, of which the
// service uses a tenth, and all of them cost each build (github.com/ent/ent, issue 4010, closed without a change, asks
// for less). `make generate` runs it last. Run that again once something uses a function that is missing.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/imports"
)

const (
	generated = "storefront/ent"
	leftOut   = generated + ".leftOut" // the type written by hand from which mutations have methods that nothing calls
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatalf("taking out unused functions: %v", err)
	}
}

// tools are packages that are not read: they import ent's generator, and its interfaces would keep methods that the
// service does not need.
var tools = []string{"storefront/internal/generate/", generated + "/columns"}

func run() error {
	m := module{files: token.NewFileSet(), declared: map[string]*declaration{}, called: map[string]bool{}}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Fset: m.files, Tests: true,
	}, "storefront/...")
	if err != nil {
		return err
	}
	loaded = slices.DeleteFunc(loaded, func(p *packages.Package) bool {
		return slices.ContainsFunc(tools, func(tool string) bool { return strings.HasPrefix(p.PkgPath, tool) })
	})
	var roots []string
	packages.Visit(loaded, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			err = cmp.Or(err, error(e)) // a package that does not compile may use more functions than are seen
		}
	})
	if err != nil {
		return err
	}
	for _, p := range loaded {
		if !isGenerated(p.PkgPath) {
			roots = append(roots, m.usedIn(p.TypesInfo)...)
		}
	}
	for _, p := range loaded {
		if isGenerated(p.PkgPath) {
			m.read(p)
		}
	}
	m.interfaces(loaded)
	roots = append(roots, m.roots...)
	m.mark(roots)
	return m.write()
}

func isGenerated(path string) bool {
	return path == generated || strings.HasPrefix(path, generated+"/") && path != generated+"/schema"
}

// module holds what the generated packages declare, by names such as "storefront/ent.AddressMutation.City".
type module struct {
	files    *token.FileSet
	declared map[string]*declaration
	called   map[string]bool // methods of ent's interfaces
	roots    []string        // what generated variables use
}

// declaration is that of a generated function or type.
type declaration struct {
	node     ast.Node
	doc      *ast.CommentGroup
	function *types.Func // nil for a type
	uses     []string
	used     bool
}

// nameOf names a function, a method or a type of the generated packages; it is empty for other objects.
func nameOf(object types.Object) string {
	if object == nil || object.Pkg() == nil || !isGenerated(object.Pkg().Path()) {
		return ""
	}
	name := object.Pkg().Path() + "."
	switch object := object.(type) {
	case *types.TypeName:
		return name + object.Name()
	case *types.Func:
		if named := receiverOf(object.Origin()); named != nil {
			name += named.Obj().Name() + "."
		}
		return name + object.Name()
	}
	return ""
}

func receiverOf(f *types.Func) *types.Named {
	receiver := f.Signature().Recv()
	if receiver == nil {
		return nil
	}
	t := receiver.Type()
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, _ := t.(*types.Named)
	return named
}

// usedIn returns the generated functions and types that a package uses, and records the methods of ent's interfaces
// that it calls.
func (m *module) usedIn(info *types.Info) (used []string) {
	for _, object := range info.Uses {
		if name := nameOf(object); name != "" {
			used = append(used, name)
		}
		if f, ok := object.(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "entgo.io/ent" {
			m.called[f.Name()] = true
		}
	}
	return used
}

// read records what a generated package declares, and what each declaration uses.
func (m *module) read(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, node := range file.Decls {
			uses := usesOf(node, p.TypesInfo)
			switch d := node.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "init" {
					break
				}
				f := p.TypesInfo.Defs[d.Name].(*types.Func)
				m.declared[nameOf(f)] = &declaration{node: d, doc: d.Doc, function: f, uses: uses}
				continue
			case *ast.GenDecl:
				if d.Tok != token.TYPE || len(d.Specs) > 1 {
					break
				}
				name := nameOf(p.TypesInfo.Defs[d.Specs[0].(*ast.TypeSpec).Name])
				m.declared[name] = &declaration{node: d, doc: d.Doc, uses: uses}
				continue
			}
			m.roots = append(m.roots, uses...)
		}
	}
}

// usesOf returns the generated functions and types that a declaration names.
func usesOf(node ast.Node, info *types.Info) (uses []string) {
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if name := nameOf(info.Uses[id]); name != "" {
				uses = append(uses, name)
			}
		}
		return true
	})
	return uses
}

// interfacesOf returns the interfaces of the packages that this module uses, and the names of the methods of those of
// this module, which may be constraints.
func interfacesOf(loaded []*packages.Package) (all []*types.Interface, ours map[string]bool) {
	ours = map[string]bool{"Error": true} // of the predeclared error
	read := func(p *packages.Package, written *ast.InterfaceType) {
		if !strings.HasPrefix(p.PkgPath, "storefront") {
			if i, ok := p.TypesInfo.TypeOf(written).(*types.Interface); ok && i.IsMethodSet() {
				all = append(all, i)
			}
			return
		}
		for _, method := range written.Methods.List {
			for _, name := range method.Names {
				ours[name.Name] = true
			}
		}
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if written, ok := n.(*ast.InterfaceType); ok {
					read(p, written)
				}
				return true
			})
		}
	})
	return all, ours
}

// interfaces lets each generated type use the methods by which it satisfies interfaces.
func (m *module) interfaces(loaded []*packages.Package) {
	all, ours := interfacesOf(loaded)
	wanted := map[*types.Named]map[string]bool{}
	for name, d := range m.declared {
		if d.function == nil {
			continue
		}
		receiver, short := receiverOf(d.function), d.function.Name()
		if receiver == nil || !ours[short] && m.notCalled(receiver.Obj().Name(), short) {
			continue
		}
		if wanted[receiver] == nil {
			wanted[receiver] = methodsFor(receiver, all)
		}
		if of := m.declared[nameOf(receiver.Obj())]; of == nil || nameOf(receiver.Obj()) == leftOut {
			m.roots = append(m.roots, name)
		} else if wanted[receiver][short] || ours[short] {
			of.uses = append(of.uses, name)
		}
	}
}

// notCalled reports whether a method satisfies an interface of ent's, but no code by hand calls it. Mutations have such
// methods from leftOut instead. Only hooks that write by mutations would need Client.Mutate, which uses all builders.
func (m *module) notCalled(receiver, method string) bool {
	if receiver == "Client" {
		return method == "Mutate"
	}
	return m.declared[leftOut+"."+method] != nil && strings.HasSuffix(receiver, "Mutation") && !m.called[method]
}

// methodsFor returns the methods by which a type satisfies any of the interfaces.
func methodsFor(t *types.Named, all []*types.Interface) map[string]bool {
	methods := map[string]bool{}
	for _, i := range all {
		if types.Implements(types.NewPointer(t), i) {
			for method := range i.Methods() {
				methods[method.Name()] = true
			}
		}
	}
	return methods
}

// mark marks declarations as used, and all that they use.
func (m *module) mark(names []string) {
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		if d := m.declared[name]; d != nil && !d.used {
			d.used = true
			names = append(names, d.uses...)
		}
	}
}

// cut is a part of a file that is left out.
type cut struct{ from, to int }

func (m *module) write() error {
	cuts := map[string][]cut{}
	for _, d := range m.declared {
		if d.used {
			continue
		}
		from, to := d.node.Pos(), d.node.End()
		if d.doc != nil {
			from = d.doc.Pos()
		}
		place := m.files.Position(from)
		cuts[place.Filename] = append(cuts[place.Filename], cut{place.Offset, m.files.Position(to).Offset})
	}
	declarations := 0
	for name, inFile := range cuts {
		declarations += len(inFile)
		if err := rewrite(name, inFile); err != nil {
			return err
		}
	}
	fmt.Printf("%d unused functions and types are left out\n", declarations)
	return nil
}

// rewrite leaves parts of a file out, and the imports that only they needed. A file without declarations is removed.
func rewrite(name string, cuts []cut) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Compare(b.from, a.from) })
	for _, c := range cuts {
		text = slices.Delete(text, c.from, c.to)
	}
	formatted, err := imports.Process(name, text, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	left, err := parser.ParseFile(token.NewFileSet(), name, formatted, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if len(left.Decls) == 0 {
		return os.Remove(name)
	}
	return os.WriteFile(name, formatted, 0o644)
}
