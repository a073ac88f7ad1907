package document

import (
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
)

// sizeArguments are the same as in package graph.
var sizeArguments = []string{"pageSize", "first", "last"}

// newTestReader returns a reader of documents of the service's schema.
func newTestReader() *Reader {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: storefront.Schema})
	return NewReader(Options{Schema: schema, MaxPageSize: 100, SizeArguments: sizeArguments})
}
