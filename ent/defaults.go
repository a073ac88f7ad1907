//go:build ignore

package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"

	"entgo.io/ent/entc/gen"
)

// columns holds how the schemas declare their columns.
type columns struct {
	mixins map[string][]string // by schema: ["base", "owned"]

	// builders are the calls after that of package field, and what they are given, as it is written. The keys are the
	// type that has the column, and the column: "Variant.stock", "base.id".
	builders map[string]map[string]string
}

// readColumns reads the schemas in a folder.
func readColumns(folder string) (columns, error) {
	c := columns{mixins: map[string][]string{}, builders: map[string]map[string]string{}}
	parsed, err := parser.ParseDir(token.NewFileSet(), folder, nil, parser.SkipObjectResolution)
	if err != nil {
		return c, err
	}
	for _, file := range parsed["schema"].Files {
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Fields" && f.Name.Name != "Mixin" {
				continue
			}
			of := types.ExprString(f.Recv.List[0].Type)
			for _, element := range f.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.CompositeLit).Elts {
				if f.Name.Name == "Mixin" {
					c.mixins[of] = append(c.mixins[of], types.ExprString(element.(*ast.CompositeLit).Type))
					continue
				}
				name, builders := readColumn(element)
				c.builders[of+"."+name] = builders
			}
		}
	}
	return c, nil
}

// readColumn reads a column such as field.Int("stock").Default(0).Min(0).
func readColumn(column ast.Expr) (name string, builders map[string]string) {
	builders = map[string]string{}
	for {
		call := column.(*ast.CallExpr)
		builder := call.Fun.(*ast.SelectorExpr)
		var argument string
		if len(call.Args) > 0 {
			argument = types.ExprString(call.Args[0])
		}
		if of, first := builder.X.(*ast.Ident); first && of.Name == "field" {
			name, _ = strconv.Unquote(argument)
			return name, builders
		}
		builders[builder.Sel.Name], column = argument, builder.X
	}
}

// given returns what a builder of a column is given.
func (c columns) given(builder string, node *gen.Type, f *gen.Field) (string, error) {
	of := node.Name
	if f.Position.MixedIn {
		of = c.mixins[node.Name][f.Position.MixinIndex]
	}
	argument, ok := c.builders[of+"."+f.Name][builder]
	if !ok {
		return "", fmt.Errorf("%s.%s is not declared with %s", node.Name, f.Name, builder)
	}
	return argument, nil
}

// validator returns the validator of a column as a Go expression.
func (c columns) validator(node *gen.Type, f *gen.Field) (string, error) {
	if least, err := c.given("Min", node, f); err != nil || least != "0" || f.Validators > 1 {
		return "", cmp.Or(err, fmt.Errorf("%s.%s: the only validator that is generated is Min(0)", node.Name, f.Name))
	}
	return "record.NotNegative[" + f.Type.Type.String() + "]", nil
}
