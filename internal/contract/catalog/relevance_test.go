package catalog_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestRelevance sorts the results of a search by relevance.
func TestRelevance(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		var products []string
		for i, title := range []string{
			"جعبه سبز", "سبز جعبه", "جعبه بزرگ سبز", "جعبه سبز بزرگ",
			"سبد جعبه سبز", "جعبه\u200cسبز نو", "کوچک",
		} {
			products = append(products,
				fmt.Sprintf(`{"slug": "box-%[1]d", "titleFa": %[2]q, "titleEn": "Green box %[1]d", `+
					`"tags": ["boxes"], `+
					`"publishedAt": "2026-04-0%[3]dT05:05:05Z", "variants": [{"sku": "BOX-%[1]d", `+
					`"price": %[1]d, "priceCurrency": "IRR"}]}`,
					i, title, 1+i))
		}
		for i, english := range []string{"Red boxes", "Dark red boxes", "Boxes, in red", "Re-d Boxes"} {
			products = append(products,
				fmt.Sprintf(`{"slug": "red-%[1]d", "titleFa": "صندوق %[1]d", "titleEn": %[2]q, `+
					`"publishedAt": "2026-05-0%[3]dT05:05:05Z", `+
					`"variants": [{"sku": "RED-%[1]d", "price": %[1]d, "priceCurrency": "IRR"}]}`, i, english, 1+i))
		}
		p.Changed(t, strings.Join(products, ","))
		for _, c := range []struct{ list, name, arguments, want string }{
			{list: "products", name: "slug", arguments: `name: "جعبه سبز", tag: "boxes", sort: relevance`,
				want: "box-5 box-3 box-0 box-4 box-2 box-1"},
			{list: "products", name: "slug",
				arguments: `name: "سبز جعبه", tags: ["boxes", "more"], sort: relevance`,
				want:      "box-1 box-5 box-4 box-3 box-2 box-0"},
			{list: "products", name: "slug", arguments: `name: "green box 3", tag: "boxes", sort: relevance`,
				want: "box-3"},
			{list: "products", name: "slug", arguments: `name: "GREEN", tag: "boxes", sort: relevance`,
				want: "box-6 box-5 box-4 box-3 box-2 box-1 box-0"},
			{list: "products", name: "slug", arguments: `name: " ", tag: "boxes", sort: relevance`,
				want: "box-6 box-5 box-4 box-3 box-2 box-1 box-0"},
			{list: "products", name: "slug", arguments: `tag: "boxes", sort: relevance`,
				want: "box-6 box-5 box-4 box-3 box-2 box-1 box-0"},
			{list: "storeItems", name: "sku", arguments: `name: "جعبه سبز", sort: relevance`,
				want: "BOX-5 BOX-3 BOX-0 BOX-4 BOX-2 BOX-1"},
			// the beginning of either title counts
			{list: "products", name: "slug", arguments: `name: "Red box", sort: relevance`,
				want: "red-3 red-0 red-1 red-2"},
			{list: "storeItems", name: "sku", arguments: `name: "redbox", sort: relevance`, want: "RED-3 RED-0 RED-1"},
			{list: "storeItems", name: "sku", arguments: `name: "red", sort: relevance`,
				want: "RED-3 RED-2 RED-1 RED-0"}, // and that of the SKU
		} {
			if got := strings.Join(slugs(t, p, shoptest.MachineShop, c.list, c.name, c.arguments),
				" "); got != c.want {
				t.Errorf("%s(%s) gives %q, want %q", c.list, c.arguments, got, c.want)
			}
		}
		// pages and spans of every size agree
		list := walked{domain: shoptest.MachineShop, page: "products", connection: "productsConnection",
			arguments: `name: "سبز", tag: "boxes", sort: relevance`}
		all := ids(t, p, list)
		for size := 1; size < 4; size++ {
			var forward, backward []string
			for after := ""; ; {
				part := readConnection(t, p, list, fmt.Sprintf("first: %d %s", size, after))
				for _, n := range part.Nodes {
					forward = append(forward, n.ID)
				}
				if !part.PageInfo.HasNextPage {
					break
				}
				after = fmt.Sprintf("after: %q", *part.PageInfo.EndCursor)
			}
			for before := ""; ; {
				part := readConnection(t, p, list, fmt.Sprintf("last: %d %s", size, before))
				for i := range part.Nodes {
					backward = append(backward, part.Nodes[len(part.Nodes)-1-i].ID)
				}
				if !part.PageInfo.HasPreviousPage {
					break
				}
				before = fmt.Sprintf("before: %q", *part.PageInfo.StartCursor)
			}
			slices.Reverse(backward)
			if !slices.Equal(forward, all) || !slices.Equal(backward, all) {
				t.Errorf("by %d: %v and %v, want %v", size, forward, backward, all)
			}
		}
		other := walked{domain: shoptest.MachineShop, page: "products", connection: "productsConnection"}
		cursor := *readConnection(t, p, list, "first: 1").PageInfo.EndCursor
		shoptest.WantGraphQL(t, p.Ask(t, shoptest.About(shoptest.MachineShop,
			fmt.Sprintf("%s(after: %q) { nodes { id } }", other.connection, cursor))), 200,
			"VALIDATION_FAILED", "after")
	})
}

// TestProductsHaveSKUs finds products by the SKUs of their variants on sale.
func TestProductsHaveSKUs(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		const variant = `"price": 5, "priceCurrency": "IRR"`
		coded := func(sku string) string {
			return `{"slug": "coded", "titleFa": "پولی", "publishedAt": "2026-04-01T05:05:05Z", "brand": "mazak",
				"variants": [{"sku": "` + sku + `", ` + variant + `},
					{"sku": "QZ-13", "onSale": false, ` + variant + `}]}`
		}
		p.Changed(t, coded("QZ-12/x")+`,
			{"slug": "titled-1", "titleFa": "تسمه", "titleEn": "Belt for QZ-12/X",
				"publishedAt": "2026-04-02T05:05:05Z"},
			{"slug": "titled-2", "titleFa": "تسمهٔ نو", "titleEn": "QZ-12/X, belt",
				"publishedAt": "2026-04-03T05:05:05Z"},
			{"slug": "draft", "titleFa": "طرح", "status": "draft", "variants": [{"sku": "QZ-14", `+variant+`}]},
			{"slug": "later", "titleFa": "بعد", "publishedAt": "2099-04-03T05:05:05Z",
				"variants": [{"sku": "QZ-15", `+variant+`}]}`)
		list := walked{domain: shoptest.MachineShop, page: "products", connection: "productsConnection"}
		for _, c := range []struct{ name, newest, relevance, suggested string }{
			{"QZ-12/x", "titled-2 titled-1 coded", "coded titled-2 titled-1", "coded titled-2 titled-1"},
			{"q ۱z", "", "", ""},
			{"qz۱۲X", "titled-2 titled-1 coded", "coded titled-2 titled-1", "coded titled-2 titled-1"},
			{"qz 12", "titled-2 titled-1", "titled-2 titled-1", "titled-2 titled-1"}, // a part of a SKU is none
			{"QZ-13", "", "", ""}, // off sale
			{"QZ-14", "", "", ""},
			{"QZ-15", "", "", ""},
		} {
			argument := fmt.Sprintf("name: %q", c.name)
			for sort, want := range map[string]string{"": c.newest, ", sort: relevance": c.relevance} {
				list.arguments = argument + sort
				if got := strings.Join(slugs(t, p, list.domain, list.page, "slug", list.arguments), " "); got != want {
					t.Errorf("products(%s) gives %q, want %q", list.arguments, got, want)
				}
				for _, backward := range []bool{false, true} {
					if got := walk(t, p, list, 1, backward, func() {}); !slices.Equal(got, ids(t, p, list)) {
						t.Errorf("products(%s) one by one: got %q, want %q", list.arguments, got, ids(t, p, list))
					}
				}
			}
			holds(t, p, []narrowed{{"/tenants/" + list.domain + "/products?name=" + url.QueryEscape(c.name), c.newest}})
			var got struct {
				Data struct {
					Tenant struct {
						Suggestions struct{ Products []struct{ Slug string } }
						Products    struct {
							Facets struct{ Brands []struct{ Count int } }
						}
					}
				}
			}
			p.Graph(t, shoptest.About(list.domain, fmt.Sprintf(`suggestions(prefix: %q) { products { slug } }
				products(%s, brands: "mazak") { facets { brands { count } } }`, c.name, argument)), &got)
			var suggested []string
			for _, one := range got.Data.Tenant.Suggestions.Products {
				suggested = append(suggested, one.Slug)
			}
			if got := strings.Join(suggested, " "); got != c.suggested {
				t.Errorf("%s suggests %q, want %q", c.name, got, c.suggested)
			}
			counted := len(got.Data.Tenant.Products.Facets.Brands) == 1
			if want := strings.Contains(c.newest, "coded"); counted != want {
				t.Errorf("%s: got a brand %v, want %v", c.name, counted, want)
			}
		}
		p.Changed(t, coded("QZ-16")) // what was counted is counted again
		if got := slugs(t, p, list.domain, list.page, "slug", `name: "qz16"`); !slices.Equal(got, []string{"coded"}) {
			t.Errorf("a new SKU finds %q", got)
		}
	})
}

// TestSuggestions types names and titles letter by letter.
func TestSuggestions(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		p.Changed(t, `{"slug": "box-1", "titleFa": "ژاله ۱۲", "titleEn": "Dewdrop", `+
			`"publishedAt": "2026-04-01T05:05:05Z"}, `+
			`{"slug": "box-2", "titleFa": "ژالهٔ کوچک", "titleEn": "Little dewdrop", `+
			`"publishedAt": "2026-04-02T05:05:05Z"}, `+
			`{"slug": "box-3", "titleFa": "دستهٔ ژاله", "publishedAt": "2026-04-03T05:05:05Z"}, `+
			`{"slug": "box-4", "titleFa": "ژاله پنهان", "publishedAt": "2099-04-03T05:05:05Z"}, `+
			`{"slug": "box-5", "titleFa": "ژاله طرح", "status": "draft"}`)
		for _, c := range []struct{ arguments, want string }{
			{`prefix: "ژاله"`, "box-1 box-2 box-3  "},
			{`prefix: "ژ ا"`, "box-1 box-2 box-3  "},
			{`prefix: "ژاله", first: 2`, "box-1 box-2  "},
			{`prefix: "ژاله 1"`, "box-1  "},
			{`prefix: "dewd"`, "box-1 box-2  "},
			{`prefix: "dewd", first: 1`, "box-1  "},
			{`prefix: ""`, "  "},
			{`prefix: " ٪ "`, "  "},
			{`prefix: "no such thing"`, "  "},
			{`prefix: "maz"`, "*  mazak"},
			{`prefix: "millin", first: 1`, "* manual-milling "},
		} {
			var got struct {
				Data struct {
					Tenant struct {
						Suggestions struct{ Products, Categories, Brands []struct{ Slug string } }
					}
				}
			}
			p.Graph(t, shoptest.About(shoptest.MachineShop, "suggestions("+c.arguments+
				") { products { slug } categories { slug } brands { slug } }"), &got)
			text := ""
			if c.want[0] == '*' {
				got.Data.Tenant.Suggestions.Products, text = nil, "*"
			}
			for i, list := range [][]struct{ Slug string }{got.Data.Tenant.Suggestions.Products,
				got.Data.Tenant.Suggestions.Categories, got.Data.Tenant.Suggestions.Brands} {
				var slugs []string
				for _, one := range list {
					slugs = append(slugs, one.Slug)
				}
				if i > 0 {
					text += " "
				}
				text += strings.Join(slugs, " ")
			}
			if text != c.want {
				t.Errorf("%s gives %q, want %q", c.arguments, text, c.want)
			}
		}
		tooMany := p.Ask(t, shoptest.About(shoptest.MachineShop,
			`suggestions(prefix: "a", first: 21) { brands { id } }`))
		shoptest.WantGraphQL(t, tooMany, 200, "VALIDATION_FAILED", "first")
	})
}
