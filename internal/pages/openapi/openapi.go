// Package openapi contains the OpenAPI 3.1 document of the REST routes, which package describe generates.
package openapi

import _ "embed"

// Document is the document as indented JSON. Callers must not modify it. `make generate` writes the file.
//
//go:embed openapi.json
var Document []byte
