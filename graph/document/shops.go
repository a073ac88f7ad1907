package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"storefront/internal/fault"
)

// namedShop holds the two arguments of a field that can identify its shop.
type namedShop struct {
	rules      *fieldRules
	id, domain *ast.Argument // nil if absent from the document
}

// noteShop notes how a field names its shop.
func (op *Operation) noteShop(f *ast.Field) {
	rules := op.reader.rules(f.Definition)
	if rules.shopID == "" {
		return
	}
	named := namedShop{rules, f.Arguments.ForName(rules.shopID), f.Arguments.ForName(rules.shopDomain)}
	if !slices.Contains(op.shops, named) {
		op.shops = append(op.shops, named)
	}
}

// check adds a fault unless exactly one of the arguments is given, directly or by a variable, or neither of
// optional ones. It adds none if one of them has a fault already.
func (s namedShop) check(bad *fault.Fields, variables map[string]any) {
	id, domain := s.rules.shopID, s.rules.shopDomain
	if s.id != nil {
		id = nameOf(s.id)
	}
	if s.domain != nil {
		domain = nameOf(s.domain)
	}
	if slices.ContainsFunc(*bad, func(f fault.Field) bool { return f.Field == id || f.Field == domain }) {
		return
	}
	byID, byDomain := TextOf(s.id, variables) != "", TextOf(s.domain, variables) != ""
	switch {
	case byID && byDomain:
		bad.Add(domain, "must not be given together with %s", id)
	case !byID && !byDomain && !s.rules.shopOptional:
		bad.Add(id, "is required, if none is given of: %s", domain)
	}
}

// TextOf returns the text of an argument, or "" if it has none. variables are those that were read.
func TextOf(argument *ast.Argument, variables map[string]any) (text string) {
	switch {
	case argument == nil || argument.Value.Kind == ast.NullValue:
	case argument.Value.Kind == ast.Variable:
		text, _ = variables[argument.Value.Raw].(string)
	default:
		text = argument.Value.Raw
	}
	return text
}

// FieldShop says how a field names its shop. It is zero for a field that takes none.
type FieldShop struct {
	ID       string // the argument that takes the id of the shop
	Domain   string // by which the shop is named; "" if it is not
	Optional bool   // none needs to be named
	None     bool   // none is named; a required variable counts as naming one
}

// ShopOf returns how a field names its shop (@orDomain).
func (op *Operation) ShopOf(f *ast.Field, variables map[string]any) FieldShop {
	rules := op.reader.rules(f.Definition)
	if rules.shopID == "" {
		return FieldShop{}
	}
	id, domain := f.Arguments.ForName(rules.shopID), f.Arguments.ForName(rules.shopDomain)
	names := func(given *ast.Argument) bool {
		return TextOf(given, variables) != "" || given != nil && given.Value.Kind == ast.Variable &&
			op.Definition.VariableDefinitions.ForName(given.Value.Raw).Type.NonNull
	}
	return FieldShop{rules.shopID, TextOf(domain, variables), rules.shopOptional, !names(id) && !names(domain)}
}

// TakesShops reports whether any field takes a shop (@orDomain).
func (op *Operation) TakesShops() bool { return len(op.shops) > 0 }

// ShopDomains returns the domains by which fields name their shops, each once.
func (op *Operation) ShopDomains(variables map[string]any) (domains []string) {
	for _, shop := range op.shops {
		if domain := TextOf(shop.domain, variables); domain != "" && !slices.Contains(domains, domain) {
			domains = append(domains, domain)
		}
	}
	return domains
}

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
