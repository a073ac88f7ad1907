package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestSorting sorts the small shops, whose prices, rates and titles all differ.
func TestSorting(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for _, c := range []struct{ shop, list, want string }{
			{"tools.example", "products(sort: newest) { items { name: slug } }",
				"mug drill saw mallet hammer آچار-کلیدی plain"},
			{"tools.example", "products(sort: price_asc) { items { name: slug } }",
				"saw mug drill آچار-کلیدی mallet hammer plain"},
			{"tools.example", "products(sort: price_desc) { items { name: slug } }",
				"آچار-کلیدی drill mug saw mallet hammer plain"},
			{"tools.example", "products(sort: rating) { items { name: slug } }",
				"drill mug saw mallet hammer آچار-کلیدی plain"},
			{"tools.example", "products(sort: title) { items { name: slug } }",
				"آچار-کلیدی saw hammer mallet drill plain mug"},
			{"tools.example", `products(sort: price_desc, categoryId: "<tools:category:product:power>", tag: ` +
				`"برقی") { items { name: slug } }`, "drill saw"},
			{"mugs.example", "products(sort: price_asc) { items { name: slug } }", "mug pen tea drill"},
			{"mugs.example", "products(sort: title) { items { name: slug } }", "tea drill pen mug"},
			{"tools.example", "storeItems(sort: newest) { items { name: sku } }", "MUG-S D-20 D-13 D-10 S-1 M-1 W-1"},
			{"tools.example", "storeItems(sort: price_asc) { items { name: sku } }",
				"S-1 MUG-S D-10 D-13 W-1 D-20 M-1"},
			{"tools.example", "storeItems(sort: price_desc) { items { name: sku } }",
				"W-1 D-13 D-10 MUG-S S-1 D-20 M-1"},
			{"tools.example", "storeItems(sort: discount) { items { name: sku } }",
				"S-1 D-10 MUG-S D-20 D-13 M-1 W-1"},
			{"tools.example", `storeItems(sort: price_desc, categoryId: "<tools:category:product:power>") { ` +
				`items { name: sku } }`, "W-1 D-13 D-10 S-1 D-20"},
			{"mugs.example", "storeItems(sort: price_asc) { items { name: sku } }", "MUG-S PEN-1 TEA-1 MUG-L"},
		} {
			var got struct {
				Data struct {
					Tenant struct {
						List struct{ Items []struct{ Name string } }
					}
				}
			}
			p.Graph(t, shoptest.About(c.shop, "list: "+c.list), &got)
			var names []string
			for _, item := range got.Data.Tenant.List.Items {
				names = append(names, item.Name)
			}
			if strings.Join(names, " ") != c.want {
				t.Errorf("%s: %s gives %q, want %q", c.shop, c.list, strings.Join(names, " "), c.want)
			}
		}
	})
}

// TestTitlesAreSortedAsPersianReadersDo sorts titles that spell the alphabet.
func TestTitlesAreSortedAsPersianReadersDo(t *testing.T) {
	const alphabet = "آبپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی"
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		letters := []rune(alphabet)
		var products, want []string
		for i := range letters {
			products = append(products, fmt.Sprintf(`{"slug": "letter-%d", "titleFa": "%cززز", "category": `+
				`"welding", "publishedAt": "2026-05-05T05:05:05Z", "tags": ["alphabet"]}`, i,
				letters[(i*7)%len(letters)]))
		}
		for i := range letters {
			at := 0
			for (at*7)%len(letters) != i {
				at++
			}
			want = append(want, fmt.Sprintf("letter-%d", at))
		}
		products = append(products, `{"slug": "digit", "titleFa": "۹", "publishedAt": "2026-05-05T05:05:05Z", `+
			`"tags": ["alphabet"]}`, `{"slug": "latin", "titleFa": "Z", "publishedAt": "2026-05-05T05:05:05Z", `+
			`"tags": ["alphabet"]}`)
		want = append([]string{"digit", "latin"}, want...)
		p.Changed(t, strings.Join(products, ","))
		var got struct {
			Data struct {
				Tenant struct {
					Products struct{ Items []struct{ Slug string } }
				}
			}
		}
		p.Graph(t, shoptest.About(shoptest.MachineShop,
			`products(sort: title, tag: "alphabet", pageSize: 100) { items { slug } }`),
			&got)
		var slugs []string
		for _, item := range got.Data.Tenant.Products.Items {
			slugs = append(slugs, item.Slug)
		}
		if strings.Join(slugs, " ") != strings.Join(want, " ") {
			t.Errorf("sorted are %v\nwant %v", slugs, want)
		}
	})
}
