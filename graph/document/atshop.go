package document

import (
	"cmp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
)

// AtShop returns a document in which the fields of queries and mutations that take a shop, and name none,
// name the one of a domain. A document that cannot be parsed is returned as it is.
func (r *Reader) AtShop(source, domain string) string {
	document, err := parser.ParseQuery(&ast.Source{Input: source})
	if err != nil {
		return source
	}
	roots := map[ast.Operation]*ast.Definition{ast.Query: r.Schema.Query, ast.Mutation: r.Schema.Mutation}
	for _, operation := range document.Operations {
		if root := roots[operation.Operation]; root != nil {
			r.nameShop(root, operation.SelectionSet, domain)
		}
	}
	for _, fragment := range document.Fragments {
		if root := r.Schema.Types[fragment.TypeCondition]; root == r.Schema.Query || root == r.Schema.Mutation {
			r.nameShop(root, fragment.SelectionSet, domain)
		}
	}
	var text strings.Builder
	formatter.NewFormatter(&text).FormatQueryDocument(document)
	return text.String()
}

func (r *Reader) nameShop(root *ast.Definition, fields ast.SelectionSet, domain string) {
	for _, selection := range fields {
		if inline, ok := selection.(*ast.InlineFragment); ok {
			r.nameShop(root, inline.SelectionSet, domain)
		}
		field, ok := selection.(*ast.Field)
		if !ok {
			continue
		}
		definition := root.Fields.ForName(field.Name)
		if definition == nil {
			continue
		}
		rules := r.rules(definition)
		name := cmp.Or(rules.leadsToShop, rules.shopDomain)
		if name == "" || field.Arguments.ForName(name) != nil || field.Arguments.ForName(rules.shopID) != nil {
			continue
		}
		field.Arguments = append(field.Arguments, &ast.Argument{Name: name,
			Value: &ast.Value{Raw: domain, Kind: ast.StringValue}})
	}
}
