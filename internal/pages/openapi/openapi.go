// Package openapi contains what is generated of the schema for those who write clients: the OpenAPI 3.1 document of the
// REST routes, which package describe makes, and the types of GraphQL. `make generate` writes both files. Callers must
// not modify them.
package openapi

import _ "embed"

// Document is the document as indented JSON.
//
//go:embed openapi.json
var Document []byte

// ClientTypes are the types of the schema that the caches of clients must know beforehand, as JSON: possibleTypes, the
// objects of each interface and union by its name, and typesWithoutId, the objects that have no id. Both are sorted.
//
//go:embed graphql-types.json
var ClientTypes []byte
