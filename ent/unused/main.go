// Command unused removes from package ent, and the packages below it, the functions that nothing uses. ent
// generates every setter, predicate and helper for every column, of which the service uses a tenth, and all of
// them cost each build. `make generate` runs it last. Run that again once something uses a function that is
// missing.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"log"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/imports"
)

const generated = "storefront/ent"

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatalf("taking out unused functions: %v", err)
	}
}

func run() error {
	m := module{files: token.NewFileSet(), functions: map[string]*function{}, uses: map[string][]string{},
		called: map[string]bool{}}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Fset: m.files, Tests: true,
	}, "storefront/...")
	if err != nil {
		return err
	}
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
	return path == generated || strings.HasPrefix(path, generated+"/") && path != generated+"/schema" &&
		path != generated+"/unused"
}

// module holds the generated functions by name, such as "storefront/ent.AddressMutation.City".
type module struct {
	files     *token.FileSet
	functions map[string]*function
	uses      map[string][]string
	called    map[string]bool // methods of ent's interfaces
	roots     []string        // functions used by generated variables and required by interfaces
}

// function is a generated function.
type function struct {
	declared *ast.FuncDecl
	receiver *types.Named // nil for a plain function
	used     bool
}

// nameOf names a function or a method; it is empty for other objects.
func nameOf(object types.Object) string {
	f, ok := object.(*types.Func)
	if !ok || f.Pkg() == nil || !isGenerated(f.Pkg().Path()) {
		return ""
	}
	f = f.Origin()
	name := f.Pkg().Path() + "."
	if named := receiverOf(f); named != nil {
		name += named.Obj().Name() + "."
	}
	return name + f.Name()
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

// usedIn returns the generated functions that a package uses, and records the methods of ent's interfaces that
// it calls.
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

// read records the functions of a generated package, and what each of them uses.
func (m *module) read(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, declaration := range file.Decls {
			var used []string
			ast.Inspect(declaration, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if name := nameOf(p.TypesInfo.Uses[id]); name != "" {
						used = append(used, name)
					}
				}
				return true
			})
			declared, ok := declaration.(*ast.FuncDecl)
			if !ok || declared.Name.Name == "init" {
				m.roots = append(m.roots, used...)
				continue
			}
			f := p.TypesInfo.Defs[declared.Name].(*types.Func)
			if m.isBulky(declared) {
				used = nil
			}
			name := nameOf(f)
			m.functions[name] = &function{declared: declared, receiver: receiverOf(f)}
			m.uses[name] = used
		}
	}
}

// interfaces marks the methods by which generated types satisfy interfaces as used. Interfaces without a name,
// as in errors.Is, and those of this module, which may be constraints, are matched by method name alone.
func (m *module) interfaces(loaded []*packages.Package) {
	var all []*types.Interface
	byName := map[string]bool{"Error": true} // of the predeclared error
	packages.Visit(loaded, nil, func(p *packages.Package) {
		ours := strings.HasPrefix(p.PkgPath, "storefront")
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeSpec:
					_, isInterface := n.Type.(*ast.InterfaceType)
					return ours || !isInterface
				case *ast.InterfaceType:
					for _, method := range n.Methods.List {
						for _, name := range method.Names {
							byName[name.Name] = true
						}
					}
				}
				return true
			})
		}
		for _, name := range p.Types.Scope().Names() {
			if i := asInterface(p.Types.Scope().Lookup(name)); i != nil {
				all = append(all, i)
			}
		}
	})
	wanted := map[*types.Named]map[string]bool{}
	for name, f := range m.functions {
		if f.receiver == nil {
			continue
		}
		if wanted[f.receiver] == nil {
			wanted[f.receiver] = methodsFor(f.receiver, all)
		}
		if short := f.declared.Name.Name; wanted[f.receiver][short] || byName[short] {
			m.roots = append(m.roots, name)
		}
	}
}

// asInterface returns the interface that an object declares. It is nil for other objects and for constraints.
func asInterface(object types.Object) *types.Interface {
	declared, ok := object.(*types.TypeName)
	if !ok {
		return nil
	}
	named, ok := declared.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil
	}
	if i, ok := named.Underlying().(*types.Interface); ok && i.IsMethodSet() {
		return i
	}
	return nil
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

// mark marks functions as used, and all that they use.
func (m *module) mark(names []string) {
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		if f := m.functions[name]; f != nil && !f.used {
			f.used = true
			names = append(names, m.uses[name]...)
		}
	}
}

// isBulky reports whether a function is one of the methods of mutations that reach every column by its name:
// ent's interface requires them, and nothing calls them.
func (m *module) isBulky(f *ast.FuncDecl) bool {
	if f.Recv == nil || m.called[f.Name.Name] {
		return false
	}
	receiver, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := receiver.X.(*ast.Ident)
	return ok && strings.HasSuffix(of.Name, "Mutation") && slices.Contains([]string{
		"OldField", "SetField", "AddField", "ClearField", "ResetField", "ClearEdge", "ResetEdge",
	}, f.Name.Name)
}

// cut is a part of a file that is left out, and what replaces it.
type cut struct {
	from, to int
	instead  string
}

func (m *module) write() error {
	cuts := map[string][]cut{}
	for _, f := range m.functions {
		from, to, instead := f.declared.Pos(), f.declared.End(), ""
		switch {
		case f.used && m.isBulky(f.declared):
			from, instead = f.declared.Body.Pos(), `{ panic("ent: nothing uses this method, so it is left out") }`
		case f.used:
			continue
		case f.declared.Doc != nil:
			from = f.declared.Doc.Pos()
		}
		place := m.files.Position(from)
		cuts[place.Filename] = append(cuts[place.Filename], cut{place.Offset, m.files.Position(to).Offset, instead})
	}
	functions := 0
	for name, inFile := range cuts {
		functions += len(inFile)
		if err := rewrite(name, inFile); err != nil {
			return err
		}
	}
	fmt.Printf("%d unused functions are left out\n", functions)
	return nil
}

// rewrite leaves parts of a file out, and the imports that only they needed.
func rewrite(name string, cuts []cut) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Compare(b.from, a.from) })
	for _, c := range cuts {
		text = slices.Replace(text, c.from, c.to, []byte(c.instead)...)
	}
	formatted, err := imports.Process(name, text, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, formatted, 0o644)
}
