package api_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestImageAddresses gives a product images whose names and host are Persian: Google's feed, Torob and JSON-LD have
// them as URLs.
func TestImageAddresses(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		shoptest.ImportProducts(t, p.Store, []any{map[string]any{
			"slug": "tea", "titleFa": "tea", "status": "published", "publishedAt": "2026-11-01T00:00:00Z",
			"images": []any{
				map[string]any{"url": "https://دیجیتال.example:8080/تصاویر/چای,سبز(1)%20%41.jpg?a=ب"},
				map[string]any{"url": "/media-old/عکس.png"},
			},
			"variants": []any{map[string]any{"sku": "TEA-9", "price": 5, "priceCurrency": "IRT", "stock": 1}},
		}})
		const first = "https://xn--mgbffl2iu0bba.example:8080/%D8%AA%D8%B5%D8%A7%D9%88%DB%8C%D8%B1/" +
			"%DA%86%D8%A7%DB%8C,%D8%B3%D8%A8%D8%B2(1)%20%41.jpg?a=%D8%A8"
		const second = "https://tools.example/media-old/%D8%B9%DA%A9%D8%B3.png"
		torob := fileOf(t, p, "POST", "tools.example/torob_api/v3/products", `{"page": 1, "sort": "date_added_desc"}`,
			"Content-Type", "application/json", "X-Torob-Token", "x", "X-Torob-Token-Version", "1").Body
		var page struct {
			Data struct {
				Tenant struct{ Product struct{ JSONLD string } }
			}
		}
		p.Graph(t, shoptest.AboutTools(`product(slug: "tea") { jsonLd }`), &page)
		for name, text := range map[string]string{
			"Google": textOf(t, p, "tools.example/feeds/google.xml"), "Torob": string(torob),
			"JSON-LD": page.Data.Tenant.Product.JSONLD,
		} {
			for _, want := range []string{first, second} {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %s: %s", name, want, text)
				}
			}
		}
	})
}
