package catalog_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/tenant"
	"storefront/internal/catalog"
	"storefront/internal/catalog/crawl"
	"storefront/internal/catalog/lookup"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestPartsOfPagesStay divides the products of a shop into parts, before and after it gets more. The first
// parts must keep their products, and each product must be in one part.
func TestPartsOfPagesStay(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		tenants := lookup.NewTenants(p.Store.DB)
		c := catalog.NewCatalog(p.Store.Client, tenants)
		records := crawl.Records{Catalog: c, Store: p.Store.Client}
		add := func(slug string, publishedAt time.Time) {
			text := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": "mugs.example"}, "products": [
				{"slug": %q, "titleFa": "x", "publishedAt": %q}]}`, slug, publishedAt.Format(time.RFC3339))
			if _, err := bundle.Import(t.Context(), p.Store, bundle.Bytes([]byte(text)), nil); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 10 { // some at the same time
			add(fmt.Sprintf("p-%02d", i), shoptest.Today.AddDate(0, -1, i/4))
		}
		read := func(want int) (parts [][]string) {
			ctx := catalog.WithScope(t.Context(), shoptest.Today)
			shop, err := c.ShopAt(ctx, "mugs.example")
			if err != nil {
				t.Fatal(err)
			}
			found, err := records.PageParts(ctx, shop.ID, record.ProductPage, 3)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, part := range found {
				in, ok := crawl.ParsePageRange(part.Marks())
				if !ok || in != part.PageRange {
					t.Fatalf("the marks of %v are not read", part)
				}
				var slugs []string
				each := func(pages []crawl.PublicPage) error {
					for _, page := range pages {
						if page.Changed.After(part.Changed) {
							t.Errorf("%s changed at %v, its part at %v", page.Slug, page.Changed, part.Changed)
						}
						slugs = append(slugs, page.Slug)
					}
					return nil
				}
				err := records.EachPublicPage(ctx, shop.ID, record.ProductPage, in, 100, each)
				if err != nil || len(slugs) == 0 || len(slugs) > 3 {
					t.Errorf("got %q, %v", slugs, err)
				}
				parts, all = append(parts, slugs), append(all, slugs...)
			}
			public := p.Store.Client.Product.Query().CountX(tenancy.In(ctx, shop.ID))
			if slices.Sort(all); len(slices.Compact(all)) != want || want > public {
				t.Errorf("got %q, want %d", all, want)
			}
			return parts
		}
		id := p.Store.Client.Tenant.Query().Where(tenant.Domain("mugs.example")).OnlyX(t.Context()).ID
		if id == uuid.Nil {
			t.Fatal("there is no such shop")
		}
		ctx := catalog.WithScope(t.Context(), shoptest.Today)
		n := c.PublishedProducts(ctx).CountX(tenancy.In(ctx, id))
		before := read(n)
		add("newer", shoptest.Today.Add(-time.Minute))
		add("to-come", shoptest.Today.Add(time.Minute))
		after := read(n + 1)
		whole := before[:len(before)-1] // the last one may grow
		if !slices.EqualFunc(whole, after[:len(whole)], slices.Equal) {
			t.Errorf("got %q, which were %q", after, before)
		}
	})
}
