package demo_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

var monthAgo = time.Date(2026, 9, 30, 18, 0, 0, 0, time.UTC)

// TestAwkwardRows checks that the shops have the rows that break naive code (domain 6.1).
func TestAwkwardRows(t *testing.T) {
	all := shops(t)
	a, b := all[sanat], all[paperlane]
	product := func(is func(Product) bool) bool { return slices.ContainsFunc(a.Products, is) }
	variant := func(is func(Variant) bool) bool {
		return product(func(p Product) bool { return slices.ContainsFunc(p.Variants, is) })
	}
	listing := func(is func(UserProduct) bool) bool { return slices.ContainsFunc(a.UserProducts, is) }
	comment := func(holds string) bool {
		return slices.ContainsFunc(a.Comments, func(c Comment) bool {
			return c.Status == "approved" && strings.Contains(c.Text, holds)
		})
	}
	for what, found := range map[string]bool{
		"title with ZWNJ": product(func(p Product) bool { return strings.Contains(p.TitleFa, "\u200c") }),
		"title with Arabic ye, kaf": product(func(p Product) bool {
			return strings.Contains(p.TitleFa, "ي") && strings.Contains(p.TitleFa, "ك")
		}),
		"slug with Persian letters": product(func(p Product) bool {
			return strings.ContainsFunc(p.Slug,
				persian)
		}),
		"product slug of both shops": product(func(p Product) bool {
			return slices.ContainsFunc(b.Products, func(q Product) bool { return q.Slug == p.Slug })
		}),
		"price 0":    variant(func(v Variant) bool { return v.Price == "0" }),
		"price 1e15": variant(func(v Variant) bool { return v.Price == "1000000000000000" }),
		"stock 0":    variant(func(v Variant) bool { return v.Stock == 0 && v.OnSale }),
		"off sale":   variant(func(v Variant) bool { return !v.OnSale }),
		"archived product with variants": product(func(p Product) bool {
			return p.Status == "archived" &&
				len(p.Variants) > 1
		}),
		"draft product": product(func(p Product) bool { return p.Status == "draft" }),
		"product without variants": product(func(p Product) bool {
			return p.Status == "published" &&
				len(p.Variants) == 0
		}),
		"product without category and brand": product(func(p Product) bool {
			return p.TitleEn != "" && p.Category == "" && p.Brand == ""
		}),
		"product with nulls": product(func(p Product) bool {
			return p.TitleEn+p.Summary+p.Description+p.Category+p.Brand == "" && p.Images == nil && p.Values == nil &&
				p.Tags == nil
		}),
		"scheduled product": product(func(p Product) bool {
			return p.Status == "published" &&
				p.PublishedAt.Year() == 2099
		}),
		"scheduled blog": slices.ContainsFunc(a.Blogs,
			func(p Blog) bool { return p.PublishedAt.Year() == 2099 }),
		"listing without a price": listing(func(u UserProduct) bool {
			return u.Price == "" && u.PriceCurrency != "" && u.Status == "published"
		}),
		"listing in the city Tehran": listing(func(u UserProduct) bool {
			return u.City == "tehran" &&
				u.Province == "" && u.Country == ""
		}),
		"listing in the province": listing(func(u UserProduct) bool {
			return u.City == "" &&
				u.Province == "tehran"
		}),
		"listing that ran out yesterday": listing(func(u UserProduct) bool {
			return u.Status == "archived" && u.PublishedAt.Equal(monthAgo) &&
				strings.Contains(u.TechnicalNotes, "پایان یافت")
		}),
		"comment with HTML":          comment("<script>"),
		"comment with bidi override": comment("\u202E"),
		"comment outside the BMP":    comment("👍🏽"),
		"text outside the BMP": product(func(p Product) bool {
			return strings.ContainsFunc(p.Description, func(r rune) bool { return r > 0xFFFF })
		}),
		"brand without products": slices.ContainsFunc(a.Brands, func(x Brand) bool {
			return !product(func(p Product) bool { return p.Brand == x.Slug })
		}),
		"root category without children": slices.ContainsFunc(a.Categories, func(c Category) bool {
			return c.EntityType == "product" && c.ParentSlug == "" && !slices.ContainsFunc(a.Categories,
				func(d Category) bool {
					return d.ParentSlug == c.Slug
				})
		}),
		"special with a variant of an archived product": slices.Contains(a.Specials[0].Variants, "SM-OLD-1"),
		"listings in every condition":                   conditions(a.UserProducts) == 4,
	} {
		if !found {
			t.Errorf("no %s", what)
		}
	}
}

// TestTies checks that some records are published in the same second, and most are not.
func TestTies(t *testing.T) {
	for _, b := range shops(t)[:memar] {
		seen, ties := map[time.Time]bool{}, 0
		for _, p := range b.Products {
			if seen[p.PublishedAt] {
				ties++
			}
			seen[p.PublishedAt] = true
		}
		if ties < 5 || ties > len(b.Products)/4 {
			t.Errorf("%s: %d of %d products tie", b.Tenant.Domain, ties, len(b.Products))
		}
	}
}

func TestSpecialsAreActiveForYears(t *testing.T) {
	for _, b := range shops(t) {
		expired := 0
		for _, s := range b.Specials {
			switch {
			case !s.EndsAt.IsZero() && s.EndsAt.Before(end):
				expired++
			case s.StartsAt.After(end) || !s.EndsAt.IsZero() && s.EndsAt.Year() < 2040:
				t.Errorf("%s: special %s from %v to %v", b.Tenant.Domain, s.Key, s.StartsAt, s.EndsAt)
			}
		}
		if want := map[string]int{"sanat-mashin": 1}[b.Tenant.Slug]; expired != want {
			t.Errorf("%s: %d expired specials, want %d", b.Tenant.Domain, expired, want)
		}
	}
}

func persian(r rune) bool { return unicode.Is(unicode.Arabic, r) }

func conditions(list []UserProduct) int {
	seen := map[string]bool{}
	for _, u := range list {
		seen[u.Condition] = u.Status == "published" || seen[u.Condition]
	}
	return len(seen)
}
