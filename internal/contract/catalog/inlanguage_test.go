package catalog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const inShop = `tenant(domain: "tools.example") / `

// bilingualAt says where records of each type with texts in two languages are found: a path of fields from the
// query.
var bilingualAt = map[string]string{
	"Tenant":              `tenant(domain: "tools.example")`,
	"BusinessProfile":     inShop + `businessInfo`,
	"BusinessAddress":     inShop + `businessInfo / addresses`,
	"Slider":              inShop + `sliders`,
	"Slide":               inShop + `sliders / slides`,
	"CategoryGroup":       inShop + `categoryGroups`,
	"BrandGroup":          inShop + `brandGroups`,
	"StoreSpecial":        inShop + `storeSpecials`,
	"Media":               inShop + `products(pageSize: 50) / items / images`,
	"Seo":                 inShop + `products(pageSize: 50) / items / seo`,
	"Category":            inShop + `categories`,
	"Brand":               inShop + `products / items / brand`,
	"Product":             inShop + `products(pageSize: 50) / items`,
	"Variant":             inShop + `products / items / variants`,
	"VariantOption":       inShop + `storeItems / items / options`,
	"Variation":           inShop + `products / items / variations`,
	"VariationValue":      inShop + `products / items / variations / values`,
	"VariationFacet":      inShop + `products / facets / options`,
	"VariationValueFacet": inShop + `products / facets / options / values`,
	"FieldFacet":          inShop + `products(categories: ["tools"]) / facets / fields`,
	"OptionFacet":         inShop + `products(categories: ["tools"]) / facets / fields / options`,
	"TechnicalForm":       inShop + `products / items / technicalInfo / form`,
	"TechnicalField":      inShop + `product(slug: "drill") / technicalInfo / form / fields`,
	"TechnicalOption":     inShop + `product(slug: "drill") / technicalInfo / form / fields / options`,
	"TechnicalValue":      inShop + `product(slug: "drill") / technicalInfo / values`,
	"StoreItem":           inShop + `storeItem(productId: "<tools:product:drill>")`,
	"UserProduct":         inShop + `userProducts / items`,
	"Blog":                inShop + `blogs / items`,
	"Portfolio":           inShop + `portfolios / items`,
	"OpinionSubject":      inShop + `products / items / comments / about`,
	"Location":            `cities(level: country)`,
	"BillCharge":          `cart(domain: "tools.example") / bill / charges`,
	"CartItem":            `cart(domain: "tools.example") / items`,
	"DeliveryOption":      `cart(domain: "tools.example") / deliveryOptions`,
	"OrderCharge":         `me / orders(domain: "tools.example") / items / charges`,
	"OrderDelivery":       `me / orders(domain: "tools.example") / items / delivery`,
	"OrderItem":           `me / orders(domain: "tools.example") / items / items`,
}

// bilingualMade says which mutations return the types with texts in two languages that no query returns.
var bilingualMade = map[string]string{
	"CartLeftOut": `mergeCart(domain: "tools.example", cartToken: "TOKEN") / leftOut`,
	"RegisteredBusiness": `register(input: {cellNumber: "+989350009999", password: "correct horse", firstName: "A", ` +
		`lastName: "B", domain: "tools.example"}) / ... on Registered / registeredBusiness`,
}

// bilingual is a field with @inLanguage, and those that hold its two texts.
type bilingual struct{ name, en, fa string }

func bilingualFields(t *testing.T) map[string][]bilingual {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: storefront.Schema})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]bilingual{}
	for _, of := range schema.Types {
		for _, f := range of.Fields {
			directive := f.Directives.ForName("inLanguage")
			if directive == nil {
				continue
			}
			b := bilingual{f.Name, f.Name, f.Name}
			if en := directive.Arguments.ForName("en"); en != nil {
				b.en = en.Value.Raw
			}
			if fa := directive.Arguments.ForName("fa"); fa != nil {
				b.fa = fa.Value.Raw
			}
			all[of.Name] = append(all[of.Name], b)
		}
	}
	return all
}

// selected writes a path of fields with a selection below it.
func selected(path, below string) string {
	parts := strings.Split(path, " / ")
	for _, part := range slices.Backward(parts) {
		below = part + " { " + below + " }"
	}
	return below
}

// recordsAt returns the records at a path of an answer's data, in order.
func recordsAt(t *testing.T, data json.RawMessage, path string) (all []map[string]any) {
	t.Helper()
	var read any
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	for part := range strings.SplitSeq(path, " / ") {
		if name, _, _ := strings.Cut(part, "("); !strings.HasPrefix(name, "...") {
			read = valuesOf(read, name)
		}
	}
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			all = append(all, v)
		}
	}
	walk(read)
	return all
}

// valuesOf returns the values of a member of all objects in a value.
func valuesOf(value any, member string) any {
	switch v := value.(type) {
	case []any:
		var all []any
		for _, item := range v {
			all = append(all, valuesOf(item, member))
		}
		return all
	case map[string]any:
		return v[member]
	}
	return nil
}

// either returns the first text that is there.
func either(preferred, other any) any {
	if other != nil && (preferred == nil || preferred == "") {
		return other
	}
	return preferred
}

// everyLanguage selects fields in every language. It needs at most 30 aliases in a document.
func everyLanguage(fields []bilingual) string {
	text := ""
	for _, f := range fields {
		text += fmt.Sprintf(`%s %s own_%s: %[3]s en_%[3]s: %[3]s(language: en) fa_%[3]s: %[3]s(language: fa)
			requested_%[3]s: %[3]s(language: requested) asked_%[3]s: %[3]s(language: $l) `, f.en, f.fa, f.name)
	}
	return text
}

// isBilingual checks the answer to everyLanguage, sent with an Accept-Language header and a variable. It
// returns the fields whose two texts differ.
func isBilingual(
	t *testing.T, of string, fields []bilingual, r map[string]any, header, variable string,
) (seen []string) {
	t.Helper()
	for _, f := range fields {
		en, fa := either(r[f.en], r[f.fa]), either(r[f.fa], r[f.en])
		inHeader := map[string]any{"en": en, "fa": fa}[header]
		own := inHeader
		if f.name == f.en || f.name == f.fa {
			own = r[f.name]
		}
		asked := map[string]any{"": own, "en": en, "fa": fa, "requested": inHeader}[variable]
		want := map[string]any{"en": en, "fa": fa, "requested": inHeader, "asked": asked, "own": own}
		for way, text := range want {
			if got, ok := r[way+"_"+f.name]; !ok || got != text {
				t.Errorf("%s.%s with Accept-Language %s and $l %q: %s is %v, want %v of %v", of, f.name, header,
					variable, way, got, text, r)
			}
		}
		if en != fa {
			seen = append(seen, of+"."+f.name)
		}
	}
	return seen
}

// TestInLanguage selects each field of the schema that has @inLanguage in every language: with and without
// the fields that hold its texts, with and without a directive that makes gqlgen answer instead of a plan,
// and in different languages by turns.
func TestInLanguage(t *testing.T) {
	fields := bilingualFields(t)
	for of := range fields {
		if bilingualAt[of] == "" && bilingualMade[of] == "" {
			t.Errorf("no test finds a %s", of)
		}
	}
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		c.WriteBothLanguages(t, c.Staff(t, c.Tools, record.Owner))
		customer := c.Customer(t)
		adding := func(sku string) string {
			return `addToCart(domain: "tools.example", items: [{storeItemVariantId: "<tools:variant:` + sku + `>"}])`
		}
		const checkout = `mutation($in: CheckoutInput!) { checkout(domain: "tools.example", input: $in) { message } }`
		for range 2 {
			customer.Do(t, `mutation { `+adding("D-10")+` { message } }`, nil, nil)
			customer.Do(t, checkout, map[string]any{"in": json.RawMessage(shoptest.ToHome)}, nil)
		}
		customer.Do(t, `mutation { `+adding("D-10")+` { message } }`, nil, nil)
		var guest struct{ AddToCart struct{ CartToken string } }
		visitor := shoptest.Worker{API: c.GraphQL()}
		visitor.Do(t, `mutation { `+adding("W-1")+` { cartToken } }`, nil, &guest)

		seen := map[string]bool{}
		ask := func(document, language, variables string) json.RawMessage {
			t.Helper()
			sent := customer.Send(t, "POST", "/graphql", shoptest.GraphQLBody(c.Named(t, document), variables),
				append([]string{"Accept-Language", language}, customer.Headers...)...)
			result := shoptest.ResultOf(t, sent)
			if len(result.Errors) > 0 {
				t.Fatalf("%s: %v", document, result.Errors)
			}
			if strings.Contains(document, "requested") && sent.Header.Get("Content-Language") != language {
				t.Errorf("%s: Content-Language is %q, want %s", document, sent.Header.Get("Content-Language"), language)
			}
			return result.Data
		}
		for _, of := range slices.Sorted(maps.Keys(bilingualAt)) {
			path := bilingualAt[of]
			every := selected(path, everyLanguage(fields[of]))
			conditional := selected(path, everyLanguage(fields[of])+"... @include(if: true) { __typename }")
			var records []map[string]any
			for _, header := range []string{"en", "fa", "en"} {
				for _, variable := range []string{"", "fa", "en", "requested"} {
					variables := `{}`
					if variable != "" {
						variables = `{"l": "` + variable + `"}`
					}
					planned := ask(`query($l: Language) { `+every+` }`, header, variables)
					records = recordsAt(t, planned, path)
					for _, r := range records {
						for _, name := range isBilingual(t, of, fields[of], r, header, variable) {
							seen[name] = true
						}
					}
					by := ask(`query($l: Language) { `+conditional+` }`, header, variables)
					alike := bytes.ReplaceAll(by, []byte(`,"__typename":"`+of+`"`), nil)
					if !bytes.Equal(planned, alike) {
						t.Errorf("%s: got\n%s\nby a plan, and by gqlgen\n%s", of, planned, by)
					}
				}
			}
			for _, f := range fields[of] {
				for _, way := range []string{"en", "fa"} {
					alone := recordsAt(t, ask(`{ `+selected(path, f.name+`(language: `+way+`)`)+` }`, "en", ""), path)
					if len(alone) != len(records) {
						t.Fatalf("%s: %d records, want %d", of, len(alone), len(records))
					}
					for i, r := range alone {
						if want := records[i][way+"_"+f.name]; r[f.name] != want {
							t.Errorf("%s.%s alone in %s: got %v, want %v", of, f.name, way, r[f.name], want)
						}
					}
				}
			}
		}
		for of, path := range bilingualMade {
			path = strings.ReplaceAll(path, "TOKEN", guest.AddToCart.CartToken)
			data := ask(`mutation($l: Language) { `+selected(path, everyLanguage(fields[of]))+` }`, "fa", `{"l": "fa"}`)
			for _, r := range recordsAt(t, data, path) {
				for _, name := range isBilingual(t, of, fields[of], r, "fa", "fa") {
					seen[name] = true
				}
			}
		}
		for of, all := range fields {
			for _, f := range all {
				if name := of + "." + f.name; !seen[name] {
					t.Errorf("no record has two texts for %s", name)
				}
			}
		}
	})
}

// TestInLanguageKept reads public answers in different languages, which caches must tell apart.
func TestInLanguageKept(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		get := func(query, variables string, headers ...string) shoptest.Answer {
			t.Helper()
			path := "/graphql?query=" + url.QueryEscape(query)
			if variables != "" {
				path += "&variables=" + url.QueryEscape(variables)
			}
			return p.At(t, "GET", path, headers...)
		}
		const (
			byDefault = `{ tenant(domain: "tools.example") { product(slug: "drill") { title } } }`
			literal   = `{ tenant(domain: "tools.example") { brands { name(language: requested) } } }`
			variable  = `query($l: Language = requested) { tenant(domain: "tools.example") { name(language: $l) } }`
			nothing   = `query($l: Language!) { tenant(domain: "plain.example") { name(language: $l) } }`
			fixed     = `query($l: Language) { tenant(domain: "tools.example") { name(language: $l) } }`
			notNull   = `query($l: Language) { tenant(domain: "tools.example") {
				products { items { title(language: $l) } } } }`
			inFarsi = `{ tenant(domain: "tools.example") { product(slug: "drill") { title(language: fa) } } }`
		)
		for _, varies := range [][2]string{
			{byDefault, ""}, {literal, ""}, {variable, ""}, {variable, `{"l": "requested"}`},
			{fixed, `{"l": "requested"}`},
		} {
			tags, bodies := map[string]string{}, map[string]string{}
			for i := range 6 {
				language := []string{"en", "fa"}[i%2]
				got := get(varies[0], varies[1], "Accept-Language", language)
				tag := got.Header.Get("ETag")
				if got.Header.Get("Content-Language") != language || tag == "" ||
					!slices.Contains(got.Header.Values("Vary"), "Accept-Language") {
					t.Fatalf("%s in %s: %d %v %s", varies, language, got.Status, got.Header, got.Body)
				}
				if i >= 2 && (tag != tags[language] || string(got.Body) != bodies[language]) {
					t.Errorf("%s in %s: got %s %s, want %s %s", varies, language, tag, got.Body, tags[language],
						bodies[language])
				}
				tags[language], bodies[language] = tag, string(got.Body)
				again := get(varies[0], varies[1], "Accept-Language", language, "If-None-Match", tag)
				if again.Status != 304 || !slices.Contains(again.Header.Values("Vary"), "Accept-Language") {
					t.Errorf("%s in %s again: %d %v", varies, language, again.Status, again.Header)
				}
			}
			if tags["en"] == tags["fa"] || bodies["en"] == bodies["fa"] {
				t.Errorf("%s: the languages have the same answer: %v %v", varies, tags, bodies)
			}
			other := get(varies[0], varies[1], "Accept-Language", "fa", "If-None-Match", tags["en"])
			if other.Status != 200 || string(other.Body) != bodies["fa"] {
				t.Errorf("%s with the tag of another language: %d %s", varies, other.Status, other.Body)
			}
		}
		for _, same := range [][2]string{
			{inFarsi, ""}, {fixed, ""}, {fixed, `{"l": "fa"}`}, {variable, `{"l": "en"}`}, {variable, `{"l": null}`},
		} {
			first := get(same[0], same[1], "Accept-Language", "en")
			second := get(same[0], same[1], "Accept-Language", "fa")
			if first.Status != 200 || first.Header.Get("ETag") == "" ||
				first.Header.Get("ETag") != second.Header.Get("ETag") || !bytes.Equal(first.Body, second.Body) {
				t.Errorf("%s: %v %s\n%v %s", same, first.Header, first.Body, second.Header, second.Body)
			}
			for _, got := range []shoptest.Answer{first, second} {
				if got.Header.Get("Content-Language") != "" ||
					slices.Contains(got.Header.Values("Vary"), "Accept-Language") {
					t.Errorf("%s varies: got %v", same, got.Header)
				}
			}
		}
		for _, refused := range []shoptest.Answer{
			get(`{ tenant(domain: "tools.example") { name(language: de) } }`, ""), get(fixed, `{"l": "de"}`),
			get(nothing, `{"l": null}`), get(nothing, ""),
			get(notNull, `{"l": null}`),
		} {
			if !bytes.Contains(refused.Body, []byte("VALIDATION_FAILED")) {
				t.Errorf("got %d %s", refused.Status, refused.Body)
			}
		}
	})
}
