package demo_test

import (
	"testing"
)

func TestCounts(t *testing.T) {
	want := []map[string]int{
		sanat: {
			"categories product": 40, "categories blog": 5, "categories portfolio": 3, "brands": 25, "products": 250,
			"variants": 400,
			"listings": 300, "listings published": 220, "listings pending": 40, "listings rejected": 20,
			"listings archived": 20,
			"listings promoted": 25, "cities": 60, "countries": 5, "blogs": 30, "portfolios": 12, "sliders": 2,
			"groups": 3, "specials": 2,
			"comments": 400, "comments approved": 300, "comments pending": 70, "comments rejected": 30,
			"reviews": 80, "reviews approved": 60, "reviews pending": 14, "reviews rejected": 6, "depth": 5,
		},
		paperlane: {
			"categories product": 30, "categories blog": 4, "brands": 40, "products": 600, "variants": 2000,
			"blogs": 20, "sliders": 3,
			"groups": 4, "specials": 3, "comments": 1000, "comments approved": 800, "comments pending": 150,
			"comments rejected": 50,
			"reviews":           300, "reviews approved": 240, "reviews pending": 45,
			"reviews rejected": 15, "depth": 2,
		},
		memar: {
			"categories portfolio": 8, "categories blog": 4, "blogs": 10, "portfolios": 24, "sliders": 1,
			"comments": 40, "comments approved": 32, "comments pending": 6, "comments rejected": 2, "depth": 2,
		},
	}
	for i, b := range shops(t) {
		got := count(b)
		for what, n := range want[i] {
			if got[what] != n {
				t.Errorf("%s: %d %s, want %d", b.Tenant.Domain, got[what], what, n)
			}
		}
		for what, n := range got {
			if _, known := want[i][what]; !known && n > 0 {
				t.Errorf("%s: %d %s, want none", b.Tenant.Domain, n, what)
			}
		}
	}
}

func count(b Bundle) map[string]int {
	n := map[string]int{
		"brands": len(b.Brands), "products": len(b.Products), "listings": len(b.UserProducts),
		"blogs":      len(b.Blogs),
		"portfolios": len(b.Portfolios), "sliders": len(b.Sliders), "groups": len(b.CategoryGroups) +
			len(b.BrandGroups),
		"specials": len(b.Specials), "comments": len(b.Comments), "reviews": len(b.ExpertReviews),
	}
	depth := map[string]int{}
	for _, c := range b.Categories {
		n["categories "+c.EntityType]++
		depth[c.EntityType+c.Slug] = 1 + depth[c.EntityType+c.ParentSlug]
		n["depth"] = max(n["depth"], depth[c.EntityType+c.Slug])
	}
	for _, p := range b.Products {
		n["variants"] += len(p.Variants)
	}
	cities, countries := map[string]bool{"": true}, map[string]bool{"": true}
	for _, u := range b.UserProducts {
		n["listings "+u.Status]++
		if u.Promoted {
			n["listings promoted"]++
		}
		cities[u.City], countries[u.Country] = true, true
	}
	n["cities"], n["countries"] = len(cities)-1, len(countries)-1
	for _, c := range b.Comments {
		n["comments "+c.Status]++
	}
	for _, r := range b.ExpertReviews {
		n["reviews "+r.Status]++
	}
	return n
}
