package staff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// manyChanged is the answer of a mutation of many records.
type manyChanged struct {
	Body struct {
		Changed, Left int
		Next          *string
		Faults        []struct{ ID, Slug, Code, Message string }
	}
}

func (m manyChanged) String() string { return fmt.Sprintf("%+v", m.Body) }

// changeMany writes a mutation of many records.
func changeMany(field, inputs string) string {
	return `mutation($shop: ID!, $select: ` + inputs[:strings.Index(inputs, " ")] + `!, $change: ` +
		inputs[strings.Index(inputs, " ")+1:] + `!, $after: ID, $only: Boolean) {
		body: ` + field + `(businessId: $shop, select: $select, change: $change, after: $after, countOnly: $only) {
			changed left next faults { id slug code message } } }`
}

// TestChangeManyProducts publishes, tags, moves and deletes 120 products, of which some cannot be changed.
func TestChangeManyProducts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		owner.Do(t, `mutation($shop: ID!) {
			asks: createCategory(businessId: $shop, entityType: product, slug: "asks", input: {name: "A", nameFa: "ا",
				form: {title: "F", titleFa: "ف", fields: [
					{key: "power", label: "P", labelFa: "پ", type: number, required: true}]}}) { id }
			plain: createCategory(businessId: $shop, entityType: product, slug: "plain",
				input: {name: "B", nameFa: "ب"}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		for i := range 120 {
			input := map[string]any{"titleFa": fmt.Sprint("انبوه ", i), "status": "draft",
				"tags": []string{"Old One"}}
			if i%60 == 7 {
				input["category"] = "asks"
			}
			owner.Do(t, `mutation($shop: ID!, $slug: String!, $in: ProductInput!) {
				createProduct(businessId: $shop, slug: $slug, input: $in) { id } }`,
				map[string]any{"shop": c.Tools, "slug": fmt.Sprintf("many-%03d", i), "in": input}, nil)
		}
		document := changeMany("changeProducts", "RecordSelection ContentChange")
		with := func(selected, change map[string]any, more ...map[string]any) map[string]any {
			variables := map[string]any{"shop": c.Tools, "select": selected, "change": change}
			for _, one := range more {
				maps.Copy(variables, one)
			}
			return variables
		}
		change := func(variables map[string]any, changed, left, faults int) manyChanged {
			t.Helper()
			var got manyChanged
			owner.Do(t, document, variables, &got)
			if got.Body.Changed != changed || got.Body.Left != left || len(got.Body.Faults) != faults {
				t.Errorf("%v: got %v, want %d changed, %d left, %d faults", variables, got, changed, left, faults)
			}
			return got
		}
		listed := func(arguments string) int {
			t.Helper()
			var got struct {
				Tenant struct{ Products struct{ Total int } }
			}
			public.Do(t, `{ tenant(domain: "tools.example") { products(`+arguments+`) { total } } }`, nil, &got)
			return got.Tenant.Products.Total
		}
		drafts := map[string]any{"filter": map[string]any{"name": "انبوه", "status": "draft"}}
		all := map[string]any{"filter": map[string]any{"name": "انبوه"}}
		publish := map[string]any{"status": "published",
			"addTags": []string{"new", "old  one"}, "removeTags": []string{"OLD ONE"}}
		change(with(drafts, publish, map[string]any{"only": true}), 0, 120, 0)
		keyed := owner.Keyed(t, "many-1", document, with(drafts, map[string]any{"addTags": []string{"keyed"}}))
		if text := keyed.Said; !strings.Contains(text, `"changed":100`) || !strings.Contains(text, `"left":20`) {
			t.Errorf("with a key: %s", text)
		}
		got := change(with(drafts, publish), 118, 0, 2)
		for _, one := range got.Body.Faults {
			if one.Code != "VALIDATION_FAILED" || one.Message != "values.power is required" ||
				one.Slug != "many-007" && one.Slug != "many-067" {
				t.Errorf("got %+v", one)
			}
		}
		change(with(drafts, publish), 0, 0, 2)
		if n := listed(`tag: "new"`); n != 118 {
			t.Errorf("got %d of the tag, want 118", n)
		}
		change(with(all, map[string]any{"category": "plain"}), 120, 0, 0)
		if n := listed(`categories: ["plain"]`); n != 118 {
			t.Errorf("got %d of the category, want 118", n)
		}
		inPlain := map[string]any{"filter": map[string]any{"category": "plain", "status": "published"}}
		change(with(inPlain, map[string]any{"category": nil, "status": "archived"}), 118, 0, 0)
		for wrong, variables := range map[string]map[string]any{
			"change.category":        with(all, map[string]any{"category": "none"}),
			"change":                 with(all, map[string]any{"delete": false}),
			"change.delete":          with(all, map[string]any{"delete": true, "status": "draft"}),
			"select":                 with(map[string]any{}, publish),
			"select.filter":          with(map[string]any{"filter": map[string]any{}}, publish),
			"select.filter.name":     with(map[string]any{"filter": map[string]any{"name": "\u200c"}}, publish),
			"select.filter.category": with(map[string]any{"filter": map[string]any{"category": "none"}}, publish),
		} {
			if at := shoptest.WrongIn(owner.Refused(t, "VALIDATION_FAILED", document, variables)); at != wrong {
				t.Errorf("got a fault of %s, want %s", at, wrong)
			}
		}
		nothing := map[string]any{"filter": map[string]any{"name": "هیچ‌کدام"}}
		change(with(nothing, map[string]any{"category": "plain"}), 0, 0, 0)
		if at := shoptest.WrongIn(owner.Refused(t, "VALIDATION_FAILED", document,
			with(nothing, map[string]any{"category": "none"}))); at != "change.category" {
			t.Errorf("of nothing: got a fault of %s, want change.category", at)
		}
		var seen struct {
			StaffRecordsConnection struct{ Nodes []struct{ ID string } }
			AuditLogConnection     struct{ TotalCount int }
		}
		owner.Do(t, `query($shop: ID!) {
			staffRecordsConnection(businessId: $shop, kind: product, name: "انبوه", first: 3) { nodes { id } }
			auditLogConnection(businessId: $shop, action: "changeProducts") { totalCount } }`,
			map[string]any{"shop": c.Tools}, &seen)
		if want := 100 + 118 + 120 + 118; seen.AuditLogConnection.TotalCount != want {
			t.Errorf("got %d entries in the log, want %d", seen.AuditLogConnection.TotalCount, want)
		}
		c.REST().Shopper(t, 1).Bought(t, "D-13", 1)
		ids := []string{c.Mugs} // is no product's
		for _, one := range seen.StaffRecordsConnection.Nodes {
			ids = append(ids, one.ID)
		}
		other := c.Staff(t, c.Mugs, record.Owner)
		theirs := with(map[string]any{"ids": ids}, map[string]any{"delete": true})
		other.Refused(t, "FORBIDDEN", document, theirs)
		theirs["shop"] = c.Mugs
		var refused manyChanged
		other.Do(t, document, theirs, &refused)
		if refused.Body.Changed != 0 || len(refused.Body.Faults) != 4 || refused.Body.Faults[0].Code != "NOT_FOUND" {
			t.Errorf("another shop's staff: %v", refused)
		}
		change(with(map[string]any{"ids": ids}, map[string]any{"delete": true}), 3, 0, 1)
		ordered := map[string]any{"filter": map[string]any{"status": "published"}}
		got = change(with(ordered, map[string]any{"delete": true}), publishedOf(t, owner, c)-1, 0, 1)
		if len(got.Body.Faults) == 1 && got.Body.Faults[0].Code != "CONFLICT" {
			t.Errorf("got %v", got)
		}
		c.ComesBack(t)
	})
}

// publishedOf counts the published products of the tools shop.
func publishedOf(t *testing.T, by shoptest.Worker, c *shoptest.Crew) int {
	t.Helper()
	var seen struct{ StaffRecordsConnection struct{ TotalCount int } }
	by.Do(t, `query($shop: ID!) {
		staffRecordsConnection(businessId: $shop, kind: product, status: published) { totalCount } }`,
		map[string]any{"shop": c.Tools}, &seen)
	return seen.StaffRecordsConnection.TotalCount
}

// TestChangeManyOfEachKind publishes and deletes listings, blogs and portfolios, by those who may.
func TestChangeManyOfEachKind(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, moderator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Moderator)
		for kind, s := range map[string]struct{ create, input, change, field string }{
			"userProduct": {"createUserProduct", `titleFa: "انبوه", priceCurrency: "IRT", condition: stock`,
				"ListingChange", "changeUserProducts"},
			"blog": {"createBlog", `type: article, titleFa: "انبوه", body: "B"`,
				"ContentChange", "changeBlogs"},
			"portfolio": {"createPortfolio", `titleFa: "انبوه", body: "B"`, "ContentChange", "changePortfolios"},
		} {
			for _, slug := range []string{"m-1", "m-2"} {
				owner.Do(t, `mutation($shop: ID!, $slug: String!) {
					`+s.create+`(businessId: $shop, slug: $slug, input: {status: draft, `+s.input+`}) { id } }`,
					map[string]any{"shop": c.Tools, "slug": slug}, nil)
			}
			document := changeMany(s.field, "RecordSelection "+s.change)
			variables := map[string]any{"shop": c.Tools, "change": map[string]any{"status": "published"},
				"select": map[string]any{"filter": map[string]any{"status": "draft", "name": "انبوه"}}}
			if kind != "userProduct" {
				moderator.Refused(t, "FORBIDDEN", document, variables)
			}
			for i, want := range []int{2, 0, 2} {
				if i == 2 {
					variables["change"] = map[string]any{"delete": true}
					variables["select"] = map[string]any{"filter": map[string]any{"name": "انبوه"}}
				}
				var got manyChanged
				owner.Do(t, document, variables, &got)
				if got.Body.Changed != want || got.Body.Left+len(got.Body.Faults) > 0 {
					t.Errorf("%s, %d: got %v, want %d changed", kind, i, got, want)
				}
			}
			variables["change"] = map[string]any{"category": nil}
			owner.Do(t, document, variables, &manyChanged{})
			variables["change"] = map[string]any{"category": "none"}
			at := shoptest.WrongIn(owner.Refused(t, "VALIDATION_FAILED", document, variables))
			if at != "change.category" {
				t.Errorf("%s: got a fault of %s, want change.category", kind, at)
			}
		}
		c.ComesBack(t)
	})
}

// TestChangeManyOpinions approves, rejects and deletes comments and reviews, by filter and by ids.
func TestChangeManyOpinions(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		moderator, editor := c.Staff(t, c.Tools, record.Moderator), c.Staff(t, c.Tools, record.Editor)
		for form, s := range map[string]struct{ field, list string }{
			"comment": {"changeComments", "moderatedCommentsConnection"},
			"review":  {"changeReviews", "moderatedReviewsConnection"},
		} {
			for range 4 {
				if got := submit(t, c.Accounts.Place, form, "Zoe", "Good"); got.Status != 201 {
					t.Fatalf("got status %d: %s", got.Status, got.Body)
				}
			}
			inStatus := func(status string) (ids []string) {
				t.Helper()
				var list struct {
					Body struct {
						Nodes []struct{ ID, AuthorName string }
					}
				}
				moderator.Do(t, `query($shop: ID!, $status: Moderation!) { body: `+s.list+
					`(businessId: $shop, status: $status, first: 100) { nodes { id authorName } } }`,
					map[string]any{"shop": c.Tools, "status": status}, &list)
				for _, one := range list.Body.Nodes {
					if one.AuthorName == "Zoe" {
						ids = append(ids, one.ID)
					}
				}
				return ids
			}
			document := changeMany(s.field, "OpinionSelection OpinionChange")
			zoe := map[string]any{"name": "Zoe"}
			change := func(selected, change map[string]any, changed, faults int) {
				t.Helper()
				var got manyChanged
				moderator.Do(t, document,
					map[string]any{"shop": c.Tools, "select": selected, "change": change, "only": false}, &got)
				if got.Body.Changed != changed || got.Body.Left != 0 || len(got.Body.Faults) != faults {
					t.Errorf("%s %v: got %v, want %d changed, %d faults", form, selected, got, changed, faults)
				}
			}
			before := contentVersion(t, c)
			change(map[string]any{"filter": zoe, "status": "pending"}, map[string]any{"status": "approved"}, 4, 0)
			approved := inStatus("approved")
			if len(approved) != 4 || contentVersion(t, c) == before {
				t.Fatalf("%s: got %d approved, want 4, and another version", form, len(approved))
			}
			change(map[string]any{"ids": append(approved[:2:2], c.Mugs)}, map[string]any{"status": "rejected"}, 2, 1)
			change(map[string]any{"ids": approved[:2]}, map[string]any{"status": "rejected"}, 0, 0)
			change(map[string]any{"status": "rejected", "filter": zoe}, map[string]any{"delete": true}, 2, 0)
			change(map[string]any{"filter": zoe}, map[string]any{"delete": true}, 2, 0)
			if n := len(inStatus("approved")) + len(inStatus("rejected")); n != 0 {
				t.Errorf("%s: %d are left", form, n)
			}
			wrong := map[string]any{"shop": c.Tools, "select": map[string]any{},
				"change": map[string]any{"delete": true}}
			moderator.Refused(t, "VALIDATION_FAILED", document, wrong)
			wrong["select"], wrong["change"] = map[string]any{"ids": approved}, map[string]any{}
			moderator.Refused(t, "VALIDATION_FAILED", document, wrong)
			wrong["change"] = map[string]any{"delete": true}
			editor.Refused(t, "FORBIDDEN", document, wrong)
		}
		c.ComesBack(t)
	})
}

// TestReorder sets the order of categories and sliders.
func TestReorder(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			createCategory(businessId: $shop, entityType: blog, slug: "top", input: {name: "T", nameFa: "ت"}) { id }
			a: createCategory(businessId: $shop, entityType: blog, slug: "a",
				input: {name: "A", nameFa: "ا", parentSlug: "top"}) { id }
			b: createCategory(businessId: $shop, entityType: blog, slug: "b",
				input: {name: "B", nameFa: "ب", parentSlug: "top"}) { id }
			c: createCategory(businessId: $shop, entityType: blog, slug: "c",
				input: {name: "C", nameFa: "پ", parentSlug: "top"}) { id }
			s: createSlider(businessId: $shop, key: "s-1", input: {slides: []}) { id }
			r: createSlider(businessId: $shop, key: "s-2", input: {slides: []}) { id } }`, shop, nil)
		order := func() string {
			t.Helper()
			var got struct {
				Tenant struct {
					Categories []struct{ Slug string }
					Sliders    []struct{ Key string }
				}
			}
			shoptest.Worker{API: c.GraphQL()}.Do(t,
				`{ tenant(domain: "tools.example") { categories(entityType: blog) { slug } sliders { key } } }`,
				nil, &got)
			text := ""
			for _, one := range got.Tenant.Categories {
				if len(one.Slug) == 1 {
					text += one.Slug
				}
			}
			for _, one := range got.Tenant.Sliders {
				if strings.HasPrefix(one.Key, "s-") {
					text += one.Key[1:]
				}
			}
			return text
		}
		owner.Do(t, `mutation($shop: ID!) {
			reorderCategories(businessId: $shop, entityType: blog, slugs: ["c", "a"]) { message }
			reorderSliders(businessId: $shop, keys: ["s-2"]) { message } }`, shop, nil)
		if got := order(); got != "cab-2-1" {
			t.Errorf("got %s, want cab-2-1", got)
		}
		for _, wrong := range []string{`reorderCategories(businessId: $shop, entityType: blog, slugs: ["c", "top"])`,
			`reorderCategories(businessId: $shop, entityType: product, slugs: ["c"])`,
			`reorderSliders(businessId: $shop, keys: ["s-1", "s-1"])`} {
			owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!) { `+wrong+` { message } }`, shop)
		}
		if got := order(); got != "cab-2-1" {
			t.Errorf("got %s after a refusal, want cab-2-1", got)
		}
		c.ComesBack(t)
	})
}

// TestManyOffersRaceSales sets the expected stock of one variant among many while customers buy it. No sold
// unit must be returned to the stock, and the others must change unless all are refused.
func TestManyOffersRaceSales(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor := c.Staff(t, c.Tools, record.Editor)
		var made, offers []any
		for i := range 150 {
			sku := fmt.Sprintf("RACE-%d", i)
			made = append(made, map[string]any{"sku": sku, "priceCurrency": "USD", "price": 5, "stock": 1})
			offers = append(offers, map[string]any{"sku": sku, "stock": 2})
		}
		editor.Do(t, `mutation($shop: ID!, $in: ProductInput!) {
			createProduct(businessId: $shop, slug: "race", input: $in) { id } }`,
			map[string]any{"shop": c.Tools, "in": map[string]any{"titleFa": "مسابقه", "variants": made}}, nil)
		const document = `mutation($shop: ID!, $in: [OfferInput!]!) { updateOffers(businessId: $shop, input: $in) {
			changed left faults { sku code } } }`
		buyers := []shoptest.Shopper{c.REST().Shopper(t, 1), c.REST().Shopper(t, 2)}
		for range 3 * *shoptest.Rounds {
			c.StockedUp(t, "D-13", 40)
			added := 0
			shoptest.Together(len(buyers)+1, func(i int) bool {
				if i < len(buyers) {
					buyers[i].Bought(t, "D-13", 2)
					return true
				}
				seen := buyers[0].Stock(t, "D-13")
				one := map[string]any{"sku": "D-13", "stock": seen + 1, "expectedStock": seen}
				var got struct {
					UpdateOffers struct {
						Changed int
						Left    []string
						Faults  []struct{ Sku, Code string }
					}
				}
				answer := editor.Ask(t, document, map[string]any{"shop": c.Tools, "in": append(offers[:150:150], one)})
				if answer.Code() == "CONFLICT" {
					return true
				}
				if err := json.Unmarshal(answer.Data["updateOffers"], &got.UpdateOffers); err != nil {
					t.Errorf("%+v: %v", answer, err)
					return true
				}
				faults := got.UpdateOffers.Faults
				switch {
				case answer.Code() != "" || len(got.UpdateOffers.Left) > 0:
					t.Errorf("got %+v", answer)
				case len(faults) == 0:
					added = 1
				case len(faults) > 1 || faults[0].Sku != "D-13" || faults[0].Code != "CONFLICT":
					t.Errorf("got %+v", faults)
				}
				if n := buyers[0].Stock(t, "RACE-149"); n != 2 {
					t.Errorf("got a stock of %d of another variant, want 2", n)
				}
				return true
			})
			if left := buyers[0].Stock(t, "D-13"); left != 40+added-2*len(buyers) {
				t.Fatalf("got %d in stock, want %d", left, 40+added-2*len(buyers))
			}
		}
	})
}
