package engine

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
)

// sizeArguments are the same as in package graph.
var sizeArguments = []string{"pageSize", "first", "last"}

// newBareEngine returns an engine that can read documents of the service's schema but not run them.
func newBareEngine() *Engine {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: storefront.Schema})
	return New(Options{Executable: bareSchema{schema: schema}, MaxPageSize: 100, SizeArguments: sizeArguments})
}

// bareSchema is a schema without resolvers.
type bareSchema struct {
	graphql.ExecutableSchema
	schema *ast.Schema
}

func (s bareSchema) Schema() *ast.Schema { return s.schema }

func (bareSchema) Exec(context.Context) graphql.ResponseHandler { panic("a bare schema runs nothing") }
