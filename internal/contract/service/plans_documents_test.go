package service_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/contract/shoptest"
)

// randomValues are values of arguments that find something, by the domain of a shop and by the argument's
// name, or its field's and its own: "product.slug".
type randomValues map[string]map[string][]string

// values asks the demo shops for them.
func (w *ways) values(t *testing.T) randomValues {
	all := randomValues{}
	for _, domain := range []string{shoptest.PaperShop, shoptest.MachineShop, "memar-novin.example"} {
		got := w.ask(t, w.plain, http.MethodPost, "/graphql", shoptest.GraphQLBody(`{ tenant(domain: "`+domain+`") {
			id products(pageSize: 24) { items { id slug categoryId brandId tags } }
			productsConnection(first: 6) { edges { cursor } } storeItems { items { id } }
			userProducts { items { slug cityId } } blogs { items { id slug } } portfolios { items { id slug } } }
			cities(parentSlug: "alborz") { id parentId parentSlug } }`, ""))
		type item struct {
			ID, Slug, CategoryID, BrandID, CityID, Cursor, ParentID, ParentSlug string
			Tags                                                                []string
		}
		type list struct{ Items, Edges []item }
		var read struct {
			Data struct {
				Tenant struct {
					ID                                                                        string
					Products, ProductsConnection, StoreItems, UserProducts, Blogs, Portfolios list
				}
				Cities []item
			}
		}
		if err := json.Unmarshal(got.Body, &read); err != nil || read.Data.Tenant.ID == "" {
			t.Fatalf("%v: %s", err, got.Body)
		}
		shop, known := read.Data.Tenant, map[string][]string{"businessId": {read.Data.Tenant.ID}}
		add := func(name, value string) {
			if value != "" && !slices.Contains(known[name], value) {
				known[name] = append(known[name], value)
			}
		}
		for _, p := range shop.Products.Items {
			add("productId", p.ID)
			add("entityId", p.ID)
			add("product.slug", p.Slug)
			add("categoryId", p.CategoryID)
			add("brandId", p.BrandID)
			for _, tag := range p.Tags {
				add("tag", tag)
			}
		}
		for _, e := range shop.ProductsConnection.Edges {
			add("productsConnection.after", e.Cursor)
			add("productsConnection.before", e.Cursor)
		}
		for _, v := range shop.StoreItems.Items {
			add("storeVariant.id", v.ID)
		}
		for _, p := range shop.UserProducts.Items {
			add("userProduct.slug", p.Slug)
			add("cityId", p.CityID)
		}
		for _, b := range shop.Blogs.Items {
			add("blogId", b.ID)
			add("blog.slug", b.Slug)
		}
		for _, p := range shop.Portfolios.Items {
			add("portfolioId", p.ID)
			add("portfolio.slug", p.Slug)
		}
		for _, c := range read.Data.Cities {
			add("city.id", c.ID)
			add("parentId", c.ParentID)
			add("parentSlug", c.ParentSlug)
		}
		all[domain] = known
	}
	return all
}

// randomWriter writes a random query of the schema: with fragments, aliases, fields that stand twice,
// directives, and arguments that mostly find something.
type randomWriter struct {
	*rand.Rand
	schema    *ast.Schema
	values    randomValues
	shop      string // whose values are taken
	fields    int    // that may still be written
	aliases   int
	fragments []string
	depth     int
	variables map[string]bool
}

func randomDocument(r *rand.Rand, schema *ast.Schema, values randomValues) string {
	w := &randomWriter{Rand: r, schema: schema, values: values, fields: 4 + r.IntN(40), variables: map[string]bool{}}
	w.shop = shoptest.PaperShop
	selected := w.selections(schema.Query)
	var declared []string
	for _, name := range slices.Sorted(maps.Keys(w.variables)) {
		declared = append(declared, fmt.Sprintf("$%s: Boolean! = %t", name, name == "yes"))
	}
	head := "query Random"
	if len(declared) > 0 {
		head += "(" + strings.Join(declared, ", ") + ")"
	}
	return head + " " + selected + " " + strings.Join(w.fragments, " ")
}

// selections writes fields of a type, in braces.
func (w *randomWriter) selections(of *ast.Definition) string {
	w.depth++
	defer func() { w.depth-- }()
	var text strings.Builder
	text.WriteString("{ ")
	written := 0
	for range 1 + w.IntN(7) {
		if w.fields <= 0 && written > 0 {
			break
		}
		field := w.field(of)
		if field == "" {
			continue
		}
		written++
		switch w.IntN(20) {
		case 0:
			field = "... { " + field + " }"
		case 1:
			field = "... on " + of.Name + w.directive(4) + " { " + field + " }"
		case 2:
			name := fmt.Sprintf("f%d", len(w.fragments))
			w.fragments = append(w.fragments, "fragment "+name+" on "+of.Name+" { "+field+" }")
			field = "..." + name + w.directive(4)
			if w.IntN(2) == 0 {
				field += " ..." + name
			}
		}
		text.WriteString(field + " ")
	}
	if written == 0 || w.IntN(6) == 0 {
		text.WriteString("__typename ")
	}
	text.WriteString("}")
	return text.String()
}

// field writes a field with what is asked of it; nothing where it may not stand any more.
func (w *randomWriter) field(of *ast.Definition) string {
	field := of.Fields[w.IntN(len(of.Fields))]
	if of == w.schema.Query && w.IntN(3) > 0 {
		field = of.Fields.ForName("tenant")
	}
	inner := w.schema.Types[field.Type.Name()]
	if strings.HasPrefix(field.Name, "__") || field.Name == "cities" && w.IntN(4) > 0 ||
		field.Directives.ForName("staff") != nil || // which is refused
		inner.IsCompositeType() && (w.depth > 7 || w.fields < 2) {
		return ""
	}
	w.fields--
	if field.Name == "tenant" {
		before := w.shop
		defer func() { w.shop = before }()
		w.shop = w.pick(slices.Sorted(maps.Keys(w.values)))
	}
	alias := ""
	if len(field.Arguments) > 0 || w.IntN(12) == 0 { // the same name with other arguments could not be merged
		w.aliases++
		alias = fmt.Sprintf("a%d: ", w.aliases)
	}
	text := alias + field.Name + w.arguments(field) + w.directive(25)
	if inner.IsCompositeType() {
		text += " " + w.selections(inner)
	}
	return text
}

// directive writes a directive in one of so many cases.
func (w *randomWriter) directive(cases int) string {
	if w.IntN(cases) > 0 {
		return ""
	}
	condition := w.pick([]string{"true", "false", "$yes", "$no"})
	if name, ok := strings.CutPrefix(condition, "$"); ok {
		w.variables[name] = true
	}
	return w.pick([]string{" @include", " @skip"}) + "(if: " + condition + ")"
}

func (w *randomWriter) arguments(f *ast.FieldDefinition) string {
	var given []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil || w.IntN(5) == 0 {
			given = append(given, a.Name+": "+w.value(f.Name, a.Name, a.Type))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

func (w *randomWriter) value(field, argument string, of *ast.Type) string {
	if of.Elem != nil {
		return "[" + w.value(field, argument, of.Elem) + "]"
	}
	if argument == "domain" {
		if w.IntN(40) == 0 {
			return `"nobody.example"`
		}
		return fmt.Sprintf("%q", w.shop)
	}
	definition := w.schema.Types[of.NamedType]
	known := w.values[w.shop]
	for _, name := range []string{field + "." + argument, argument} {
		if len(known[name]) > 0 && w.IntN(15) > 0 {
			return fmt.Sprintf("%q", w.pick(known[name]))
		}
	}
	switch {
	case definition.Kind == ast.Enum:
		return definition.EnumValues[w.IntN(len(definition.EnumValues))].Name
	case definition.Kind == ast.InputObject:
		var members []string
		for _, m := range definition.Fields {
			members = append(members, m.Name+": "+w.value(field, m.Name, m.Type))
		}
		return "{" + strings.Join(members, ", ") + "}"
	case of.NamedType == "Int":
		return fmt.Sprint(1 + w.IntN(5))
	case of.NamedType == "Boolean":
		return fmt.Sprint(w.IntN(2) == 0)
	case of.NamedType == "Decimal":
		return w.pick([]string{"0", "5.5", "12", "1000000"})
	}
	return fmt.Sprintf("%q", w.pick([]string{"a", "the", "ماشین", "no such", "x\\\"y"}))
}

func (w *randomWriter) pick(from []string) string { return from[w.IntN(len(from))] }
