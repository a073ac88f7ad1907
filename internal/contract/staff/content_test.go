package staff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// contentKinds are the kinds of content that staff write: the arguments that name a record, an input of a new one, a
// change of it, and how the public sees it.
var contentKinds = []struct {
	name, key, input, change, seen string
	without                        bool // the public does not see it by itself
}{
	{name: "Category", key: `entityType: product, slug: "hand-saws"`,
		input: `{name: "Saws", nameFa: "اره` + "\u200c" + `ها",
		parentSlug: null,
		form: {title: "Saw", titleFa: "اره",
		fields: [{key: "teeth", label: "Teeth", labelFa: "دندانه", type: number}]}}`,
		change: `{name: "All saws"}`, seen: `categories { slug name }`},
	{name: "Brand", key: `slug: "sharp"`, input: `{name: "Sharp", nameFa: "تیز", logoUrl: "/sharp.png"}`,
		change: `{logoUrl: null, name: "Sharper"}`, seen: `facets: products {
			facets { brands { slug } } }`, without: true},
	{name: "Product", key: `slug: "hand-saw"`, input: `{titleFa: "اره دستی", category: "hand-saws",
		brand: "sharp", tags: ["wood"],
		values: [{key: "teeth", value: 24}], variations: [{key: "size", name: "Size", nameFa: "اندازه",
		values: [{key: "s", label: "S", labelFa: "کوچک"}]}],
		variants: [{sku: "SAW-S", options: [{variation: "size", value: "s"}], priceCurrency: "USD",
		price: 12.5, stock: 3}]}`,
		change: `{titleEn: "Hand saw", variants: [{sku: "SAW-S", price: 11}]}`,
		seen:   `product(slug: "hand-saw") { titleEn price inStock }`},
	{name: "UserProduct", key: `slug: "old-saw"`, input: `{titleFa: "اره کهنه", priceCurrency: "USD",
		price: 5, condition: stock,
		category: "hand-saws"}`, change: `{promoted: true}`, seen: `userProduct(slug: "old-saw") { titleFa promoted }`},
	{name: "Blog", key: `slug: "sawing"`, input: `{type: news, titleFa: "بریدن", body: "متن"}`,
		change: `{titleEn: "Sawing"}`, seen: `blog(slug: "sawing") { titleEn }`},
	{name: "Portfolio", key: `slug: "barn"`, input: `{titleFa: "انبار", body: "متن"}`,
		change: `{clientName: "Farm"}`, seen: `portfolio(slug: "barn") { clientName }`},
	{name: "Slider", key: `key: "new"`, input: `{slides: [{imageUrl: "/a.png"}]}`,
		change: `{title: "New"}`, seen: `sliders { key title }`},
	{name: "CategoryGroup", key: `key: "cut"`, input: `{title: "Cut", categories: ["hand-saws"]}`,
		change: `{title: "Cutting"}`, seen: `categoryGroups { title items { slug } }`},
	{name: "BrandGroup", key: `key: "good"`, input: `{title: "Good", brands: ["sharp"]}`,
		change: `{title: "Better"}`, seen: `brandGroups { title items { slug } }`},
	{name: "StoreSpecial", key: `key: "week"`, input: `{title: "This week", variants: ["SAW-S"]}`,
		change: `{title: "This month"}`, seen: `storeSpecials { title items { sku } }`},
}

// TestContentByStaff creates, changes and deletes a record of each kind, and each time checks what the public
// sees, in this instance and in a second one on the same database.
func TestContentByStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second := c.Instance(t)
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		elsewhere := shoptest.Worker{API: second.GraphQL()}
		see := func(seen string) string {
			t.Helper()
			document := `{ tenant(domain: "tools.example") { ` + seen + ` } }`
			here, there := public.Ask(t, document, nil), elsewhere.Ask(t, document, nil)
			if string(here.Data["tenant"]) != string(there.Data["tenant"]) {
				t.Errorf("%s: got %s in a second instance, want %s", seen, there.Data["tenant"], here.Data["tenant"])
			}
			return string(here.Data["tenant"])
		}
		shop := map[string]any{"shop": c.Tools}
		for _, kind := range contentKinds {
			before := see(kind.seen)
			create := fmt.Sprintf(`mutation($shop: ID!) { made: create%s(businessId: $shop, %s,
				input: %s) { id version } }`,
				kind.name, kind.key, kind.input)
			var made struct{ Made struct{ ID, Version string } }
			owner.Do(t, create, shop, &made)
			first := see(kind.seen)
			if first == before && !kind.without {
				t.Errorf("%s: a new one does not show: %s", kind.name, first)
			}
			owner.Refused(t, "CONFLICT", create, shop)
			update := fmt.Sprintf(`mutation($shop: ID!, $v: String) { made: update%s(businessId: $shop, %s, input: %s,
				expectedVersion: $v) { id version } }`, kind.name, kind.key, kind.change)
			var changed struct{ Made struct{ ID, Version string } }
			owner.Do(t, update, map[string]any{"shop": c.Tools, "v": made.Made.Version}, &changed)
			if changed.Made.ID != made.Made.ID || changed.Made.Version == made.Made.Version {
				t.Errorf("%s: made %+v, changed %+v", kind.name, made.Made, changed.Made)
			}
			if see(kind.seen) == first && !kind.without {
				t.Errorf("%s: a change does not show: %s", kind.name, first)
			}
			owner.Refused(t, "CONFLICT", update, map[string]any{"shop": c.Tools, "v": made.Made.Version})
			var again struct{ Made struct{ ID, Version string } }
			owner.Do(t, update, shop, &again)
			if again != changed {
				t.Errorf("%s: changed by what is there already: %+v", kind.name, again.Made)
			}
			other := strings.NewReplacer(`"hand-saws"`, `"none"`, `"sharp"`, `"none"`, `"hand-saw"`, `"none"`,
				`"old-saw"`, `"none"`,
				`"sawing"`, `"none"`, `"barn"`, `"none"`, `"new"`, `"none"`, `"cut"`, `"none"`, `"good"`, `"none"`,
				`"week"`, `"none"`).Replace(kind.key)
			owner.Refused(t, "NOT_FOUND", strings.Replace(update, kind.key, other, 1), shop)
		}
		var actions []string
		entries, err := c.Store.Client.AuditEntry.Query().Order(auditentry.ByID()).All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			actions = append(actions, e.Action+" "+e.Kind)
			if e.UserID == nil || e.UserID.String() != owner.ID || e.BusinessID == nil ||
				e.BusinessID.String() != c.Tools {
				t.Errorf("%s by %v in %v", e.Action, e.UserID, e.BusinessID)
			}
		}
		product := slices.IndexFunc(entries, func(e *ent.AuditEntry) bool {
			return e.Action == "updateProduct" && e.Kind == "variant"
		})
		if product < 0 || strings.ReplaceAll(string(entries[product].Before), " ", "") != `{"price":1250}` {
			t.Errorf("the log: %v", actions)
		}
		for _, kind := range slices.Backward(contentKinds) {
			remove := fmt.Sprintf(`mutation($shop: ID!) { delete%s(businessId: $shop, %s) { message } }`,
				kind.name, kind.key)
			if kind.name == "Brand" || kind.name == "Category" { // all that had them is gone
				before := see(`categories { slug }`)
				owner.Do(t, remove, shop, nil)
				if kind.name == "Category" && see(`categories { slug }`) == before {
					t.Error("the category is still there")
				}
			} else {
				before := see(kind.seen)
				owner.Do(t, remove, shop, nil)
				if see(kind.seen) == before {
					t.Errorf("%s is still there: %s", kind.name, before)
				}
			}
			owner.Refused(t, "NOT_FOUND", remove, shop)
		}
	})
}

// TestWrongContent checks that every wrong member is named, in both languages.
func TestWrongContent(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		before := contentVersion(t, c)
		wrong := `mutation($shop: ID!) { createProduct(businessId: $shop, slug: "Not A Slug",
			input: {titleEn: " ", category: "none",
			values: [{key: "a", value: 1}, {key: "a", value: 2}], images: [{url: "ftp://x"}],
			variants: [{sku: "W", price: -1,
			priceCurrency: "USD", stock: -1, options: [{variation: "size", value: "s"}]}]}) { id } }`
		got := owner.Refused(t, "VALIDATION_FAILED", wrong, map[string]any{"shop": c.Tools})
		text := fmt.Sprint(got.Errors[0].Extensions.Errors)
		if text != "[{input.values.1.key is the one of another item}]" {
			t.Errorf("got %s", text)
		}
		wrong = strings.Replace(wrong, `{key: "a", value: 2}`, `{key: "b", value: "x"}`, 1)
		got = owner.Refused(t, "VALIDATION_FAILED", wrong, map[string]any{"shop": c.Tools})
		var fields []string
		for _, e := range got.Errors[0].Extensions.Errors {
			fields = append(fields, e.Field)
		}
		slices.Sort(fields)
		if want := "[input.category input.images.0.url input.titleFa input.values.a input.values.b " +
			"input.variants.0.options.size " +
			"input.variants.0.price input.variants.0.stock slug]"; fmt.Sprint(fields) != want {
			t.Errorf("fields %v, want %s", fields, want)
		}
		farsi := shoptest.Worker{API: owner.API, Customer: owner.Customer}
		farsi.Headers = append(slices.Clone(owner.Headers), "Accept-Language", "fa")
		got = farsi.Refused(t, "VALIDATION_FAILED", wrong, map[string]any{"shop": c.Tools})
		for _, e := range got.Errors[0].Extensions.Errors {
			if !strings.ContainsFunc(e.Message, func(r rune) bool { return r >= 'آ' && r <= 'ی' }) {
				t.Errorf("%s: %q is not Farsi", e.Field, e.Message)
			}
		}
		owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!) { updateShop(businessId: $shop, `+
			`input: {slug: "mugs"}) { id } }`,
			map[string]any{"shop": c.Tools})
		if after := contentVersion(t, c); after != before {
			t.Errorf("got the content version %d, want %d as before", after, before)
		}
	})
}

// contentVersion returns the content version of the tool shop.
func contentVersion(t testing.TB, c *shoptest.Crew) int64 {
	t.Helper()
	shop, err := c.Store.Client.Tenant.Query().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range shop {
		if one.ID.String() == c.Tools {
			return one.ContentVersion
		}
	}
	return -1
}

// TestPublishing publishes at a time, unpublishes and archives.
func TestPublishing(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		const product = `{ tenant(domain: "tools.example") { product(slug: "drill") { slug } products { total } } }`
		shows := func(want bool) {
			t.Helper()
			got := public.Ask(t, product, nil)
			if is := got.Code() == ""; is != want {
				t.Errorf("the product shows: %v, %s", is, got.Data["tenant"])
			}
		}
		change := func(input string) {
			t.Helper()
			owner.Do(t, `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "drill", `+
				`input: `+input+`) { id } }`,
				map[string]any{"shop": c.Tools}, nil)
		}
		shows(true)
		change(`{status: draft}`)
		shows(false)
		change(`{status: published, publishedAt: "` + c.Clock.Now().Add(5*time.Minute).Format(time.RFC3339) + `"}`)
		shows(false)
		c.Clock.Pass(10 * time.Minute)
		shows(true)
		change(`{status: archived}`)
		shows(false)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {name: "House of tools",
			primaryColor: null}) { id }
			updateBusinessProfile(businessId: $shop, input: {phones: ["021"], about: null}) { id } }`, shop, nil)
		got := public.Ask(t, `{ tenant(domain: "tools.example") { name primaryColor businessInfo { `+
			`phones about } } }`, nil)
		const want = `{"name":"House of tools","primaryColor":null,"businessInfo":{"phones":["021"],"about":null}}`
		if string(got.Data["tenant"]) != want {
			t.Errorf("got %s", got.Data["tenant"])
		}
	})
}

// TestFirstProfileHasItsVersion checks that an edit which writes a profile where there was none, and says nothing in
// it, answers with the version that is read afterwards.
func TestFirstProfileHasItsVersion(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		none := "DELETE FROM business_profiles WHERE tenant_id = $1"
		if _, err := c.Store.Client.ExecContext(t.Context(), none, uuid.MustParse(c.Tools)); err != nil {
			t.Fatal(err)
		}
		owner, shop := c.Staff(t, c.Tools, record.Owner), shoptest.Members{"shop": c.Tools}
		var got struct {
			UpdateBusinessProfile, StaffBusinessProfile struct{ Version string }
		}
		owner.Do(t, `mutation($shop: ID!) { updateBusinessProfile(businessId: $shop, input: {}) { version } }`, shop,
			&got)
		owner.Do(t, `query($shop: ID!) { staffBusinessProfile(businessId: $shop) { version } }`, shop, &got)
		if got.UpdateBusinessProfile != got.StaffBusinessProfile {
			t.Errorf("the edit answered the version %q, and %q is read",
				got.UpdateBusinessProfile.Version, got.StaffBusinessProfile.Version)
		}
	})
}
