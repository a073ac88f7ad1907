package staff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestMovedSlugEnds gives the earlier slug of a record to another record, and deletes that. The slug must
// no longer lead to the first record, whatever the status of the second was. The same holds for a bundle
// that creates the second record after the first was deleted.
func TestMovedSlugEnds(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, public := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		shop := map[string]any{"shop": c.Tools}
		for _, s := range []struct{ kind, more, input, read string }{
			{"Product", "", `titleFa: "ک", status: draft`, "product"},
			{"UserProduct", "", `titleFa: "آ", priceCurrency: "IRT", condition: stock, status: draft`, "userProduct"},
			{"Blog", "", `type: article, titleFa: "و", body: "B", status: draft`, "blog"},
			{"Portfolio", "", `titleFa: "ن", body: "B", status: draft`, "portfolio"},
			{"Brand", "", `name: "B", nameFa: "ب"`, "brand"},
			{"Category", "entityType: blog, ", `name: "C", nameFa: "پ"`, "category"},
		} {
			older := s.more + `slug: "older"`
			create := `create` + s.kind + `(businessId: $shop, ` + older + `, input: {` + s.input + `}) { id }`
			owner.Do(t, `mutation($shop: ID!) { `+create+`
				change`+s.kind+`Slug(businessId: $shop, `+older+`, newSlug: "newer") { id } }`, shop, nil)
			owner.Do(t, `mutation($shop: ID!) { `+create+` }`, shop, nil)
			owner.Do(t, `mutation($shop: ID!) {
				delete`+s.kind+`(businessId: $shop, `+older+`) { message } }`, shop, nil)
			got := public.Ask(t, `{ tenant(domain: "tools.example") { `+s.read+`(`+older+`) { slug } } }`, nil)
			if got.Code() != "NOT_FOUND" || movedTo(got) != "" {
				t.Errorf("%s: got %+v, want it not to be found", s.kind, got.Errors)
			}
		}
		in := derive.Alone(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		for _, kind := range []record.SlugKind{record.SlugBrand, record.SlugCategory(record.Product)} {
			older := c.Store.Client.MovedSlug.Create().SetKind(string(kind)).SetSlug("again").SetRecordID(uuid.New())
			if err := older.Exec(in); err != nil {
				t.Fatal(err)
			}
		}
		text := `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"},
			"brands": [{"slug": "again", "name": "B", "nameFa": "B"}],
			"categories": [{"entityType": "product", "slug": "again", "name": "B", "nameFa": "B"}]}`
		if _, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(text)), nil); err != nil {
			t.Fatal(err)
		}
		if left, err := c.Store.Client.MovedSlug.Query().All(in); err != nil || len(left) > 0 {
			t.Errorf("got %d slugs of before (%v), want none", len(left), err)
		}
	})
}

// TestManyMovedSlugs changes a slug very often. The newest earlier slugs lead to the record, and an edit
// reads none of them.
func TestManyMovedSlugs(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, `mutation($shop: ID!) {
			createProduct(businessId: $shop, slug: "p-0", input: {titleFa: "ک"}) { id } }`, shop, nil)
		for i := range 22 {
			owner.Do(t, fmt.Sprintf(`mutation($shop: ID!) {
				changeProductSlug(businessId: $shop, slug: "p-%d", newSlug: "p-%d") { id } }`, i, i+1), shop, nil)
		}
		for i, want := range map[int]int{1: 404, 2: 301, 21: 301, 22: 200} {
			if got := c.Send(t, "GET", fmt.Sprintf("%s/products/p-%d", shoptest.ToolsPath, i), ""); got.Status != want {
				t.Errorf("p-%d: got %d, want %d", i, got.Status, want)
			}
		}
		reads := 0
		watched := c.Watched(t, func(text string) {
			if strings.Contains(text, "moved_slugs") {
				reads++
			}
		})
		shoptest.Worker{API: watched.GraphQL().With(owner.Access)}.Do(t, `mutation($shop: ID!) {
			a: updateProduct(businessId: $shop, slug: "p-22", input: {summary: "S", brand: "acme"}) { id }
			b: updateOffers(businessId: $shop, input: [{sku: "D-13", price: 5}]) { changed } }`, shop, nil)
		if reads > 0 {
			t.Errorf("got %d statements about slugs of before, want none", reads)
		}
	})
}
