// Package openapi holds the OpenAPI 3.1 document of the REST routes, which package describe makes.
package openapi

import _ "embed"

// Document is the document: indented JSON, not to be changed. `make generate` writes the file.
//
//go:embed openapi.json
var Document []byte
