// Package randomquery generates random documents of a schema, with fragments, aliases, repeated fields,
// directives, and arguments that mostly match records.
package randomquery

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Values holds values of arguments that match records, by the domain of a shop and by the argument's name, or
// its field's name and its own: "product.slug".
type Values map[string]map[string][]string

// Writer writes documents.
type Writer struct {
	*rand.Rand
	Schema *ast.Schema
	Values Values
	Shop   string                          // the shop whose values are used until a document asks for a tenant
	Skip   func(*ast.FieldDefinition) bool // reports whether to leave out a field; may be nil
	Odd    func() string                   // a text that may break something; nil: all arguments are of their types
	Fields int                             // the most fields of a document
	Depth  int                             // the greatest depth of fields
}

// document is a document while it is written.
type document struct {
	Writer
	aliases   int
	fragments []string
	depth     int
	variables map[string]bool
}

// Document writes a query, or a mutation.
func (w Writer) Document(kind ast.Operation) string {
	d := &document{Writer: w, variables: map[string]bool{}}
	d.Fields = 1 + w.IntN(w.Fields)
	root := w.Schema.Query
	if kind == ast.Mutation {
		root = w.Schema.Mutation
	}
	selected := d.selections(root)
	var declared []string
	for _, name := range slices.Sorted(maps.Keys(d.variables)) {
		declared = append(declared, fmt.Sprintf("$%s: Boolean! = %t", name, name == "yes"))
	}
	head := string(kind) + " Random"
	if len(declared) > 0 {
		head += "(" + strings.Join(declared, ", ") + ")"
	}
	return head + " " + selected + " " + strings.Join(d.fragments, " ")
}

// selections writes fields of a type, in braces.
func (d *document) selections(definition *ast.Definition) string {
	d.depth++
	defer func() { d.depth-- }()
	var text strings.Builder
	text.WriteString("{ ")
	written := 0
	for range 1 + d.IntN(7) {
		if d.Fields <= 0 && written > 0 {
			break
		}
		on := definition
		if definition.IsAbstractType() {
			on = pick(d, d.Schema.GetPossibleTypes(definition))
		}
		field := d.field(on)
		if field == "" {
			continue
		}
		written++
		way := d.IntN(20)
		switch {
		case way == 0 && on == definition:
			field = "... { " + field + " }"
		case way == 2:
			name := fmt.Sprintf("f%d", len(d.fragments))
			d.fragments = append(d.fragments, "fragment "+name+" on "+on.Name+" { "+field+" }")
			field = "..." + name + d.directive(4)
			if d.IntN(2) == 0 {
				field += " ..." + name
			}
		case way == 1 || on != definition:
			field = "... on " + on.Name + d.directive(4) + " { " + field + " }"
		}
		text.WriteString(field + " ")
	}
	if written == 0 || d.IntN(6) == 0 {
		text.WriteString("__typename ")
	}
	text.WriteString("}")
	return text.String()
}

// field writes a field with its selections, or nothing if a limit is reached.
func (d *document) field(definition *ast.Definition) string {
	field := pick(d, definition.Fields)
	if definition == d.Schema.Query && d.IntN(3) > 0 {
		field = definition.Fields.ForName("tenant")
	}
	inner := d.Schema.Types[field.Type.Name()]
	if strings.HasPrefix(field.Name, "__") || d.Skip != nil && d.Skip(field) ||
		inner.IsCompositeType() && (d.depth >= d.Depth || d.Fields < 2) {
		return ""
	}
	d.Fields--
	if field.Name == "tenant" {
		before := d.Shop
		defer func() { d.Shop = before }()
		d.Shop = pick(d, slices.Sorted(maps.Keys(d.Values)))
	}
	alias := ""
	if len(field.Arguments) > 0 || d.IntN(12) == 0 { // the same name with other arguments could not be merged
		d.aliases++
		alias = fmt.Sprintf("a%d: ", d.aliases)
	}
	text := alias + field.Name + d.arguments(field) + d.directive(25)
	if inner.IsCompositeType() {
		text += " " + d.selections(inner)
	}
	return text
}

// directive writes a directive in one of cases calls, at random.
func (d *document) directive(cases int) string {
	if d.IntN(cases) > 0 {
		return ""
	}
	condition := pick(d, []string{"true", "false", "$yes", "$no"})
	if name, ok := strings.CutPrefix(condition, "$"); ok {
		d.variables[name] = true
	}
	return pick(d, []string{" @include", " @skip"}) + "(if: " + condition + ")"
}

func (d *document) arguments(f *ast.FieldDefinition) string {
	var given []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil || d.IntN(5) == 0 {
			given = append(given, a.Name+": "+d.value(f.Name, a.Name, a.Type, 0))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

// broken are invalid values, or values of the wrong type.
var broken = []string{"null", "$a", "[]", "{}", "-1", "9999999999999999999", `""`, "x", "1e999", "true"}

// value writes a value of an argument or a member of an input.
func (d *document) value(field, name string, t *ast.Type, depth int) string {
	if d.Odd != nil && d.IntN(25) == 0 {
		return pick(d, broken)
	}
	if t.Elem != nil {
		var items []string
		for range 1 + d.IntN(2) {
			items = append(items, d.value(field, name, t.Elem, depth))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	if name == "domain" {
		if d.IntN(40) == 0 {
			return `"nobody.example"`
		}
		return quoted(d.Shop)
	}
	definition := d.Schema.Types[t.NamedType]
	known := d.Values[d.Shop]
	for _, name := range []string{field + "." + name, name} {
		if len(known[name]) > 0 && d.IntN(15) > 0 {
			return quoted(pick(d, known[name]))
		}
	}
	switch {
	case definition.Kind == ast.Enum:
		return pick(d, definition.EnumValues).Name
	case definition.Kind == ast.InputObject && depth < 5:
		var members []string
		for _, m := range definition.Fields {
			if m.Type.NonNull || d.IntN(2) == 0 {
				members = append(members, m.Name+": "+d.value(field, m.Name, m.Type, depth+1))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case t.NamedType == "Int" && d.Odd == nil:
		return fmt.Sprint(1 + d.IntN(5))
	case t.NamedType == "Int":
		return fmt.Sprint(pick(d, []int{0, 1, 2, 5, 50, 100, -1, 1 << 31}))
	case t.NamedType == "Boolean":
		return fmt.Sprint(d.IntN(2) == 0)
	case t.NamedType == "Decimal" && d.Odd == nil:
		return pick(d, []string{"0", "5.5", "12", "1000000"})
	case t.NamedType == "Decimal":
		return pick(d, []string{"0", "1", "5.5", "1000000", "-1", "99999999999999999999"})
	case d.Odd != nil:
		return quoted(d.Odd())
	}
	return quoted(pick(d, []string{"a", "the", "ماشین", "no such", "x\\\"y"}))
}

// quoted writes a text as a string of GraphQL.
func quoted(text string) string {
	written, _ := json.Marshal(strings.ToValidUTF8(text, "?")) // cannot fail for a string
	return string(written)
}

func pick[T any](d *document, from []T) T { return from[d.IntN(len(from))] }
