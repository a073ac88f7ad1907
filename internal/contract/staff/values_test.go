package staff_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const (
	valuesForm = `mutation($shop: ID!, $fields: [FormFieldInput!]) {
		updateCategory(businessId: $shop, entityType: product,
		slug: "machines", input: {form: {fields: $fields}}) { version } }`
	valuesSeen = `{ tenant(domain: "tools.example") {
		product(slug: "lathe") { technicalInfo { values { key value display } } }
		userProduct(slug: "old-lathe") { technicalValues { key display } technicalInfo { values { key display } } }
		category(slug: "machines", entityType: product) { id }
		products(categories: ["machines"]) { total } } }`
	otherValues = `query($shop: ID!) {
		staffProduct(businessId: $shop, slug: "lathe") { otherValues { ... on OtherValue { key value } } }
		staffListing(businessId: $shop, slug: "old-lathe") { otherValues { ... on OtherValue { key value } } } }`
)

// TestValuesThatDoNotFit changes the types of fields that have answers, and removes fields. The public must
// not see the answers, staff must, and an export with its import must keep them.
func TestValuesThatDoNotFit(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		c.WithMachines(t, owner)
		shop := map[string]any{"shop": c.Tools}
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
			public.Do(t, valuesSeen, nil, &seen)
			return fmt.Sprintf("%s", seen.Tenant.Product.TechnicalInfo.Values),
				fmt.Sprint(seen.Tenant.UserProduct.TechnicalValues)
		}
		others := func() string {
			t.Helper()
			got := owner.Ask(t, otherValues, shop)
			return string(got.Data["staffProduct"]) + string(got.Data["staffListing"])
		}
		product, listing := see()
		if !strings.Contains(product, "2019") || !strings.Contains(listing, "2019") ||
			strings.Contains(others(), "key") {
			t.Fatalf("got %s, %s, %s", product, listing, others())
		}
		form := func(fields ...any) {
			t.Helper()
			owner.Do(t, valuesForm, map[string]any{"shop": c.Tools, "fields": fields}, nil)
		}
		form(shoptest.FormField("year", "boolean"), shoptest.FormField("maker", "number"),
			shoptest.FormField("kind", "multiselect"))
		hidden, hiddenListing := see()
		if hidden != "[]" || hiddenListing != "[]" {
			t.Errorf("shown as what they are not: %s, %s", hidden, hiddenListing)
		}
		all := `{"otherValues":[{"key":"kind","value":"a"},{"key":"maker","value":"TOS"},{"key":"year","value":2019}]}`
		if got := others(); got != all+all {
			t.Errorf("staff see %s", got)
		}
		c.ComesBack(t)
		form(shoptest.FormField("maker", "text"))
		if got, _ := see(); !strings.Contains(got, "TOS") || strings.Contains(got, "2019") {
			t.Errorf("got %s", got)
		}
		c.ComesBack(t)
		// An edit of the form's values keeps the other values.
		owner.Do(t, `mutation($shop: ID!) {
			updateProduct(businessId: $shop, slug: "lathe", input: {values: [{key: "maker", value: "Emco"}]}) { id } }`,
			shop, nil)
		form(shoptest.FormField("year", "number"), shoptest.FormField("maker", "text"),
			shoptest.FormField("kind", "select"))
		if got, gotListing := see(); got != strings.ReplaceAll(product, "TOS", "Emco") || gotListing != listing {
			t.Errorf("got %s, %s", got, gotListing)
		}
		// Staff can remove the others, except for keys that the form has again.
		form(shoptest.FormField("maker", "text"))
		bad := owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, $v: Json!) {
			updateProduct(businessId: $shop, slug: "lathe", input: {values: [{key: "maker", value: "x"}],
				otherValues: [{key: "maker", value: "y"}, {key: "z", value: $v}]}) { id } }`,
			map[string]any{"shop": c.Tools, "v": map[string]any{"a": 1}})
		if got := shoptest.WrongIn(bad); got != "input.otherValues.maker input.otherValues.z" {
			t.Errorf("got %s", got)
		}
		owner.Do(t, `mutation($shop: ID!) {
			updateProduct(businessId: $shop, slug: "lathe", input: {otherValues: []}) { id }
			updateUserProduct(businessId: $shop, slug: "old-lathe",
			input: {otherValues: [{key: "year", value: 2020}]}) { id } }`,
			shop, nil)
		if got := others(); got != `{"otherValues":[]}{"otherValues":[{"key":"year","value":2020}]}` {
			t.Errorf("got %s", got)
		}
	})
}

// TestHiddenValuesAreNotCounted looks at facets.
func TestHiddenValuesAreNotCounted(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		c.WithMachines(t, owner)
		var found struct {
			Tenant struct{ Category struct{ ID string } }
		}
		public.Do(t, valuesSeen, nil, &found)
		const facets = `query($id: ID) { tenant(domain: "tools.example") { products(categoryId: $id) { facets {
			fields { key count } } } } }`
		count := func() string {
			t.Helper()
			return string(public.Ask(t, facets, map[string]any{"id": found.Tenant.Category.ID}).Data["tenant"])
		}
		if got := count(); got != `{"products":{"facets":{"fields":[{"key":"year","count":1},`+
			`{"key":"kind","count":1}]}}}` {
			t.Errorf("got %s", got)
		}
		owner.Do(t, valuesForm, map[string]any{"shop": c.Tools,
			"fields": []any{shoptest.FormField("year", "boolean"), shoptest.FormField("kind", "number")}}, nil)
		if got := count(); got != `{"products":{"facets":{"fields":[{"key":"year","count":0},`+
			`{"key":"kind","count":0}]}}}` {
			t.Errorf("got %s", got)
		}
	})
}

// TestHiddenValuesAreNotFound filters by values that the public sees, and again after a change of the form
// has hidden them.
func TestHiddenValuesAreNotFound(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		c.WithMachines(t, owner)
		owner.Do(t, `mutation($shop: ID!, $fields: [FormFieldInput!]) {
			createCategory(businessId: $shop, entityType: product, slug: "mills", input: {name: "M", nameFa: "م",
				parentSlug: "machines", form: {title: "F", titleFa: "ف", fields: $fields}}) { id }
			createProduct(businessId: $shop, slug: "mill", input: {titleFa: "فرز", category: "mills",
				values: [{key: "year", value: "old"}]}) { id } }`,
			map[string]any{"shop": c.Tools, "fields": []any{shoptest.FormField("year", "text")}}, nil)
		found := func(filter string) string {
			t.Helper()
			var seen struct {
				Tenant struct {
					Products           struct{ Items []struct{ Slug string } }
					ProductsConnection struct{ TotalCount int }
				}
			}
			public.Do(t, strings.ReplaceAll(`{ tenant(domain: "tools.example") {
				products(sort: title, values: [FILTER]) { items { slug } }
				productsConnection(values: [FILTER]) { totalCount } } }`, "FILTER", filter), nil, &seen)
			var slugs []string
			for _, p := range seen.Tenant.Products.Items {
				slugs = append(slugs, p.Slug)
			}
			if seen.Tenant.ProductsConnection.TotalCount != len(slugs) {
				t.Errorf("%s: got a totalCount of %d, want %d", filter,
					seen.Tenant.ProductsConnection.TotalCount, len(slugs))
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
			owner.Do(t, document, map[string]any{"shop": c.Tools, "fields": fields}, nil)
		}
		wants("lathe mill", "lathe", "mill", "lathe", "lathe", "lathe")
		form("machines", shoptest.FormField("year", "boolean"), shoptest.FormField("maker", "select"),
			shoptest.FormField("kind", "multiselect"))
		wants("mill", "", "mill", "lathe", "lathe", "") // a select's answer is a text, too
		form("machines", shoptest.FormField("year", "number"))
		form("mills", shoptest.FormField("year", "number"))
		wants("lathe", "lathe", "", "", "", "")
		form("mills", shoptest.FormField("maker", "text"))
		form("machines", shoptest.FormField("maker", "number"))
		wants("", "", "", "", "", "")
		form("machines", shoptest.FormField("year", "number"), shoptest.FormField("maker", "text"),
			shoptest.FormField("kind", "select"))
		form("mills", shoptest.FormField("year", "text"))
		wants("lathe mill", "lathe", "mill", "lathe", "lathe", "lathe")
	})
}

// TestRequiredValues publishes, by staff and as a customer, without what a form requires.
func TestRequiredValues(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, seller := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		c.WithMachines(t, owner)
		shop := map[string]any{"shop": c.Tools}
		required := shoptest.FormField("year", "number")
		required["required"] = true
		many := shoptest.FormField("with", "multiselect")
		many["required"] = true
		owner.Do(t, valuesForm, map[string]any{"shop": c.Tools, "fields": []any{required, many,
			shoptest.FormField("maker", "text")}}, nil)
		refused := func(who shoptest.Worker, want, document string, variables map[string]any) {
			t.Helper()
			if got := shoptest.WrongIn(who.Refused(t, "VALIDATION_FAILED", document, variables)); got != want {
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
		owner.Do(t, with("draft", ""), shop, nil)
		publish := `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "mill",
			input: {status: published VALUES}) { id } }`
		refused(owner, "input.values.year input.values.with", strings.Replace(publish, "VALUES", "", 1), shop)
		list := []any{"a"}
		owner.Do(t, strings.NewReplacer("$shop: ID!)", "$shop: ID!, $list: Json!)", "VALUES",
			`values: [{key: "year", value: 0}, {key: "with", value: $list}]`).Replace(publish),
			map[string]any{"shop": c.Tools, "list": list}, nil)
		// A product published before the form required values stays, and can be edited except for its
		// values.
		owner.Do(t, `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "lathe", `+
			`input: {titleEn: "Lathe"}) { id } }`,
			shop, nil)
		refused(owner, "input.values.with", `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "lathe",
			input: {values: [{key: "year", value: 1}]}) { id } }`, shop)
		c.ComesBack(t)
		wish := listingOf("اره")
		wish["category"] = "machines"
		in := map[string]any{"shop": c.Tools, "in": wish}
		bad := seller.Refused(t, "VALIDATION_FAILED", submitListing, in)
		if got := shoptest.WrongIn(bad); !strings.HasSuffix(got, ".values.with") ||
			!strings.Contains(got, ".values.year") {
			t.Errorf("got %s", got)
		}
		wish["values"] = []any{map[string]any{"key": "year", "value": 1},
			map[string]any{"key": "with", "value": list}}
		seller.Do(t, submitListing, in, nil)
	})
}

// TestTinyNumbersAreNotZero checks that amounts and numbers that a float64 would round to 0 are refused,
// wherever they are written.
func TestTinyNumbersAreNotZero(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		c.WithMachines(t, owner)
		for _, tiny := range []string{"1e-324", "-1e-324", "0.1e-400", "1e-9"} {
			shop := map[string]any{"shop": c.Tools, "n": json.Number(tiny)}
			for _, number := range []string{tiny, "$n"} {
				declared := map[string]string{"$n": ", $n: Decimal"}[number]
				for _, field := range []string{
					`updateProduct(businessId: $shop, slug: "drill", input: {variants: [{sku: "D-13", price: ` +
						number + `}]}) { id }`,
					`updateOffers(businessId: $shop, input: [{sku: "D-13", price: ` + number + `}]) { message }`,
				} {
					owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!`+declared+`) { `+field+` }`, shop)
				}
				declared = strings.Replace(declared, "Decimal", "Json!", 1)
				owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!`+declared+`) {
					updateProduct(businessId: $shop, slug: "lathe",
					input: {values: [{key: "year", value: `+number+`}]}) { id } }`, shop)
			}
		}
	})
}

// TestTextsOfValuesAreTrimmed answers fields of texts with spaces and invisible characters: a text is trimmed, so
// that it is found, and one in which nothing is visible is not an answer, also where the form requires one.
func TestTextsOfValuesAreTrimmed(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, seller, public := c.Staff(t, c.Tools, record.Owner), c.Customer(t), shoptest.Worker{API: c.GraphQL()}
		c.WithMachines(t, owner)
		maker := shoptest.FormField("maker", "text")
		maker["required"] = true
		owner.Do(t, valuesForm, map[string]any{"shop": c.Tools, "fields": []any{maker}}, nil)
		answer := func(text string) map[string]any {
			return map[string]any{"shop": c.Tools, "values": []any{map[string]any{"key": "maker", "value": text}}}
		}
		const edit = `mutation($shop: ID!, $values: [TechnicalValueInput!]) {
			updateProduct(businessId: $shop, slug: "lathe", input: {status: published, values: $values}) { id } }`
		for _, nothing := range []string{" ", "\n\t", "\u200c \u2060"} {
			bad := owner.Refused(t, "VALIDATION_FAILED", edit, answer(nothing))
			if got := shoptest.WrongIn(bad); got != "values.maker" {
				t.Errorf("%q: got %s", nothing, got)
			}
			wish := listingOf("اره")
			wish["category"], wish["values"] = "machines", answer(nothing)["values"]
			bad = seller.Refused(t, "VALIDATION_FAILED", submitListing, map[string]any{"shop": c.Tools, "in": wish})
			if got := shoptest.WrongIn(bad); !strings.HasSuffix(got, ".values.maker") {
				t.Errorf("%q: got %s", nothing, got)
			}
		}
		owner.Do(t, edit, answer(" Emco\u00a0Maier\n"), nil)
		var seen struct {
			Tenant struct {
				Products struct{ Total int }
				Product  struct {
					TechnicalInfo struct {
						Values []struct{ Value, Display string }
					}
				}
			}
		}
		public.Do(t, `{ tenant(domain: "tools.example") {
			products(values: [{key: "maker", anyOf: ["Emco\u00a0Maier"]}]) { total }
			product(slug: "lathe") { technicalInfo { values { value display } } } } }`, nil, &seen)
		want := []struct{ Value, Display string }{{"Emco\u00a0Maier", "Emco\u00a0Maier"}}
		if seen.Tenant.Products.Total != 1 || !slices.Equal(seen.Tenant.Product.TechnicalInfo.Values, want) {
			t.Errorf("got %+v", seen.Tenant)
		}
		c.ComesBack(t)
	})
}

// TestStoredTextsAreTrimmed edits values that earlier versions stored with spaces, or as a single space. An edit
// stores what it says, although that differs in spaces alone.
func TestStoredTextsAreTrimmed(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		c.WithMachines(t, owner)
		for stored, values := range map[string][]any{
			" Emco ": {map[string]any{"key": "maker", "value": "Emco"}}, " ": {},
		} {
			_, err := c.Store.Client.ExecContext(t.Context(), `UPDATE products SET "values" = $1 WHERE slug = 'lathe'`,
				fmt.Sprintf(`{"maker": %q}`, stored))
			if err != nil {
				t.Fatal(err)
			}
			owner.Do(t, `mutation($shop: ID!, $values: [TechnicalValueInput!]) {
				updateProduct(businessId: $shop, slug: "lathe", input: {status: published, values: $values}) { id } }`,
				map[string]any{"shop": c.Tools, "values": values}, nil)
			var seen struct {
				Tenant struct {
					Product struct {
						TechnicalInfo struct{ Values []struct{ Value string } }
					}
				}
			}
			public.Do(t, `{ tenant(domain: "tools.example") {
				product(slug: "lathe") { technicalInfo { values { value } } } } }`, nil, &seen)
			got := seen.Tenant.Product.TechnicalInfo.Values
			if len(got) != len(values) || len(got) > 0 && got[0].Value != "Emco" {
				t.Errorf("%q: got %q, want %v", stored, got, values)
			}
			c.ComesBack(t)
		}
	})
}
