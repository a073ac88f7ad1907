//go:build ignore

package main

import (
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
			for _, element := range elementsOf(f.Body) {
				if mixin, ok := element.(*ast.CompositeLit); ok {
					c.mixins[of] = append(c.mixins[of], types.ExprString(mixin.Type))
				} else if name, builders := readColumn(element); name != "" {
					c.builders[of+"."+name] = builders
				}
			}
		}
	}
	return c, nil
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
func readColumn(column ast.Expr) (name string, builders map[string]string) {
	builders = map[string]string{}
	for {
		call, ok := column.(*ast.CallExpr)
		if !ok {
			return "", nil
		}
		builder, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return "", nil
		}
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
	if mixins := c.mixins[node.Name]; f.Position.MixedIn && f.Position.MixinIndex < len(mixins) {
		of = mixins[f.Position.MixinIndex]
	}
	argument, ok := c.builders[of+"."+f.Name][builder]
	if !ok {
		return "", fmt.Errorf("ent/defaults.go finds no %s of %s.%s: it reads only columns that Fields returns in a "+
			"list, each with its builders", builder, node.Name, f.Name)
	}
	return argument, nil
}

// validator returns the validator of a column as a Go expression.
func (c columns) validator(node *gen.Type, f *gen.Field) (string, error) {
	if least, err := c.given("Min", node, f); err != nil || least != "0" || f.Validators > 1 {
		return "", fmt.Errorf("%s.%s: the only validator that ent/defaults.go knows is Min(0)", node.Name, f.Name)
	}
	return "record.NotNegative[" + f.Type.Type.String() + "]", nil
}
