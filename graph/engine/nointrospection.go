package engine

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/fault"
)

// refuseIntrospection refuses a valid document that asks for the schema, even in an operation that would not
// run. `__typename` is allowed: it is about the answer.
func refuseIntrospection(document *ast.QueryDocument) gqlerror.List {
	asks := false
	for _, operation := range document.Operations {
		asks = asks || asksForSchema(operation.SelectionSet)
	}
	for _, fragment := range document.Fragments { // once each, however often it is spread
		asks = asks || asksForSchema(fragment.SelectionSet)
	}
	if !asks {
		return nil
	}
	return gqlerror.List{asGraphQL(fault.New(fault.DocumentInvalid,
		"introspection is switched off here: __schema and __type cannot be asked for"), nil)}
}

func asksForSchema(selections ast.SelectionSet) bool {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Name == "__schema" || s.Name == "__type" || asksForSchema(s.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if asksForSchema(s.SelectionSet) {
				return true
			}
		}
	}
	return false
}
