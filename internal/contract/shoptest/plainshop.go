package shoptest

import (
	"storefront/internal/content/bundle"
	"storefront/internal/database/store/storetest"
)

// ContactPath is the route of contact submissions, from the root of the server.
const ContactPath = "/api/v1" + ShopPath + "/contact-submissions"

// ContactForm is a valid body of POST contact-submissions.
const ContactForm = `{"title": "Question", "name": "Sara", "text": "How much?"}`

// WireShops holds two shops for the wire rules: one with a record of each kind, and one whose domain has a
// Unicode form.
var WireShops = storetest.NewTemplate(Importing(func() []bundle.Opener {
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

// ShopPath is the prefix of the first shop's routes.
const ShopPath = "/tenants/shop.example"
