// Package storefront holds the GraphQL schema as it is written. The service is built by cmd/storefront.
package storefront

//go:generate go tool gqlgen --config gqlgen.yml

import _ "embed"

// Schema is schema.graphql.
//
//go:embed schema.graphql
var Schema string
