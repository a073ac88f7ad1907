package app

import (
	"encoding/json"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
)

// clientTypesPath serves the types that clients must know beforehand (contract 3.5).
const clientTypesPath = "/graphql-types.json"

// clientTypes returns, as JSON, the types of the schema that the caches of clients must know beforehand:
// possibleTypes, the objects of each interface and union by its name, and typesWithoutId, the objects that have no
// id. Both are sorted.
func clientTypes() ([]byte, error) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: storefront.Schema})
	if err != nil {
		return nil, err
	}
	var types struct {
		PossibleTypes  map[string][]string `json:"possibleTypes"`
		TypesWithoutID []string            `json:"typesWithoutId"`
	}
	types.PossibleTypes = map[string][]string{}
	for _, d := range schema.Types {
		switch {
		case d.BuiltIn || d == schema.Query || d == schema.Mutation || d == schema.Subscription:
		case d.IsAbstractType():
			for _, possible := range schema.GetPossibleTypes(d) {
				types.PossibleTypes[d.Name] = append(types.PossibleTypes[d.Name], possible.Name)
			}
			slices.Sort(types.PossibleTypes[d.Name])
		case d.Kind == ast.Object && d.Fields.ForName("id") == nil:
			types.TypesWithoutID = append(types.TypesWithoutID, d.Name)
		}
	}
	slices.Sort(types.TypesWithoutID)
	return json.Marshal(types)
}
