// Package storefront holds the GraphQL schema as it is written. The service is built by cmd/storefront.
package storefront

//go:generate go run ./graph/plan/gen
//go:generate go run ./ent/unused

import (
	_ "embed"
	"regexp"
)

// Schema is schema.graphql, with the directives that only gqlgen reads.
//
//go:embed schema.graphql
var Schema string

// PrivateDirectives are the directives that say how gqlgen is to write Go. They are not part of the public schema.
var PrivateDirectives = []string{"goField", "goModel"}

var (
	privateDeclarations = regexp.MustCompile(`(?m)^(#.*\n)?directive @go(Field|Model)\b.*\n+`)
	privateUses         = regexp.MustCompile(` @go(Field|Model)\([^)]*\)`)
)

// PublicSchema returns the schema as clients know it: with its descriptions, and without the private directives.
func PublicSchema() string {
	return privateUses.ReplaceAllString(privateDeclarations.ReplaceAllString(Schema, ""), "")
}
