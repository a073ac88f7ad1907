package demo_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"storefront/internal/demo"
)

func TestReferences(t *testing.T) {
	places := locations(t)
	for _, b := range shops(t) {
		t.Run(b.Tenant.Domain, func(t *testing.T) {
			known := names(t, b)
			must := func(where, kind string, slug string) {
				if slug != "" && !known[kind+" "+slug] {
					t.Errorf("%s names %s %q, which is not there", where, kind, slug)
				}
			}
			for _, p := range b.Products {
				must(p.Slug, "product category", p.Category)
				must(p.Slug, "brand", p.Brand)
				checkVariants(t, p)
			}
			for _, u := range b.UserProducts {
				must(u.Slug, "product category", u.Category)
				checkPlace(t, places, u)
			}
			for _, p := range b.Blogs {
				must(p.Slug, "blog category", p.Category)
			}
			for _, p := range b.Portfolios {
				must(p.Slug, "portfolio category", p.Category)
			}
			for _, g := range slices.Concat(b.CategoryGroups, b.BrandGroups) {
				for _, slug := range g.Categories {
					must(g.Key, "product category", slug)
				}
				for _, slug := range g.Brands {
					must(g.Key, "brand", slug)
				}
			}
			for _, s := range b.Specials {
				for _, sku := range s.Variants {
					must(s.Key, "sku", sku)
				}
			}
			for _, c := range b.Comments {
				must("comment", c.EntityType, c.Entity)
			}
			for _, r := range b.ExpertReviews {
				must("review", "product", r.Product)
			}
		})
	}
}

// names returns every natural key of a bundle as "kind key"; a duplicate is an error.
func names(t *testing.T, b Bundle) map[string]bool {
	known := map[string]bool{}
	add := func(kind, key string) {
		if known[kind+" "+key] {
			t.Errorf("%s %q twice", kind, key)
		}
		known[kind+" "+key] = true
	}
	for _, c := range b.Categories {
		if c.ParentSlug != "" && !known[c.EntityType+" category "+c.ParentSlug] {
			t.Errorf("category %s stands before its parent", c.Slug)
		}
		add(c.EntityType+" category", c.Slug)
	}
	for _, brand := range b.Brands {
		add("brand", brand.Slug)
	}
	for _, p := range b.Products {
		add("product", p.Slug)
		for _, v := range p.Variants {
			add("sku", v.SKU)
		}
	}
	for _, u := range b.UserProducts {
		add("listing", u.Slug)
	}
	for _, p := range b.Blogs {
		add("blog", p.Slug)
	}
	for _, p := range b.Portfolios {
		add("portfolio", p.Slug)
	}
	for _, c := range b.Comments {
		add("comment", strings.Join([]string{c.EntityType, c.Entity, c.AuthorName, c.Text, c.CreatedAt.String()},
			"|"))
	}
	for _, r := range b.ExpertReviews {
		add("review", strings.Join([]string{r.Product, r.AuthorName, r.Text, r.CreatedAt.String()}, "|"))
	}
	return known
}

// checkVariants checks that each variant chooses one value of every variation, that no two choose the same,
// and that all have one currency.
func checkVariants(t *testing.T, p Product) {
	seen := map[string]bool{}
	for _, v := range p.Variants {
		if len(v.Options) != len(p.Variations) {
			t.Errorf("%s: got %d options, want %d, one for each variation", v.SKU, len(v.Options), len(p.Variations))
		}
		choice := ""
		for _, variation := range p.Variations {
			key := v.Options[variation.Key]
			if !slices.ContainsFunc(variation.Values, func(value VariationValue) bool { return value.Key == key }) {
				t.Errorf("%s: no %s %q", v.SKU, variation.Key, key)
			}
			choice += key + "|"
		}
		if seen[choice] {
			t.Errorf("%s: another variant has the options %s", v.SKU, choice)
		}
		seen[choice] = true
		if v.PriceCurrency != p.Variants[0].PriceCurrency {
			t.Errorf("%s: a second currency", p.Slug)
		}
	}
}

// locations returns the parent of every location, by "level slug".
func locations(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open("../content/locations/locations.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	parents := map[string]string{}
	for _, row := range rows {
		parents[row[0]+" "+row[1]] = row[2]
	}
	return parents
}

func checkPlace(t *testing.T, parents map[string]string, u UserProduct) {
	for level, slug := range map[string]string{"city": u.City, "province": u.Province,
		"country": u.Country} {
		if _, known := parents[level+" "+slug]; slug != "" && !known {
			t.Errorf("%s: no %s %q", u.Slug, level, slug)
		}
	}
	if u.City != "" && u.Province != "" && parents["city "+u.City] != u.Province {
		t.Errorf("%s: %s is not in %s", u.Slug, u.City, u.Province)
	}
	if u.City+u.Province != "" && u.Country != "" && u.Country != "iran" {
		t.Errorf("%s: an Iranian place in %s", u.Slug, u.Country)
	}
}

// TestPaths checks that the example paths name existing products.
func TestPaths(t *testing.T) {
	for i, b := range shops(t) {
		for _, path := range demo.Bundles()[i].Paths {
			parts := strings.Split(path, "/")
			if parts[1] == "products" && len(parts) > 2 &&
				!slices.ContainsFunc(b.Products, func(p Product) bool { return p.Slug == parts[2] }) {
				t.Errorf("%s: no product for %s", b.Tenant.Domain, path)
			}
		}
	}
}
