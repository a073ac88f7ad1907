// Command openapi writes the OpenAPI document that the service serves. `make generate` runs it after gqlgen, because
// the document describes the generated schema.
package main

import (
	"log"
	"os"

	"storefront/internal/pages/openapi/describe"
)

func main() {
	log.SetFlags(0)
	document, err := describe.Document()
	if err == nil {
		err = os.WriteFile("internal/pages/openapi/openapi.json", document, 0o644)
	}
	if err != nil {
		log.Fatalf("writing the OpenAPI document: %v", err)
	}
}
