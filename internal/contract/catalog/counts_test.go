package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
)

// tally returns the counts that the first shop shows: totals of lists, items of categories, comments and
// ratings.
func tally(t testing.TB, p *shoptest.Place) string {
	t.Helper()
	var said []string
	for _, list := range []string{"products", "products?inStore=1",
		"products?categoryId=<tools:category:product:power>", "products?tag=برقی", "products?name=drill",
		"store-items",
		"store-items?categoryId=<tools:category:product:power>", "user-products", "user-products?promoted=1",
		"blogs", "portfolios"} {
		var page struct {
			Items []any
			Total int
		}
		p.Decode(t, shoptest.ToolsPath+"/"+list, &page)
		if len(page.Items) != page.Total {
			t.Errorf("%s: got %d items, want the total of %d", list, len(page.Items), page.Total)
		}
		said = append(said, fmt.Sprint(page.Total))
	}
	for _, kind := range []string{"product", "blog", "portfolio"} {
		var list struct {
			Items []struct {
				Slug      string
				ItemCount int
			}
		}
		p.Decode(t, shoptest.ToolsPath+"/categories?entityType="+kind, &list)
		said = append(said, "|")
		for _, c := range list.Items {
			said = append(said, fmt.Sprintf("%s:%d", c.Slug, c.ItemCount))
		}
	}
	var drill struct {
		Product struct {
			RatingAverage *json.Number
			RatingCount   int
		}
	}
	var hello struct{ Blog struct{ CommentCount int } }
	p.Decode(t, shoptest.ToolsPath+"/products/drill", &drill)
	p.Decode(t, shoptest.ToolsPath+"/blogs/hello", &hello)
	said = append(said, "|", fmt.Sprintf("%v of %d", *drill.Product.RatingAverage, drill.Product.RatingCount),
		"|", fmt.Sprint(hello.Blog.CommentCount))
	return strings.Join(said, " ")
}

const tallyOfTools = "7 5 3 2 1 7 5 5 2 3 2 | gifts:1 tools:5 power:3 saws:1 drills:1 | tools:2 tips:1 | " +
	"works:2 houses:1 | 8.3 of 3 | 2"

// change is a bundle that adds to the first shop, removes from it, and approves pending records.
const change = `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"},
	"products": [
		{"slug": "new-drill", "titleFa": "دریل", "titleEn": "New drill", "category": "drills", "tags": ` +
	`["برقی"], "publishedAt": "2026-11-15T00:00:00Z",
			"variants": [{"sku": "N-1", "price": 1, "priceCurrency": "IRT"}, {"sku": "N-2", "price": 2, ` +
	`"priceCurrency": "IRT"}]},
		{"slug": "saw", "status": "archived"},
		{"slug": "hammer", "category": "gifts"}],
	"userProducts": [{"slug": "pending", "status": "published"}, {"slug": "press", "promoted": false}],
	"blogs": [{"slug": "unfinished", "status": "published"}],
	"portfolios": [{"slug": "bridge", "status": "draft"}],
	"comments": [{"entityType": "blog", "entity": "hello", "authorName": "Bot", "text": "buy", "status": ` +
	`"approved", "createdAt": "2026-10-06T00:00:00Z"}],
	"expertReviews": [{"product": "drill", "authorName": "Hidden", "rate": 1, "positivePoints": [], ` +
	`"negativePoints": [], "text": "Bad", "status": "approved", "createdAt": "2026-11-13T12:00:00Z"}]}`

const tallyAfterChange = "7 5 3 2 2 8 6 6 1 4 1 | gifts:2 tools:4 power:3 saws:0 drills:2 | tools:3 " +
	"tips:2 | works:1 houses:1 | 6.5 of 4 | 3"

// TestCountsAfterChanges changes content under two services that share a database: both show the new counts
// at once.
func TestCountsAfterChanges(t *testing.T) {
	t.Parallel()
	shoptest.Shops.Each(t, func(t *testing.T, url string) {
		one, other := shoptest.Open(t, url), shoptest.Open(t, url)
		for _, p := range []*shoptest.Place{one, other, one} {
			if got := tally(t, p); got != tallyOfTools {
				t.Errorf("at first %q, want %q", got, tallyOfTools)
			}
		}
		if _, err := bundle.Import(t.Context(), one.Store, bundle.Bytes([]byte(change)), nil); err != nil {
			t.Fatal(err)
		}
		for _, p := range []*shoptest.Place{other, one, other} {
			if got := tally(t, p); got != tallyAfterChange {
				t.Errorf("after the change %q, want %q", got, tallyAfterChange)
			}
		}
		broken := strings.Replace(change, `"slug": "hammer"`, `"price": 1, "slug": "hammer"`, 1)
		if _, err := bundle.Import(t.Context(), one.Store, bundle.Bytes([]byte(broken)), nil); err == nil {
			t.Error("a bundle with a fault was taken")
		}
		if got := tally(t, other); got != tallyAfterChange {
			t.Errorf("after a fault %q, want %q", got, tallyAfterChange)
		}
	})
}

// TestCountsAfterApproval approves a single comment, which is counted at once. A write without the lock of
// the shop's content is refused.
func TestCountsAfterApproval(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		tally(t, p)
		shop := shoptest.Must(p.Store.Client.Tenant.Query().Where(tenant.Slug("tools")).OnlyID(t.Context()))(t)
		locked := true
		approve := func(ctx context.Context) error {
			return transaction.Run(ctx, p.Store.Client, func(tx *ent.Tx) error {
				if locked {
					if err := derive.Lock(ctx, tx, shop); err != nil {
						return err
					}
				}
				if err := tx.Comment.Update().Where(comment.AuthorName("Bot")).SetStatus(record.Approved).
					Exec(ctx); err != nil {
					return err
				}
				return derive.Raise(ctx, tx, shop)
			})
		}
		ctx := tenancy.In(t.Context(), shop)
		locked = false
		if err := approve(ctx); !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("a change without the lock of the content: %v", err)
		}
		locked = true
		if err := approve(ctx); err != nil {
			t.Fatal(err)
		}
		if got, want := tally(t, p), strings.TrimSuffix(tallyOfTools, "2")+"3"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		holds(t, p, []narrowed{{shoptest.ToolsPath + "/blogs?type=news", "hello"}})
	})
}

// TestCountsAfterTime advances the clock past the time of scheduled records, on a service that has counted
// before.
func TestCountsAfterTime(t *testing.T) {
	const later = "8 6 4 3 2 8 6 6 3 4 3 | gifts:1 tools:6 power:4 saws:1 drills:2 | tools:3 tips:2 | " +
		"works:3 houses:1 | 8.3 of 3 | 2"
	t.Parallel()
	shoptest.Shops.Each(t, func(t *testing.T, url string) {
		var clock atomic.Pointer[time.Time]
		set := func(at time.Time) { clock.Store(&at) }
		set(time.Now())
		p := shoptest.Start(t, storetest.Open(t, url), func() time.Time { return *clock.Load() })
		due := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, moment := range []struct {
			at   time.Time
			want string
		}{
			{shoptest.Today, tallyOfTools},
			{due.Add(-time.Microsecond), tallyOfTools},
			{due, later},
			{due.Add(time.Hour), later},
		} {
			set(moment.at)
			if got := tally(t, p); got != moment.want {
				t.Errorf("at %v %q, want %q", moment.at, got, moment.want)
			}
		}
		for _, path := range []string{"/products/future-drill", "/user-products/future", "/blogs/soon",
			"/portfolios/tower", "/store-items/<tools:variant:F-1>"} {
			if got := p.Ask(t, "GET "+shoptest.ToolsPath+path); got.Status != 200 {
				t.Errorf("%s: got %d", path, got.Status)
			}
		}
		specials(t, p, "next always gone")
		set(shoptest.Today)
		specials(t, p, "now always gone")
		set(shoptest.Today.Add(time.Second))
		specials(t, p, "next always gone")
		set(shoptest.Today.Add(-time.Microsecond))
		specials(t, p, "past always gone")
	})
}

// specials checks which special offers are active.
func specials(t *testing.T, p *shoptest.Place, want string) {
	t.Helper()
	var list struct{ Items []struct{ Key string } }
	p.Decode(t, shoptest.ToolsPath+"/store-specials", &list)
	var keys []string
	for _, s := range list.Items {
		keys = append(keys, s.Key)
	}
	if got := strings.Join(keys, " "); got != want {
		t.Errorf("active are %q, want %q", got, want)
	}
}
