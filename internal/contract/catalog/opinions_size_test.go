package catalog_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestOpinionsAreBounded checks that a record with more long opinions than fit into an answer shows its newest ones,
// and one with many short ones all of them.
func TestOpinionsAreBounded(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		shop := p.Store.Client.Tenant.Query().Where(tenant.Domain(shoptest.ToolsShop)).OnlyX(t.Context())
		ctx := derive.Alone(tenancy.In(t.Context(), shop.ID))
		drill := p.Store.Client.Product.Query().Where(product.Slug("drill")).OnlyX(ctx).ID
		points := make([]string, 20)
		for i := range points {
			points[i] = long(200)
		}
		at := func(i int) time.Time { return shoptest.Today.Add(-time.Duration(i) * time.Minute) }
		comment := func(text string, from int) func(c *ent.CommentCreate, i int) {
			return func(c *ent.CommentCreate, i int) {
				c.SetTenantID(shop.ID).SetEntityType(record.Product).SetEntityID(drill).
					SetAuthorName(fmt.Sprint(from + i)).
					SetText(text).SetStatus(record.Approved).SetCreatedAt(at(from + i))
			}
		}
		review := func(text string, points []string, from int) func(c *ent.ExpertReviewCreate, i int) {
			return func(c *ent.ExpertReviewCreate, i int) {
				c.SetTenantID(shop.ID).SetProductID(drill).SetAuthorName(fmt.Sprint(from +
					i)).SetRate(7).SetText(text).
					SetPositivePoints(points).SetNegativePoints(points).SetStatus(record.Approved).
					SetCreatedAt(at(from + i))
			}
		}
		comments := shoptest.ToolsPath + "/comments?entityType=product&entityId=" + drill.String()
		reviews := shoptest.ToolsPath + "/expert-reviews?productId=" + drill.String()
		for _, c := range []struct {
			text   string
			points []string
			number int // of each kind
			shown  int
		}{
			{"short", nil, 600, 600},
			{long(5000), points, 1300, 200},
		} {
			p.Store.Client.Comment.Delete().ExecX(ctx)
			p.Store.Client.ExpertReview.Delete().ExecX(ctx)
			for chunk := range c.number / 100 { // SQLite's driver takes quadratic time
				p.Store.Client.Comment.MapCreateBulk(make([]struct{}, 100), comment(c.text, 100*chunk)).ExecX(ctx)
				p.Store.Client.ExpertReview.MapCreateBulk(make([]struct{}, 100),
					review(c.text, c.points, 100*chunk)).ExecX(ctx)
			}
			p.Store.Client.Tenant.UpdateOneID(shop.ID).AddContentVersion(1).ExecX(ctx)
			for _, path := range []string{comments, reviews} {
				got := p.Get(t, path)
				var answer struct{ Items []struct{ AuthorName string } }
				if err := json.Unmarshal(got.Body, &answer); err != nil || got.Status != 200 {
					t.Fatalf("%s: %d %.300s", path, got.Status, got.Body)
				}
				if len(answer.Items) != c.shown || answer.Items[0].AuthorName != "0" || len(got.Body) > 16<<20 {
					t.Errorf("%s with %d opinions: %d items in %d bytes", path, c.number, len(answer.Items),
						len(got.Body))
				}
			}
		}
	})
}
