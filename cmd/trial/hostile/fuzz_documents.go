package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/cmd/internal/customer"
)

// deepest is how deep random documents are nested, at most, which is beyond what the service takes.
const deepest = 16

// document returns a random operation of the schema, a query rather than a mutation.
func (f *fuzzer) document(r *rand.Rand) string {
	kind, root := "query", f.schema.Query
	if r.IntN(4) == 0 {
		kind, root = "mutation", f.schema.Mutation
	}
	var text strings.Builder
	text.WriteString(kind)
	budget := 1 + r.IntN(60)
	f.selections(r, &text, root, 1, &budget)
	return text.String()
}

// selections writes some fields of a type, and those of its parts, as long as there is budget.
func (f *fuzzer) selections(r *rand.Rand, text *strings.Builder, of *ast.Definition, depth int, budget *int) {
	text.WriteString(" { __typename")
	if of.IsAbstractType() {
		for _, possible := range f.schema.GetPossibleTypes(of) {
			text.WriteString(" ... on " + possible.Name)
			f.selections(r, text, possible, depth+1, budget)
		}
	}
	for range 1 + r.IntN(4) {
		if *budget--; *budget < 0 || depth > deepest || len(of.Fields) == 0 {
			break
		}
		field := pick(r, of.Fields)
		if strings.HasPrefix(field.Name, "__") || field.Name == "logout" {
			continue
		}
		fmt.Fprintf(text, " f%d: %s%s", *budget, field.Name, f.arguments(r, field.Arguments))
		if inner := f.schema.Types[field.Type.Name()]; inner.IsCompositeType() {
			f.selections(r, text, inner, depth+1, budget)
		}
	}
	text.WriteString(" }")
}

// arguments writes the arguments that are needed and some that are not.
func (f *fuzzer) arguments(r *rand.Rand, all ast.ArgumentDefinitionList) string {
	var given []string
	for _, argument := range all {
		if argument.Type.NonNull && argument.DefaultValue == nil || r.IntN(3) == 0 {
			given = append(given, argument.Name+": "+f.literal(r, argument.Name, argument.Type, 0))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

// literal writes a value of a type, at times of another.
func (f *fuzzer) literal(r *rand.Rand, name string, t *ast.Type, depth int) string {
	if r.IntN(25) == 0 {
		return pick(r, []string{"null", "$a", "[]", "{}", "-1", "9999999999999999999", `""`, "x", "1e999", "true"})
	}
	if t.Elem != nil {
		var items []string
		for range r.IntN(3) {
			items = append(items, f.literal(r, name, t.Elem, depth+1))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	definition := f.schema.Types[t.NamedType]
	switch {
	case definition.Kind == ast.Enum:
		return pick(r, definition.EnumValues).Name
	case definition.Kind == ast.InputObject && depth < 5:
		var members []string
		for _, member := range definition.Fields {
			if member.Type.NonNull || r.IntN(2) == 0 {
				members = append(members, member.Name+": "+f.literal(r, member.Name, member.Type, depth+1))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case name == "domain":
		return fmt.Sprintf("%q", market)
	case name == "businessId":
		return fmt.Sprintf("%q", f.shops.business)
	case t.NamedType == "Int":
		return fmt.Sprint(pick(r, []int{0, 1, 2, 5, 50, 100, -1, 1 << 31}))
	case t.NamedType == "Boolean":
		return fmt.Sprint(r.IntN(2) == 0)
	case t.NamedType == "Decimal":
		return pick(r, []string{"0", "1", "5.5", "1000000", "-1", "99999999999999999999"})
	}
	return quoted(f.odd(r))
}

// quoted writes a text as a string of GraphQL.
func quoted(text string) string { return string(customer.JSON(strings.ToValidUTF8(text, "?"))) }
