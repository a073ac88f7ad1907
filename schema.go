// Package storefront holds the GraphQL schema as it is written. The service is built by cmd/storefront.
package storefront

//go:generate go run ./internal/generate/gqlgen
//go:generate go run ./internal/generate/unused

import (
	_ "embed"
	"regexp"
	"strings"
)

// Schema is schema.graphql, with the directives that only the service reads.
//
//go:embed schema.graphql
var Schema string

// PrivateDirectives are not part of the public schema: they say how graph/engine runs a field, and how gqlgen writes
// Go.
var PrivateDirectives = []string{
	"cost", "listSize", "oneInRequest", "manyInRequest", "ofGuest", "ofShop", "ofCaller", "once", "again", "reads",
	"uncached",
	"goField", "goArguments", "goModel", "content",
}

var (
	ofPrivate           = `@(` + strings.Join(PrivateDirectives, "|") + `)\b(\([^)]*\))?`
	privateDeclarations = regexp.MustCompile(
		`(?m)(^#.*\n\n?)?^("""\n([^"]*\n)?"""\n|".*"\n)?directive ` + ofPrivate + ` on .*\n+`)
	privateUses = regexp.MustCompile(`\s+` + ofPrivate)
)

// PublicSchema returns the schema as clients know it: with its descriptions, and without the private directives.
func PublicSchema() string {
	return privateUses.ReplaceAllString(privateDeclarations.ReplaceAllString(Schema, ""), "")
}
