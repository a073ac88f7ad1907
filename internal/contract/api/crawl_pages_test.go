package api_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestShopsSayWhereTheirPagesAre sets the addresses of a shop's pages, in two languages.
func TestShopsSayWhereTheirPagesAre(t *testing.T) {
	installAudit(t)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		const update = `mutation($shop: ID!, $pages: ShopPagesInput) {
			updateShop(businessId: $shop, input: {pages: $pages}) { id } }`
		set := func(pages any) map[string]any { return map[string]any{"shop": c.Tools, "pages": pages} }
		for member, wrong := range map[string][]string{
			"site": {"http://{domain}", "https://evil.example", "https://{domain}.evil.example",
				"https://{domain}:8443", "https://a@{domain}", "https://{domain}/", "https://tools.example",
				"https://.{domain}"},
			"product": {
				"products/{slug}", "/products", "/{slug}/{slug}", "/{slug}/{id}", "/a b/{slug}", "/{slug}#x",
				"/x\n{slug}", "/محصول/{slug}", "/%zz/{slug}", "{locale}/{slug}", "/{slug}<", `/{slug}"`,
				"/a{prefix}/{slug}",
			},
			"home": {"/{slug}", "home"},
		} {
			for _, value := range wrong {
				got := owner.Refused(t, "VALIDATION_FAILED", update, set(map[string]any{member: value}))
				if faults := got.Errors[0].Extensions.Errors; len(faults) != 1 || faults[0].Field != "pages."+member {
					t.Errorf("%s %q: got %+v", member, value, faults)
				}
			}
		}
		owner.Do(t, update, set(map[string]any{"site": "https://www.{domain}", "home": "{prefix}/",
			"product": "/{locale}/p/{slug}?a=1&b='2'", "brand": "/b/{slug}", "blogCategory": "/c/{slug}",
			"listing": "{prefix}/l/{slug}"}), nil)
		parts, all := sitemapsOf(t, c.Place, "tools.example", "https://www.tools.example")
		drill := all["https://www.tools.example/fa/p/drill?a=1&b='2'"]
		if len(drill.Links) != 3 || drill.Links[1].Language != "en" || drill.Links[2].Language != "x-default" ||
			drill.Links[1].Address != "https://www.tools.example/en/p/drill?a=1&b='2'" ||
			drill.Links[2].Address != drill.Loc {
			t.Errorf("got %+v", drill)
		}
		for _, address := range []string{
			"/", "/en/", "/en/p/drill?a=1&b='2'", "/b/acme", "/c/tips", "/l/lathe", "/en/l/lathe",
		} {
			if all["https://www.tools.example"+address].Loc == "" {
				t.Errorf("%s is not there", address)
			}
			delete(all, "https://www.tools.example"+address)
		}
		for address := range all {
			for _, not := range []string{
				"/blog/", "/portfolio", "/categories/", "future", "draft", "archived", "pending",
			} {
				if strings.Contains(address, not) {
					t.Errorf("%s is there", address)
				}
			}
		}
		var shop struct {
			Data struct {
				Tenant struct {
					Home, Blog  *string
					Product     struct{ Fa, En string }
					Category    struct{ CanonicalURL *string }
					UserProduct struct{ CanonicalURL string }
				}
			}
		}
		c.Graph(t, shoptest.AboutTools(`home: canonicalUrl(locale: en)
			product(slug: "drill") { fa: canonicalUrl en: canonicalUrl(locale: en) }
			category(slug: "drills") { canonicalUrl } userProduct(slug: "lathe") { canonicalUrl }`), &shop)
		told := shop.Data.Tenant
		if *told.Home != "https://www.tools.example/en/" || told.Product.Fa != drill.Loc ||
			told.Product.En != drill.Links[1].Address || told.Category.CanonicalURL != nil ||
			told.UserProduct.CanonicalURL != "https://www.tools.example/l/lathe" {
			t.Errorf("got %+v", told)
		}
		robots := textOf(t, c.Place, "tools.example/robots.txt")
		if !strings.Contains(robots, "\nSitemap: https://www.tools.example/sitemap.xml\n") {
			t.Errorf("got %s", robots)
		}
		addresses := 0
		for _, text := range parts {
			addresses += len(read(t, text))
		}
		findNothing(t, len(parts), addresses, map[string]any{
			"robots": robots, "robotsURL": "https://www.tools.example/robots.txt", "sitemaps": parts,
			"index": textOf(t, c.Place, "tools.example/sitemap.xml"), "feeds": map[string]string{},
			"jsonLd": map[string]string{"x": `{"@type": "Thing"}`},
		})
		owner.Do(t, update, set(nil), nil)
		_, all = sitemapsOf(t, c.Place, "tools.example", "https://tools.example")
		if len(all) != len(toolsInSitemap) {
			t.Errorf("got %v, want the usual pages", all)
		}
	})
}
