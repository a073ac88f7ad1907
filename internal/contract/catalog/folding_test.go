package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// folded imports products into the first demo shop: slug, Farsi title, English title and tag of each.
func folded(t *testing.T, p *shoptest.Place, products ...[4]string) {
	t.Helper()
	var all []string
	for _, one := range products {
		english := ""
		if one[2] != "" {
			english = fmt.Sprintf(`"titleEn": %q, `, one[2])
		}
		tags := `"folded"`
		if one[3] != "" {
			tags += fmt.Sprintf(", %q", one[3])
		}
		all = append(all,
			fmt.Sprintf(`{"slug": %q, "titleFa": %q, %s"tags": [%s], "publishedAt": "2026-05-05T05:05:05Z",
			"variants": [{"sku": %q, "price": 5, "priceCurrency": "IRT"}]}`, one[0], one[1],
				english, tags, "SKU-"+one[0]))
	}
	p.Changed(t, strings.Join(all, ","))
}

// TestShorterTitlesComeFirst sorts titles that begin alike, with English ones behind them.
func TestShorterTitlesComeFirst(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		folded(t, p, [4]string{"curtain-12", "پرده ۱۲", "Curtain 12"},
			[4]string{"curtain", "پرده", "Curtain"},
			[4]string{"blue", "پردهٔ آبی", "Blue curtain"}, [4]string{"bare", "پرده", ""},
			[4]string{"curtain-1", "پرده ۱", "Z"}, [4]string{"old", "پارچه", "Cloth"}, [4]string{"foreign",
				"ب中", "A"})
		const want = "foreign old bare curtain curtain-1 curtain-12 blue"
		if got := strings.Join(slugs(t, p, shoptest.MachineShop, "products", "slug",
			`tag: "folded", sort: title`), " "); got != want {
			t.Errorf("sorted are %s, want %s", got, want)
		}
		forward := ids(t, p, walked{
			domain: shoptest.MachineShop, page: "products", arguments: `tag: "folded", sort: title`,
		})
		for _, backward := range []bool{false, true} {
			w := walked{domain: shoptest.MachineShop, page: "products", connection: "productsConnection",
				arguments: `tag: "folded", sort: title`}
			if got := walk(t, p, w, 2, backward, func() {}); !slices.Equal(got, forward) {
				t.Errorf("backward %v: %v, want %v", backward, got, forward)
			}
		}
	})
}

// suggested returns the slugs of the products that are suggested for a text, at most three.
func suggested(t *testing.T, p *shoptest.Place, prefix string) string {
	t.Helper()
	var got struct {
		Data struct {
			Tenant struct {
				Suggestions struct{ Products []struct{ Slug string } }
			}
		}
	}
	p.Graph(t, shoptest.About(shoptest.MachineShop,
		fmt.Sprintf("suggestions(prefix: %q, first: 3) { products { slug } }", prefix)), &got)
	var slugs []string
	for _, one := range got.Data.Tenant.Suggestions.Products {
		slugs = append(slugs, one.Slug)
	}
	return strings.Join(slugs, " ")
}

// TestSuggestionsOfALetter checks that a letter does not suggest titles that begin with the similar letter
// that only Persian has.
func TestSuggestionsOfALetter(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for i, pair := range []string{"بپ", "جچ", "زژ", "کگ", "وه"} {
			letters := []rune(pair)
			plain, marked := "ظظ"+string(letters[0]), "ظظ"+string(letters[1])
			name := func(kind string) string { return fmt.Sprintf("%s-%d", kind, i) }
			folded(t, p, [4]string{name("plain"), plain + "ا"}, [4]string{name("last"), plain + "中"},
				[4]string{name("marked"), marked + "ا"}, [4]string{name("holds"), "ا" + plain})
			if got, want := suggested(t, p, plain), name("plain")+" "+name("last")+" "+name("holds"); got != want {
				t.Errorf("%c gives %s, want %s", letters[0], got, want)
			}
			if got, want := suggested(t, p, marked), name("marked"); got != want {
				t.Errorf("%c gives %s, want %s", letters[1], got, want)
			}
		}
	})
}

// TestTagsKeepTheirSigns asks for tags that differ by their signs alone.
func TestTagsKeepTheirSigns(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		folded(t, p, [4]string{"sharp", "یک", "", "C#"}, [4]string{"plus", "دو", "", "C++"},
			[4]string{"plain", "سه", "", "C"}, [4]string{"net", "چهار", "", ".NET"}, [4]string{"dash", "پنج",
				"", "ضد-آب"})
		for tag, want := range map[string]string{
			"C#": "sharp", "c#": "sharp", "c++": "plus", "C＋＋": "plus", "c": "plain", ".net": "net", "net": "",
			"ضد آب": "dash", "#": "",
		} {
			for _, argument := range []string{fmt.Sprintf("tag: %q", tag), fmt.Sprintf("tags: [%q]", tag)} {
				if got := strings.Join(slugs(t, p, shoptest.MachineShop, "products", "slug", argument),
					" "); got != want {
					t.Errorf("%s gives %q, want %q", argument, got, want)
				}
			}
		}
		if got := hits(t, p, "/tenants/"+shoptest.MachineShop+"/products?tag=", "C#"); !slices.Equal(got,
			[]string{"sharp"}) {
			t.Errorf("REST gives %v", got)
		}
	})
}

// TestSharpSIsTwo searches for a word with ß in either spelling.
func TestSharpSIsTwo(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		folded(t, p, [4]string{"small", "خیابان", "Straße"}, [4]string{"capital", "خیابان", "STRASSE"},
			[4]string{"both", "خیابان", "Straẞe"})
		for _, query := range []string{"STRASSE", "Straße", "strasse", "STRAẞE", "traß", "TRASS"} {
			for _, list := range []string{"products", "store-items"} {
				got := hits(t, p, "/tenants/"+shoptest.MachineShop+"/"+list+"?name=", query)
				if !slices.Equal(got, []string{"both", "capital", "small"}) {
					t.Errorf("%s of %s: got %v", list, query, got)
				}
			}
		}
	})
}
