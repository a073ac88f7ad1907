package engine

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/request"
)

// A field with @orDomain takes either the id or the domain of its shop. Resolvers get the id in both cases. The domains
// of an operation are looked up before it runs: a mutation with an Idempotency-Key holds a database connection while it
// runs, and a lookup at that time would wait for a second one.

// namedShop holds the two arguments of a field that can identify its shop.
type namedShop struct {
	rules      *fieldRules
	id, domain *ast.Argument // nil if absent from the document
}

// noteShop notes how a field names its shop.
func (op *Operation) noteShop(f *ast.Field) {
	rules := op.declared.of(f.Definition)
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
	byID, byDomain := textOf(s.id, variables) != "", textOf(s.domain, variables) != ""
	switch {
	case byID && byDomain:
		bad.Add(domain, "must not be given together with %s", id)
	case !byID && !byDomain && !s.rules.shopOptional:
		bad.Add(id, "is required, if none is given of: %s", domain)
	}
}

// textOf returns the text of an argument, or "" if it has none.
func textOf(argument *ast.Argument, variables map[string]any) (text string) {
	switch {
	case argument == nil || argument.Value.Kind == ast.NullValue:
	case argument.Value.Kind == ast.Variable:
		text, _ = variables[argument.Value.Raw].(string)
	default:
		text = argument.Value.Raw
	}
	return text
}

// withShops returns a context with the ids of the shops that an operation identifies by domain.
func (e *Engine) withShops(
	ctx context.Context, op *Operation, variables map[string]any,
) (context.Context, error) {
	var domains []string
	for _, shop := range op.shops {
		if domain := textOf(shop.domain, variables); domain != "" && !slices.Contains(domains, domain) {
			domains = append(domains, domain)
		}
	}
	if len(domains) == 0 {
		return ctx, nil
	}
	ids, err := e.ShopsAt(ctx, domains)
	return request.With(ctx, func(r *request.Request) { r.Shops = ids }), err
}

// shopByDomain returns the id of the shop that a field identifies by domain, and false if it gives no domain.
// For an unknown domain it returns uuid.Nil, which is refused like an unknown id after the caller is checked.
func (op *Operation) shopByDomain(ctx context.Context, f *ast.Field, variables map[string]any) (uuid.UUID, bool) {
	known := request.Of(ctx).Shops
	rules := op.declared.of(f.Definition)
	if known == nil || rules.shopID == "" {
		return uuid.Nil, false
	}
	domain := textOf(f.Arguments.ForName(rules.shopDomain), variables)
	return known[domain], domain != ""
}

// namesNoShop reports whether a field that must identify a shop does not. A required variable counts as doing so.
func (op *Operation) namesNoShop(f *ast.Field, variables map[string]any) bool {
	rules := op.declared.of(f.Definition)
	for _, name := range []string{rules.shopID, rules.shopDomain} {
		given := f.Arguments.ForName(name)
		if textOf(given, variables) != "" {
			return false
		}
		if given != nil && given.Value.Kind == ast.Variable &&
			op.Definition.VariableDefinitions.ForName(given.Value.Raw).Type.NonNull {
			return false
		}
	}
	return rules.shopID != ""
}

// NoShop is among the arguments of a field that may name a shop and names none. The id alone does not say so: a
// text that is not an id is read as uuid.Nil, too.
const NoShop = "no shop"

// giveShop sets the id of the shop among the arguments of the field that is about to be resolved.
func (op *Operation) giveShop(ctx context.Context) {
	if len(op.shops) == 0 {
		return
	}
	field := graphql.GetFieldContext(ctx)
	variables := graphql.GetOperationContext(ctx).Variables
	rules := op.declared.of(field.Field.Definition)
	if id, ok := op.shopByDomain(ctx, field.Field.Field, variables); ok {
		field.Args[rules.shopID] = id
	} else if rules.shopOptional && op.namesNoShop(field.Field.Field, variables) {
		field.Args[NoShop] = true
	}
}
