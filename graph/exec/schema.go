// Package exec runs documents on the resolvers. It is the code that gqlgen generates from schema.graphql
// (generated.go), and the table of how plans read the fields of each type (plans_gen.go, package plan). It is
// the largest package; it is separate so that a changed resolver does not recompile it.
package exec

import (
	"maps"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
)

// PublicSchema returns the schema without the directives that clients must not see: those that only gqlgen
// reads, and @defer, which gqlgen declares but which needs answers in parts; this API answers a request at
// once.
func PublicSchema() *ast.Schema {
	public := *parsedSchema
	public.Directives = maps.Clone(public.Directives)
	for _, name := range append([]string{"defer"}, storefront.PrivateDirectives...) {
		delete(public.Directives, name)
	}
	return &public
}
