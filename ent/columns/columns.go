// Package columns reads how the schemas declare the defaults and validators of columns, for the template that writes
// them as values (ent/template/runtime.tmpl).
package columns

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/entc/gen"
)

// Columns holds the columns of all schemas.
type Columns struct {
	files  *token.FileSet
	mixins map[string][]string // by schema: ["base", "owned"]; "" for one that is not a plain literal

	// builders holds the arguments of a column's builders, such as Default, by their names. The keys are the type
	// and the column: "Variant.stock", "base.id".
	builders map[string]map[string]ast.Expr
}

// Read reads the schemas in a folder.
func Read(folder string) (Columns, error) {
	c := Columns{
		files: token.NewFileSet(), mixins: map[string][]string{}, builders: map[string]map[string]ast.Expr{},
	}
	parsed, err := parser.ParseDir(c.files, folder, nil, parser.SkipObjectResolution)
	if err != nil {
		return c, err
	}
	for _, schemas := range parsed {
		for _, file := range slices.Sorted(maps.Keys(schemas.Files)) {
			for _, declaration := range schemas.Files[file].Decls {
				if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv != nil {
					c.read(f)
				}
			}
		}
	}
	return c, nil
}

// read notes what a method Fields or Mixin returns.
func (c Columns) read(f *ast.FuncDecl) {
	of, _ := f.Recv.List[0].Type.(*ast.Ident)
	switch {
	case of == nil:
	case f.Name.Name == "Mixin":
		for _, element := range elementsOf(f.Body) {
			var name string
			if mixin, ok := element.(*ast.CompositeLit); ok {
				if declared, ok := mixin.Type.(*ast.Ident); ok {
					name = declared.Name
				}
			}
			c.mixins[of.Name] = append(c.mixins[of.Name], name)
		}
	case f.Name.Name == "Fields":
		for _, element := range elementsOf(f.Body) {
			if name, builders := readColumn(element); name != "" {
				c.builders[of.Name+"."+name] = builders
			}
		}
	}
}

// elementsOf returns the elements of the list that a function returns, if that is all it does.
func elementsOf(body *ast.BlockStmt) []ast.Expr {
	if len(body.List) != 1 {
		return nil
	}
	returned, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(returned.Results) != 1 {
		return nil
	}
	list, ok := returned.Results[0].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	return list.Elts
}

// readColumn reads a column such as field.Int("stock").Default(0).Min(0). The name is empty if it is made otherwise.
func readColumn(column ast.Expr) (name string, builders map[string]ast.Expr) {
	builders = map[string]ast.Expr{}
	for {
		call, ok := column.(*ast.CallExpr)
		if !ok {
			return "", nil
		}
		builder, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return "", nil
		}
		var argument ast.Expr
		if len(call.Args) > 0 {
			argument = call.Args[0]
		}
		if of, first := builder.X.(*ast.Ident); first && of.Name == "field" {
			if literal, ok := argument.(*ast.BasicLit); ok {
				name, _ = strconv.Unquote(literal.Value)
			}
			return name, builders
		}
		builders[builder.Sel.Name], column = argument, builder.X
	}
}

// Default returns the argument of the builder Default, DefaultFunc or UpdateDefault of a column, as a Go expression of
// the column's type that compiles in package ent.
func (c Columns) Default(builder string, node *gen.Type, f *gen.Field) (string, error) {
	argument, err := c.given(builder, node, f)
	if err != nil && builder == "Default" {
		argument, err = c.given("DefaultFunc", node, f)
	}
	if err != nil {
		return "", fmt.Errorf("no %s of %s.%s is found: only columns that Fields returns in a list, each with its "+
			"builders, and mixins that are literals of this package are read", builder, node.Name, f.Name)
	}
	if declared := declaredHere(argument); declared != "" {
		return "", fmt.Errorf("the %s of %s.%s names %s of package schema, which the service does not import: "+
			"declare it in internal/record", builder, node.Name, f.Name, declared)
	}
	var text strings.Builder
	if err := format.Node(&text, c.files, argument); err != nil {
		return "", err
	}
	if f.HasGoType() && !f.IsJSON() && !f.DefaultFunc() && builder == "Default" {
		return f.Type.String() + "(" + text.String() + ")", nil // ent takes the type below it
	}
	return text.String(), nil
}

// given returns the argument of a builder of a column.
func (c Columns) given(builder string, node *gen.Type, f *gen.Field) (ast.Expr, error) {
	of := node.Name
	if mixins := c.mixins[node.Name]; f.Position.MixedIn && f.Position.MixinIndex < len(mixins) {
		of = mixins[f.Position.MixinIndex]
	}
	argument, ok := c.builders[of+"."+f.Name][builder]
	if !ok || argument == nil {
		return nil, fmt.Errorf("%s.%s has no %s", node.Name, f.Name, builder)
	}
	return argument, nil
}

// declaredHere returns a name in an expression that is declared in its own package, or "".
func declaredHere(expression ast.Expr) (name string) {
	ast.Inspect(expression, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // a name of an imported package
			return false
		case *ast.KeyValueExpr: // the key may be a member of a struct
			if found := declaredHere(n.Value); found != "" {
				name = found
			}
			return false
		case *ast.FuncLit:
			name = "a function literal"
			return false
		case *ast.Ident:
			if types.Universe.Lookup(n.Name) == nil {
				name = n.Name
			}
		}
		return true
	})
	return name
}

// Validator returns the validator of a column as a Go expression.
func (c Columns) Validator(node *gen.Type, f *gen.Field) (string, error) {
	argument, err := c.given("Min", node, f)
	least, isLiteral := argument.(*ast.BasicLit)
	if err != nil || !isLiteral || least.Value != "0" || f.Validators > 1 || !f.IsInt() && !f.IsInt64() {
		return "", fmt.Errorf("%s.%s: the only validator that ent/template/runtime.tmpl writes is Min(0) of integers",
			node.Name, f.Name)
	}
	return "record.NotNegative[" + f.Type.Type.String() + "]", nil
}

// OnlyDefaults returns an error if a type has hooks, interceptors, a policy or a value scanner: the template writes
// none, and ent would register them in a package that nothing imports. The text is empty, for the template to write.
func OnlyDefaults(node *gen.Type) (string, error) {
	for what, has := range map[string]bool{
		"hooks": node.NumHooks() > 0, "interceptors": node.NumInterceptors() > 0, "a policy": node.NumPolicy() > 0,
		"a value scanner": node.HasValueScanner(),
	} {
		if has {
			return "", fmt.Errorf("the schema %s has %s, which ent/template/runtime.tmpl does not write: "+
				"hooks and interceptors are added to the client (internal/database/tenancy)", node.Name, what)
		}
	}
	return "", nil
}
