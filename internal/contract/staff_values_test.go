package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/bundle"
	"storefront/internal/record"
)

// exported is the bundle of the tool shop.
func (c *crew) exported(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bundle.Export(t.Context(), c.store, "tools.example", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// comesBack checks that an export of the tool shop imports into it without a change.
func (c *crew) comesBack(t testing.TB) {
	t.Helper()
	before := c.exported(t)
	summary, err := bundle.Import(t.Context(), c.store, bundle.Bytes(before), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, before)
	}
	if after := c.exported(t); summary.Changed() || !bytes.Equal(after, before) {
		t.Fatalf("importing the export changes %+v: before\n%s\nafter\n%s", summary.Sections, before, after)
	}
}

// wrongIn are the members that a refusal names.
func wrongIn(a answered) string {
	var names []string
	for _, e := range a.Errors[0].Extensions.Errors {
		names = append(names, e.Field)
	}
	return strings.Join(names, " ")
}

const (
	valuesForm = `mutation($shop: ID!, $fields: [FormFieldInput!]) { updateCategory(businessId: $shop, entityType: product,
		slug: "machines", input: {form: {fields: $fields}}) { version } }`
	valuesSeen = `{ tenant(domain: "tools.example") {
		product(slug: "lathe") { technicalInfo { values { key value display } } }
		userProduct(slug: "old-lathe") { technicalValues { key display } technicalInfo { values { key display } } }
		category(slug: "machines", entityType: product) { id }
		products(categories: ["machines"]) { total } } }`
	otherValues = `query($shop: ID!) {
		staffProduct(businessId: $shop, slug: "lathe") { otherValues { key value } }
		staffListing(businessId: $shop, slug: "old-lathe") { otherValues { key value } } }`
)

func formField(key, kind string) map[string]any {
	field := map[string]any{"key": key, "label": key, "labelFa": key, "type": kind}
	if kind == "select" || kind == "multiselect" {
		field["options"] = []any{map[string]any{"value": "a", "label": "A", "labelFa": "A"}}
	}
	return field
}

// withMachines makes a category with a form, a product and a listing with answers to it.
func (c *crew) withMachines(t testing.TB, owner worker) {
	t.Helper()
	owner.do(t, `mutation($shop: ID!, $fields: [FormFieldInput!], $values: [TechnicalValueInput!]) {
		createCategory(businessId: $shop, entityType: product, slug: "machines", input: {name: "M", nameFa: "م",
			form: {title: "F", titleFa: "ف", fields: $fields}}) { id }
		createProduct(businessId: $shop, slug: "lathe", input: {titleFa: "تراش", category: "machines", values: $values}) {
			id }
		createUserProduct(businessId: $shop, slug: "old-lathe", input: {titleFa: "تراش", category: "machines",
			condition: scrap, priceCurrency: "IRT", values: $values}) { id } }`,
		map[string]any{"shop": c.tools,
			"fields": []any{formField("year", "number"), formField("maker", "text"), formField("kind", "select")},
			"values": []any{map[string]any{"key": "year", "value": 2019}, map[string]any{"key": "maker", "value": "TOS"},
				map[string]any{"key": "kind", "value": "a"}}}, nil)
}

// TestValuesThatDoNotFit changes the types of fields under answers, and takes fields away: the public does not see the
// answers, staff do, and nothing is lost, by an export and its import neither.
func TestValuesThatDoNotFit(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, public := c.staff(t, c.tools, record.Owner), worker{door: c.graphQL()}
		c.withMachines(t, owner)
		shop := map[string]any{"shop": c.tools}
		see := func() (product, listing string) {
			t.Helper()
			var seen struct {
				Tenant struct {
					Product struct {
						TechnicalInfo struct {
							Values []struct {
								Key, Display string
								Value        json.RawMessage
							}
						}
					}
					UserProduct struct {
						TechnicalValues []struct{ Key, Display string }
					}
				}
			}
			public.do(t, valuesSeen, nil, &seen)
			return fmt.Sprintf("%s", seen.Tenant.Product.TechnicalInfo.Values),
				fmt.Sprint(seen.Tenant.UserProduct.TechnicalValues)
		}
		others := func() string {
			t.Helper()
			got := owner.ask(t, otherValues, shop)
			return string(got.Data["staffProduct"]) + string(got.Data["staffListing"])
		}
		product, listing := see()
		if !strings.Contains(product, "2019") || !strings.Contains(listing, "2019") || strings.Contains(others(), "key") {
			t.Fatalf("%s, %s, %s", product, listing, others())
		}
		form := func(fields ...any) {
			t.Helper()
			owner.do(t, valuesForm, map[string]any{"shop": c.tools, "fields": fields}, nil)
		}
		form(formField("year", "boolean"), formField("maker", "number"), formField("kind", "multiselect"))
		hidden, hiddenListing := see()
		if hidden != "[]" || hiddenListing != "[]" {
			t.Errorf("shown as what they are not: %s, %s", hidden, hiddenListing)
		}
		all := `{"otherValues":[{"key":"kind","value":"a"},{"key":"maker","value":"TOS"},{"key":"year","value":2019}]}`
		if got := others(); got != all+all {
			t.Errorf("staff see %s", got)
		}
		c.comesBack(t)
		form(formField("maker", "text"))
		if got, _ := see(); !strings.Contains(got, "TOS") || strings.Contains(got, "2019") {
			t.Errorf("%s", got)
		}
		c.comesBack(t)
		// An edit of what the form asks leaves what it does not.
		owner.do(t, `mutation($shop: ID!) {
			updateProduct(businessId: $shop, slug: "lathe", input: {values: [{key: "maker", value: "Emco"}]}) { id } }`,
			shop, nil)
		form(formField("year", "number"), formField("maker", "text"), formField("kind", "select"))
		if got, gotListing := see(); got != strings.ReplaceAll(product, "TOS", "Emco") || gotListing != listing {
			t.Errorf("%s, %s", got, gotListing)
		}
		// Staff can drop them, and what the form takes again is theirs to change.
		form(formField("maker", "text"))
		bad := owner.refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, $v: Json!) {
			updateProduct(businessId: $shop, slug: "lathe", input: {values: [{key: "maker", value: "x"}],
				otherValues: [{key: "maker", value: "y"}, {key: "z", value: $v}]}) { id } }`,
			map[string]any{"shop": c.tools, "v": map[string]any{"a": 1}})
		if got := wrongIn(bad); got != "input.otherValues.maker input.otherValues.z" {
			t.Errorf("%s", got)
		}
		owner.do(t, `mutation($shop: ID!) {
			updateProduct(businessId: $shop, slug: "lathe", input: {otherValues: []}) { id }
			updateUserProduct(businessId: $shop, slug: "old-lathe", input: {otherValues: [{key: "year", value: 2020}]}) { id } }`,
			shop, nil)
		if got := others(); got != `{"otherValues":[]}{"otherValues":[{"key":"year","value":2020}]}` {
			t.Errorf("%s", got)
		}
	})
}

// TestHiddenValuesAreNotCounted looks at facets.
func TestHiddenValuesAreNotCounted(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, public := c.staff(t, c.tools, record.Owner), worker{door: c.graphQL()}
		c.withMachines(t, owner)
		var found struct {
			Tenant struct{ Category struct{ ID string } }
		}
		public.do(t, valuesSeen, nil, &found)
		const facets = `query($id: ID) { tenant(domain: "tools.example") { products(categoryId: $id) { facets {
			fields { key count } } } } }`
		count := func() string {
			t.Helper()
			return string(public.ask(t, facets, map[string]any{"id": found.Tenant.Category.ID}).Data["tenant"])
		}
		if got := count(); got != `{"products":{"facets":{"fields":[{"key":"year","count":1},{"key":"kind","count":1}]}}}` {
			t.Errorf("%s", got)
		}
		owner.do(t, valuesForm, map[string]any{"shop": c.tools,
			"fields": []any{formField("year", "boolean"), formField("kind", "number")}}, nil)
		if got := count(); got != `{"products":{"facets":{"fields":[{"key":"year","count":0},{"key":"kind","count":0}]}}}` {
			t.Errorf("%s", got)
		}
	})
}

// TestHiddenValuesAreNotFound filters by answers that the public sees, and then by the same, which are hidden
// since the form asks for others, or for nothing.
func TestHiddenValuesAreNotFound(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, public := c.staff(t, c.tools, record.Owner), worker{door: c.graphQL()}
		c.withMachines(t, owner)
		owner.do(t, `mutation($shop: ID!, $fields: [FormFieldInput!]) {
			createCategory(businessId: $shop, entityType: product, slug: "mills", input: {name: "M", nameFa: "م",
				parentSlug: "machines", form: {title: "F", titleFa: "ف", fields: $fields}}) { id }
			createProduct(businessId: $shop, slug: "mill", input: {titleFa: "فرز", category: "mills",
				values: [{key: "year", value: "old"}]}) { id } }`,
			map[string]any{"shop": c.tools, "fields": []any{formField("year", "text")}}, nil)
		found := func(filter string) string {
			t.Helper()
			var seen struct {
				Tenant struct {
					Products           struct{ Items []struct{ Slug string } }
					ProductsConnection struct{ TotalCount int }
				}
			}
			public.do(t, strings.ReplaceAll(`{ tenant(domain: "tools.example") {
				products(sort: title, values: [FILTER]) { items { slug } }
				productsConnection(values: [FILTER]) { totalCount } } }`, "FILTER", filter), nil, &seen)
			var slugs []string
			for _, p := range seen.Tenant.Products.Items {
				slugs = append(slugs, p.Slug)
			}
			if seen.Tenant.ProductsConnection.TotalCount != len(slugs) {
				t.Errorf("%s: %d of %d", filter, len(slugs), seen.Tenant.ProductsConnection.TotalCount)
			}
			return strings.Join(slugs, " ")
		}
		wants := func(want ...string) {
			t.Helper()
			for i, filter := range []string{
				`{key: "year"}`, `{key: "year", min: 2000, max: 2020}`, `{key: "year", anyOf: ["old", "2019"]}`,
				`{key: "maker"}`, `{key: "maker", anyOf: ["TOS"]}`, `{key: "kind", anyOf: ["a", "b"]}`,
			} {
				if got := found(filter); got != want[i] {
					t.Errorf("%s finds %q, want %q", filter, got, want[i])
				}
			}
		}
		form := func(slug string, fields ...any) {
			t.Helper()
			document := strings.Replace(valuesForm, "machines", slug, 1)
			owner.do(t, document, map[string]any{"shop": c.tools, "fields": fields}, nil)
		}
		wants("lathe mill", "lathe", "mill", "lathe", "lathe", "lathe")
		form("machines", formField("year", "boolean"), formField("maker", "select"), formField("kind", "multiselect"))
		wants("mill", "", "mill", "lathe", "lathe", "") // a select's answer is a text, too
		form("machines", formField("year", "number"))
		form("mills", formField("year", "number"))
		wants("lathe", "lathe", "", "", "", "")
		form("mills", formField("maker", "text"))
		form("machines", formField("maker", "number"))
		wants("", "", "", "", "", "")
		form("machines", formField("year", "number"), formField("maker", "text"), formField("kind", "select"))
		form("mills", formField("year", "text"))
		wants("lathe mill", "lathe", "mill", "lathe", "lathe", "lathe")
	})
}

// TestRequiredValues publishes, by staff and as a customer, without what a form requires.
func TestRequiredValues(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, seller := c.staff(t, c.tools, record.Owner), c.customer(t)
		c.withMachines(t, owner)
		shop := map[string]any{"shop": c.tools}
		required := formField("year", "number")
		required["required"] = true
		many := formField("with", "multiselect")
		many["required"] = true
		owner.do(t, valuesForm, map[string]any{"shop": c.tools, "fields": []any{required, many, formField("maker", "text")}}, nil)
		refused := func(who worker, want, document string, variables map[string]any) {
			t.Helper()
			if got := wrongIn(who.refused(t, "VALIDATION_FAILED", document, variables)); got != want {
				t.Errorf("%s: %s, want %s", document, got, want)
			}
		}
		create := `mutation($shop: ID!) { createProduct(businessId: $shop, slug: "mill", input: {titleFa: "فرز",
			category: "machines", status: STATUS, values: [VALUES]}) { id } }`
		with := func(status, values string) string {
			return strings.NewReplacer("STATUS", status, "VALUES", values).Replace(create)
		}
		refused(owner, "input.values.year input.values.with", with("published", `{key: "maker", value: "x"}`), shop)
		refused(owner, "input.values.with", with("published", `{key: "year", value: 0}`), shop)
		refused(owner, "input.values.year input.values.with", with("published", `{key: "year", value: true}`), shop)
		owner.do(t, with("draft", ""), shop, nil)
		publish := `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "mill", input: {status: published VALUES}) { id } }`
		refused(owner, "input.values.year input.values.with", strings.Replace(publish, "VALUES", "", 1), shop)
		list := []any{"a"}
		owner.do(t, strings.NewReplacer("$shop: ID!)", "$shop: ID!, $list: Json!)", "VALUES",
			`values: [{key: "year", value: 0}, {key: "with", value: $list}]`).Replace(publish),
			map[string]any{"shop": c.tools, "list": list}, nil)
		// What was published before the form asked stays, and can be edited but for its answers.
		owner.do(t, `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "lathe", input: {titleEn: "Lathe"}) { id } }`,
			shop, nil)
		refused(owner, "input.values.with", `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "lathe",
			input: {values: [{key: "year", value: 1}]}) { id } }`, shop)
		c.comesBack(t)
		wish := listingOf("اره")
		wish["category"] = "machines"
		in := map[string]any{"shop": c.tools, "in": wish}
		bad := seller.refused(t, "VALIDATION_FAILED", submitListing, in)
		if got := wrongIn(bad); !strings.HasSuffix(got, ".values.with") || !strings.Contains(got, ".values.year") {
			t.Errorf("%s", got)
		}
		wish["values"] = []any{map[string]any{"key": "year", "value": 1}, map[string]any{"key": "with", "value": list}}
		seller.do(t, submitListing, in, nil)
	})
}

// TestTinyNumbersAreNotZero checks that amounts and numbers that a float64 would round to 0 are refused,
// wherever they are written.
func TestTinyNumbersAreNotZero(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner := c.staff(t, c.tools, record.Owner)
		c.withMachines(t, owner)
		for _, tiny := range []string{"1e-324", "-1e-324", "0.1e-400", "1e-9"} {
			shop := map[string]any{"shop": c.tools, "n": json.Number(tiny)}
			for _, number := range []string{tiny, "$n"} {
				declared := map[string]string{"$n": ", $n: Decimal"}[number]
				for _, field := range []string{
					`updateProduct(businessId: $shop, slug: "drill", input: {variants: [{sku: "D-13", price: ` + number + `}]}) { id }`,
					`updateOffers(businessId: $shop, input: [{sku: "D-13", price: ` + number + `}]) { message }`,
				} {
					owner.refused(t, "VALIDATION_FAILED", `mutation($shop: ID!`+declared+`) { `+field+` }`, shop)
				}
				declared = strings.Replace(declared, "Decimal", "Json!", 1)
				owner.refused(t, "VALIDATION_FAILED", `mutation($shop: ID!`+declared+`) {
					updateProduct(businessId: $shop, slug: "lathe", input: {values: [{key: "year", value: `+number+`}]}) { id } }`, shop)
			}
		}
	})
}
