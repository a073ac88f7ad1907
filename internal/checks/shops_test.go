package checks_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"storefront"
)

var (
	graphqlBlock = regexp.MustCompile("(?ms)^```graphql\n(.*?)^```$")
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	asked        = regexp.MustCompile(`\bask ([A-Z]\w*)`)
)

// TestShopsDocument checks the walk of docs/shops.md: its documents together are valid for the public schema,
// and its commands send every operation of them, and no other.
func TestShopsDocument(t *testing.T) {
	const name = "docs/shops.md"
	page := read(t, name)
	schema, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: storefront.PublicSchema()})
	if err != nil {
		t.Fatal(err)
	}
	var documents, commands strings.Builder
	for _, block := range graphqlBlock.FindAllStringSubmatch(page, -1) {
		documents.WriteString(block[1])
	}
	for _, block := range consoleBlock.FindAllStringSubmatch(page, -1) {
		commands.WriteString(block[1])
	}
	document, err := parser.ParseQuery(&ast.Source{Name: name, Input: documents.String()})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range validator.ValidateWithRules(schema, document, nil) {
		t.Errorf("%s: %s", name, fault.Message)
	}
	sent := map[string]bool{}
	for _, call := range asked.FindAllStringSubmatch(commands.String(), -1) {
		sent[call[1]] = true
		if document.Operations.ForName(call[1]) == nil {
			t.Errorf("%s sends %s, which no document has", name, call[1])
		}
	}
	for _, operation := range document.Operations {
		if !sent[operation.Name] {
			t.Errorf("%s does not send %s", name, operation.Name)
		}
	}
	if len(document.Operations) < 20 {
		t.Errorf("%s has only %d operations", name, len(document.Operations))
	}
}
