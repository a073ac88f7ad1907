package shoptest

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/exec"
	"storefront/rest"
)

// Operations returns the schema and the operations behind the routes.
func Operations(t testing.TB) (*ast.Schema, *ast.QueryDocument) {
	t.Helper()
	schema := exec.NewExecutableSchema(exec.Config{}).Schema()
	document, errs := gqlparser.LoadQueryWithRules(schema, rest.Operations(), nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return schema, document
}
