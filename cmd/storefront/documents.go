package main

import (
	"context"
	"fmt"

	storefront "storefront"
	"storefront/internal/pages/openapi"
)

// printOpenAPI prints the OpenAPI document.
func printOpenAPI(_ context.Context, args []string, p program) error {
	if _, err := load("openapi", args, p); err != nil {
		return err
	}
	_, err := p.stdout.Write(openapi.Document)
	return err
}

// printSchema prints the GraphQL schema with its descriptions.
func printSchema(_ context.Context, args []string, p program) error {
	if _, err := load("schema", args, p); err != nil {
		return err
	}
	_, err := fmt.Fprint(p.stdout, storefront.PublicSchema())
	return err
}
