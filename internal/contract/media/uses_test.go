package media_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/ent/migrate"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/media"
	"storefront/internal/record"
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
// is in use. Long texts are searched, or named above.
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

// TestImageThatIsUsedMeanwhileStays deletes an image and lets an edit begin to use it as soon as all columns have been
// searched. The edit is not held up, and the deletion finds the use: each writer of content sets updated_at. It does so
// with an Idempotency-Key too, whose transaction must not begin before the search.
func TestImageThatIsUsedMeanwhileStays(t *testing.T) {
	edits := map[string]string{
		"product": `updateProduct(businessId: $shop, slug: "drill", input: {description: $text}) { id }`,
		"brand":   `updateBrand(businessId: $shop, slug: "ronix", input: {logoUrl: $url}) { id }`,
		"category": `updateCategory(businessId: $shop, entityType: product, slug: "saws",
			input: {description: $text}) { id }`,
		"shop":    `updateShop(businessId: $shop, input: {logoUrl: $url}) { id }`,
		"profile": `updateBusinessProfile(businessId: $shop, input: {about: $text}) { id }`,
	}
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		var edit atomic.Pointer[func()]
		watched := c.Watched(t, func(text string) {
			if !strings.Contains(text, "order_items") || !strings.Contains(text, "LIKE") { // the last of media.Columns
				return
			}
			if begin := edit.Swap(nil); begin != nil {
				(*begin)()
			}
		}, func(o *app.Options) { o.Media = c.Files })
		w := c.Staff(t, c.Tools, record.Owner)
		deletes := shoptest.Worker{API: watched.GraphQL().With(w.Access), Customer: w.Customer}
		n := 0
		for kind, mutation := range edits {
			for _, key := range []string{"", uuid.NewString()} {
				n++
				u := upload(t, w, c.Tools, pngOf(t, 40, 30, n))
				with := map[string]any{"shop": c.Tools, "image": u.ID, "url": `"` + u.URL + `"`,
					"text": `"<img src='` + u.URL + `'>"`}
				begin := func() {
					text := strings.NewReplacer("$url", with["url"].(string), "$text", with["text"].(string))
					w.Do(t, `mutation($shop: ID!) { `+text.Replace(mutation)+` }`, map[string]any{"shop": c.Tools}, nil)
				}
				edit.Store(&begin)
				by := deletes
				if key != "" {
					by.API = by.API.Key(key)
				}
				by.Refused(t, "CONFLICT", `mutation($shop: ID!, $image: ID!) {
					deleteMediaFile(businessId: $shop, mediaId: $image) { message } }`, with)
				if edit.Load() != nil {
					t.Errorf("%s: the columns were not searched", kind)
				}
			}
		}
	})
}
