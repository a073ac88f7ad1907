package api_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestAnswersAreBounded checks that no document makes the service read or write much more than 16 MiB,
// however long the texts of a shop are: with many articles, with one article under many aliases, and with
// records in many places of an answer.
func TestAnswersAreBounded(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		shop, err := p.Store.Client.Tenant.Query().Where(tenant.Domain(shoptest.ToolsShop)).Only(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx := derive.Alone(tenancy.In(t.Context(), shop.ID)) // before anything is asked
		text := strings.Repeat("ا", 100_000)
		err = p.Store.Client.Blog.MapCreateBulk(make([]struct{}, 100), func(c *ent.BlogCreate, i int) {
			c.SetSlug(fmt.Sprintf("long-%d", i)).SetType("news").SetTitleFa("بلند").SetBody(text).
				SetStatus(record.Published).SetPublishedAt(shoptest.Today.AddDate(0, -1, 0))
		}).Exec(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var names strings.Builder
		for i := range 29 {
			fmt.Fprintf(&names, " a%d: body", i)
		}
		for document, fits := range map[string]bool{
			`blogs(pageSize: 50) { total items { body } }`:                                        true,  // 10 MB
			`blogs(pageSize: 100) { total items { body } }`:                                       false, // 20 MB
			`a: blogs(pageSize: 50) { items { body } } b: blogs(pageSize: 50) { items { body } }`: false,
			// 2 MB, 29 times
			`blogs(pageSize: 10) { items { ` + names.String() + ` } }`: false,
			`blogsConnection(first: 100) { nodes { slug titleFa } }`:   true,
		} {
			got := p.Ask(t, shoptest.AboutTools(document))
			body := string(got.Body)
			if fits && (got.Status != 200 || strings.Contains(body, `"errors"`)) {
				t.Errorf("%.60s: %d %.300s", document, got.Status, body)
			}
			if !fits && (len(body) > 1000 || strings.Contains(body, `"data"`) ||
				strings.Count(body, "LIMIT_EXCEEDED") != 1) {
				t.Errorf("%.60s: %d with %d bytes: %.300s", document, got.Status, len(body), body)
			}
		}
	})
}
