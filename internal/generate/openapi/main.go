// Command openapi writes what the service serves to those who write clients: the OpenAPI document, and the types of the
// schema. `make generate` runs it after gqlgen, because the document describes the generated schema.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/internal/pages/openapi/describe"
)

func main() {
	log.SetFlags(0)
	for name, write := range map[string]func() ([]byte, error){
		"openapi.json": describe.Document, "graphql-types.json": clientTypes,
	} {
		text, err := write()
		if err == nil {
			err = os.WriteFile(filepath.Join("internal/pages/openapi", name), text, 0o644)
		}
		if err != nil {
			log.Fatalf("writing %s: %v", name, err)
		}
	}
}

// clientTypes returns the content of openapi.ClientTypes.
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
