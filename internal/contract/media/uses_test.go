package media_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/ent/migrate"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/media"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// withoutImages are the columns of content, in one table or all, that are long and hold no address of an image, with
// the reason.
var withoutImages = map[string]string{
	"variants.sku_text": "made of the SKU", "variants.options": "keys", "products.tag_keys": "folded tags",
	"products.variations": "names and colours", "categories.form": "questions",
	"tenants.pages": "addresses of pages", "tenants.order_rules": "numbers",
	"business_profiles.phones": "numbers", "business_profiles.emails": "e-mail addresses",
	"business_profiles.addresses": "places", "business_profiles.social_links": "addresses of pages",
	"user_products.rejection_reason": "for the customer, as plain text",
	"tags":                           "words",
	"seo":                            "titles and descriptions of pages",
	"search_text":                    "made of the others",
}

// TestEveryTextKeepsItsImages puts the address of an image into each column of content, one after the other: the image
// is in use. What is long is looked at, or named above.
func TestEveryTextKeepsItsImages(t *testing.T) {
	known := map[string]bool{}
	for _, c := range media.Columns {
		known[c.Table+"."+c.Name] = true
	}
	for _, table := range migrate.Tables {
		if !slices.ContainsFunc(media.Columns, func(c media.Column) bool { return c.Table == table.Name }) {
			continue
		}
		for _, column := range table.Columns {
			name := table.Name + "." + column.Name
			without := withoutImages[name] + withoutImages[column.Name]
			if isLong(column) && !known[name] && without == "" && table.Name != "order_items" {
				t.Errorf("%s may hold images, and is not looked at", name)
			}
		}
	}
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		for n, column := range media.Columns {
			if column.Kind == "order" {
				continue
			}
			u := upload(t, w, c.Tools, pngOf(t, 40, 30, n))
			text := `<p><img src="` + u.URL + `"></p>`
			if column.JSON {
				text = `[{"url": "` + u.URL + `"}]`
			}
			set := database.Statement(fmt.Sprintf(`UPDATE %s SET "%s" = $text WHERE %s = $shop`, column.Table,
				column.Name, column.Owner))
			if _, err := set.Exec(t.Context(), c.Store.Client.Raw(), database.Values{
				"text": text, "shop": uuid.MustParse(c.Tools)}); err != nil {
				t.Fatalf("%s.%s: %v", column.Table, column.Name, err)
			}
			var got struct {
				File struct{ Uses []struct{ Kind string } }
			}
			w.Do(t, `query($shop: ID!, $image: ID!) { file: mediaFile(businessId: $shop, mediaId: $image) {
				uses { kind } } }`,
				map[string]any{"shop": c.Tools, "image": u.ID}, &got)
			if uses := got.File.Uses; len(uses) != 1 || uses[0].Kind != column.Kind {
				t.Errorf("in %s.%s: got the uses %v", column.Table, column.Name, uses)
			}
		}
	})
}

// isLong reports whether a column may hold texts of any length.
func isLong(c *schema.Column) bool {
	return c.Type == field.TypeJSON || c.Type == field.TypeString && c.Size > 1<<16
}

// TestAnImageThatIsUsedMeanwhileStays deletes an image while a transaction that holds the shop's content begins to use
// it.
func TestAnImageThatIsUsedMeanwhileStays(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		shop := uuid.MustParse(c.Tools)
		w := c.Staff(t, c.Tools, record.Owner)
		u := upload(t, w, c.Tools, pngOf(t, 40, 30, 1))
		with := map[string]any{"shop": c.Tools, "image": u.ID}
		remove := `mutation($shop: ID!, $image: ID!) {
			deleteMediaFile(businessId: $shop, mediaId: $image) { message } }`
		tx, err := c.Store.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		ctx, err := derive.Lock(tenancy.In(t.Context(), shop), tx, shop)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Refused(t, "CONFLICT", remove, with)
		}()
		c.UntilWaiting(t, 1, done)
		_, err = database.Statement("UPDATE brands SET logo_url = $url, updated_at = $now WHERE tenant_id = $shop AND "+
			"slug = 'ronix'").Exec(ctx, tx.Raw(), database.Values{"url": u.URL, "now": time.Now(), "shop": shop})
		if err := errors.Join(err, tx.Commit()); err != nil {
			t.Fatal(err)
		}
		<-done
		w.Do(t, `mutation($shop: ID!) { updateBrand(businessId: $shop, slug: "ronix", input: {logoUrl: null}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		w.Do(t, remove, with, nil)
	})
}
