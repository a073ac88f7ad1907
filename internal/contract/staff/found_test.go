package staff_test

import (
	"fmt"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestCustomersAreFound finds a customer of a shop by a part of the name in either spelling, of the cell and of the
// e-mail address; nobody else.
func TestCustomersAreFound(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, who := c.Staff(t, c.Tools, record.Owner), leavesTraces(t, c, 3)
		worker := shoptest.Worker{API: c.GraphQL().With(who.Access), Customer: who.Customer}
		worker.Do(t, `mutation { updateProfile(input: {firstName: "آرزو", lastName: "کریمی",
			email: "arezoo@example.com"}) {
			message } }`, nil, nil)
		found := func(name string) string {
			t.Helper()
			var got struct {
				ShopCustomersConnection struct {
					Nodes      []struct{ ID string }
					TotalCount int
				}
			}
			owner.Do(t, `query($shop: ID!, $name: String) { shopCustomersConnection(businessId: $shop, name: $name) {
				nodes { id } totalCount } }`, map[string]any{"shop": c.Tools, "name": name}, &got)
			return fmt.Sprint(got.ShopCustomersConnection)
		}
		cell := who.Customer.Cell
		want := fmt.Sprintf("{[{%s}] 1}", who.Customer.ID)
		for _, name := range []string{"آرزو", "ارزو كريمي", "کریمی", "arezoo",
			"AREZOO@example.com", cell, "0" + cell[3:],
			cell[len(cell)-7:]} {
			if got := found(name); got != want {
				t.Errorf("by %q: got %s, want %s", name, got, want)
			}
		}
		for _, name := range []string{"کریمی رضا", "%", "'", "_____", "0777"} {
			if got := found(name); got != "{[] 0}" {
				t.Errorf("by %q: got %s, want nobody", name, got)
			}
		}
		worker.Do(t, `mutation { updateProfile(input: {firstName: "Émile", lastName: "مِينا", email: null}) {
			message } }`, nil, nil)
		for _, name := range []string{
			"Émile", "émile", "emile", "ÉMILE", "مِينا", "مینا", "مينا emile", "mile مین",
		} {
			if got := found(name); got != want {
				t.Errorf("by %q: got %s, want %s", name, got, want)
			}
		}
		for _, name := range []string{"آرزو", "arezoo", "emileمینا"} {
			if got := found(name); got != "{[] 0}" {
				t.Errorf("by %q: got %s, want nobody", name, got)
			}
		}
		if all, blank := found(""), found(" \u200c"); all != blank || all == "{[] 0}" {
			t.Errorf("by nothing: got %s, by what nobody sees %s", all, blank)
		}
		c.NamesAreSearched(t)
	})
}

// TestOpinionsSayWhatTheyAreAbout reads the subject of a pending comment and review whose record has become a
// draft.
func TestOpinionsSayWhatTheyAreAbout(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		leavesTraces(t, c, 3)
		owner.Do(t, `mutation($product: ID!) { createExpertReview(domain: "tools.example", input: {productId: $product,
			authorName: "A", rate: 7, positivePoints: [], negativePoints: [],
			text: "Good."}) { message } }`,
			map[string]any{"product": c.Named(t, "<tools:product:drill>")}, nil)
		const about = `query($shop: ID!) {
			moderatedCommentsConnection(businessId: $shop) {
				nodes { entityId entityType about { id entityType slug titleFa } } }
			moderatedReviewsConnection(businessId: $shop) {
				nodes { productId about { id entityType slug titleFa } } } }`
		type subject struct{ ID, EntityType, Slug, TitleFa string }
		var got struct {
			ModeratedCommentsConnection struct {
				Nodes []struct {
					EntityID, EntityType string
					About                subject
				}
			}
			ModeratedReviewsConnection struct {
				Nodes []struct {
					ProductID string
					About     subject
				}
			}
		}
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, about, shop, &got)
		if len(got.ModeratedReviewsConnection.Nodes) == 0 {
			t.Fatal("no review waits")
		}
		owner.Do(t, `mutation($shop: ID!, $slug: String!) { updateProduct(businessId: $shop, slug: $slug,
			input: {status: draft}) { id } }`,
			map[string]any{"shop": c.Tools, "slug": got.ModeratedReviewsConnection.Nodes[0].About.Slug}, nil)
		owner.Do(t, about, shop, &got)
		for _, one := range got.ModeratedCommentsConnection.Nodes {
			if one.About.ID != one.EntityID || one.About.EntityType != one.EntityType || one.About.TitleFa == "" {
				t.Errorf("a comment: got %+v", one)
			}
		}
		for _, one := range got.ModeratedReviewsConnection.Nodes {
			if one.About.ID != one.ProductID || one.About.EntityType != "product" || one.About.TitleFa == "" {
				t.Errorf("a review: got %+v", one)
			}
		}
	})
}

// TestAuditIsFoundByKindAndName narrows the log by the kind of records, and by a part of their names.
func TestAuditIsFoundByKindAndName(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		owner.Do(t, `mutation($shop: ID!) {
			createBrand(businessId: $shop, slug: "northern", input: {name: "Northern", nameFa: "شمالی"}) { id }
			other: createBrand(businessId: $shop, slug: "ecrin", input: {name: "E", nameFa: "Écrin زیبا"}) { id }
			createProduct(businessId: $shop, slug: "lamp", input: {titleEn: "Northern lamp",
				variants: [{sku: "LAMP-100%", priceCurrency: "USD"}]}) { id } }`, map[string]any{"shop": c.Tools}, nil)
		english := c.Staff(t, c.Mugs, record.Owner)
		english.Do(t, `mutation($shop: ID!) { createBrand(businessId: $shop, slug: "oven",
			input: {name: "Oven", nameFa: "تنور"}) { id }
			createProduct(businessId: $shop, slug: "oven-mug",
				input: {titleEn: "Oven mug", titleFa: "لیوان تنور"}) { id }
			createProductPreview(businessId: $shop, slug: "oven-mug") { preview } }`,
			map[string]any{"shop": c.Mugs}, nil)
		var called struct {
			AuditLogConnection struct{ Nodes []struct{ RecordName string } }
		}
		english.Do(t, `query($shop: ID!) {
			auditLogConnection(businessId: $shop, name: "تنور") { nodes { recordName } } }`,
			map[string]any{"shop": c.Mugs}, &called)
		names := ""
		for _, one := range called.AuditLogConnection.Nodes {
			names += one.RecordName + ", "
		}
		if names != "Oven mug, Oven mug, Oven, " {
			t.Errorf("got the names %s, want them in the language of the shop", names)
		}
		total := func(narrow string) int {
			t.Helper()
			var got struct{ AuditLogConnection struct{ TotalCount int } }
			owner.Do(t, fmt.Sprintf(`{ auditLogConnection(businessId: %q, %s) { totalCount } }`, c.Tools, narrow), nil,
				&got)
			return got.AuditLogConnection.TotalCount
		}
		for narrow, want := range map[string]int{
			`kind: "brand"`: 2, `kind: "variant"`: 1, `kind: "blog"`: 0, `name: "northern"`: 2, `name: "LAMP"`: 2,
			`name: "lamp", kind: "product"`: 1, `name: "100%"`: 1, `name: "%"`: 0, `name: "شمالی"`: 1,
			`name: "شمالي"`: 1, `name: "ecrin"`: 1, `name: "ÉCRIN زيبا"`: 1, `name: " "`: 4,
			`name: "شمال", kind: "product"`: 0,
		} {
			if got := total(narrow); got != want {
				t.Errorf("by %s: got %d, want %d", narrow, got, want)
			}
		}
	})
}

// TestTitlesInOneLanguage writes records with only an English title. It also becomes the Farsi title, and
// both change together until a Farsi title is given. A new record without any title is refused.
func TestTitlesInOneLanguage(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		write := func(verb, input string) string {
			return fmt.Sprintf(`mutation($shop: ID!) { %sProduct(businessId: $shop, slug: "one", input: {%s}) { id } }`,
				verb, input)
		}
		shop := map[string]any{"shop": c.Tools}
		titles := func() string {
			t.Helper()
			var got struct {
				StaffProduct struct {
					Content struct{ TitleFa, TitleEn string }
				}
			}
			owner.Do(t, `query($shop: ID!) { staffProduct(businessId: $shop, slug: "one") {
				content { titleFa titleEn } } }`, shop, &got)
			return got.StaffProduct.Content.TitleFa + ", " + got.StaffProduct.Content.TitleEn
		}
		for _, none := range []string{`summary: "S"`, `titleEn: " "`, `titleEn: null`, `titleFa: null, titleEn: ""`} {
			got := owner.Refused(t, "VALIDATION_FAILED", write("create", none), shop)
			if wrong := shoptest.WrongIn(got); wrong != "input.titleFa" {
				t.Errorf("%s: got %s, want input.titleFa", none, wrong)
			}
		}
		for _, step := range []struct{ verb, input, want string }{
			{"create", `titleEn: "Lamp"`, "Lamp, Lamp"},
			{"update", `titleEn: "Lamps"`, "Lamps, Lamps"},
			{"update", `summary: "S"`, "Lamps, Lamps"},
			{"update", `titleFa: "چراغ"`, "چراغ, Lamps"},
			{"update", `titleEn: "Light"`, "چراغ, Light"},
			{"update", `titleEn: null`, "چراغ, "},
			{"update", `titleEn: "Light"`, "چراغ, Light"},
		} {
			owner.Do(t, write(step.verb, step.input), shop, nil)
			if got := titles(); got != step.want {
				t.Errorf("%s %s: got %s, want %s", step.verb, step.input, got, step.want)
			}
		}
		c.ComesBack(t)
		owner.Do(t, `mutation($shop: ID!) {
			createBlog(businessId: $shop, slug: "one", input: {type: news, titleEn: "News", body: "B"}) { id }
			createPortfolio(businessId: $shop, slug: "one", input: {titleEn: "Barn", body: "B"}) { id }
			createUserProduct(businessId: $shop, slug: "one", input: {titleEn: "Saw", priceCurrency: "USD",
				condition: new}) { id } }`, shop, nil)
		c.ComesBack(t)
	})
}
