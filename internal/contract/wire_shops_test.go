package contract_test

import (
	"encoding/json"
	"testing"

	"storefront/internal/bundle"
	"storefront/internal/testdb"
)

// wireShops holds two shops for the wire rules: one with a record of each kind, and one whose domain has a
// Unicode form.
var wireShops = testdb.NewTemplate(seeded(func() []bundle.Opener {
	return []bundle.Opener{bundle.Bytes([]byte(plainShop)), bundle.Bytes([]byte(unicodeShop))}
}))

const (
	plainShop = `{"format": "storefront-bundle/1",
		"tenant": {"domain": "shop.example", "slug": "shop", "name": "Shop", "nameFa": "فروشگاه", ` +
		`"defaultLocale": "fa"},
		"categories": [{"entityType": "product", "slug": "tools", "name": "Tools", "nameFa": "ابزار"}],
		"products": [
			{"slug": "drill", "titleFa": "دریل", "titleEn": "Drill", "category": "tools", "publishedAt": ` +
		`"2026-02-02T04:30:00+03:30",
				"description": "` + longText + `",
				"variants": [{"sku": "D-1", "price": 1250000, "priceCurrency": "IRT", "stock": 3}]},
			{"slug": "آچار", "titleFa": "آچار", "publishedAt": "2026-02-01T00:00:00.25Z"}],
		"userProducts": [{"slug": "old-lathe", "titleFa": "تراش", "priceCurrency": "IRT", "condition": ` +
		`"needs_repair",
			"publishedAt": "2026-01-01T00:00:00Z"}],
		"blogs": [{"slug": "news", "type": "news", "titleFa": "خبر", "body": "متن", "publishedAt": ` +
		`"2026-01-01T00:00:00Z"}],
		"portfolios": [{"slug": "bridge", "titleFa": "پل", "body": "متن", "publishedAt": "2026-01-01T00:00:00Z"}],
		"specials": [{"key": "now", "title": "Now", "startsAt": "2026-01-01T00:00:00Z", "variants": ["D-1"]}],
		"comments": [{"entityType": "product", "entity": "drill", "authorName": "Sara", "text": "Good", ` +
		`"createdAt": "2026-03-01T00:00:00Z"}],
		"expertReviews": [{"product": "drill", "authorName": "Sara", "rate": 9, "positivePoints": [], ` +
		`"negativePoints": [],
			"text": "Good", "createdAt": "2026-03-01T00:00:00Z"}]}`
	unicodeShop = `{"format": "storefront-bundle/1",
		"tenant": {"domain": "xn--mgbtj4c7ad63e.example", "slug": "persian", "name": "Persian", "nameFa": ` +
		`"فروشگاه", "defaultLocale": "fa"}}`
)

// longText makes an answer long enough for gzip.
const longText = "A drill for wood, stone and steel, with two speeds, a case and a year of warranty. A " +
	"drill for wood, stone and " +
	"steel, with two speeds, a case and a year of warranty. A drill for wood, stone and steel, " +
	"with two speeds, a case and a year " +
	"of warranty. A drill for wood, stone and steel, with two speeds, a case and a year of warranty. A drill " +
	"for wood, stone and " +
	"steel, with two speeds, a case and a year of warranty. A drill for wood, stone and steel, " +
	"with two speeds, a case and a year."

// shopPath is where the first shop's routes begin.
const shopPath = "/tenants/shop.example"

// eachWire runs f with these shops on SQLite and on PostgreSQL.
func eachWire(t *testing.T, f func(t *testing.T, p *place)) { on(t, wireShops, f) }

// idOf reads the member id of what a path answers, or that of the object in its member named by inside.
func idOf(t testing.TB, p *place, path string, inside ...string) string {
	t.Helper()
	var at any
	if err := json.Unmarshal(p.get(t, path).body, &at); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(inside, "id") {
		members, ok := at.(map[string]any)
		if !ok {
			t.Fatalf("%s has no %s", path, name)
		}
		at = members[name]
	}
	id, ok := at.(string)
	if !ok {
		t.Fatalf("%s has no id", path)
	}
	return id
}
