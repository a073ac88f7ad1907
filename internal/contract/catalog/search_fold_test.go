package catalog_test

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

// spelled is a text and its forms by contract 5.1.
type spelled struct{ id, text, fold, compact string }

// foldPairs returns the pairs that contract 5.1 promises, and some titles that are searched for.
func foldPairs() []spelled {
	file, err := os.Open("../../locale/search/testdata/persian_fold_pairs.csv")
	if err != nil {
		panic(err) // the tests run in their folder
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		panic(err)
	}
	pairs := []spelled{
		{"library", "کتاب\u200cخانه ملی", "کتابخانه ملی", "کتابخانهملی"},
		{"cnc-mill", "دستگاه فرز سی\u200cان\u200cسی",
			"دستگاه فرز سیانسی", "دستگاهفرزسیانسی"},
		{"screw", "پیچ ۱۲", "پیچ 12", "پیچ12"},
		{"juicer", "آب میوه گیری", "اب میوه گیری", "ابمیوهگیری"},
		{"percent", "100%_off\\", "100 off", "100off"},
	}
	for _, line := range lines[1:] {
		text, err := strconv.Unquote(`"` + line[1] + `"`)
		if err != nil {
			panic(err)
		}
		pairs = append(pairs, spelled{id: line[0], text: text, fold: line[2], compact: line[3]})
	}
	return pairs
}

// searchShops holds two shops with the same records, of each kind that is searched. In the first the texts
// stand in the titles, in the second in what else is searched: the English title, the description of a
// listing, the SKU.
var searchShops = storetest.NewTemplate(shoptest.Importing(func() []bundle.Opener {
	return []bundle.Opener{bundle.Bytes(searchShop("titles.example", true)),
		bundle.Bytes(searchShop("others.example", false))}
}))

func searchShop(domain string, inTitle bool) []byte {
	type object = map[string]any
	var products, listings, blogs, portfolios []object
	for i, s := range foldPairs() {
		text := strings.ReplaceAll(s.text, "\t", " ") // no title has a tab
		texts := object{"slug": s.id, "titleFa": "ژ", "titleEn": text}
		listing := object{"slug": s.id, "titleFa": "ژ", "description": text, "priceCurrency": "IRT",
			"condition": "new"}
		// in letters no text has
		number := " " + strings.NewReplacer("0", "ث", "1", "ض").Replace(strconv.FormatInt(int64(i), 2))
		sku := text + number
		if inTitle {
			texts = object{"slug": s.id, "titleFa": text}
			listing = object{"slug": s.id, "titleFa": text, "priceCurrency": "IRT", "condition": "new"}
			sku = number
		}
		texts["publishedAt"], listing["publishedAt"] = "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"
		with := func(more object) object {
			for name, value := range texts {
				more[name] = value
			}
			return more
		}
		product := with(object{"variants": []object{{"sku": sku, "price": 1, "priceCurrency": "IRT"}}})
		if !inTitle {
			delete(product, "titleEn") // the SKU holds it
		}
		products, listings = append(products, product), append(listings, listing)
		blogs = append(blogs, with(object{"type": "blog", "body": "ژ"}))
		portfolios = append(portfolios, with(object{"body": "ژ"}))
	}
	text, err := json.Marshal(object{
		"format": "storefront-bundle/1",
		"tenant": object{"domain": domain, "slug": strings.ReplaceAll(domain, ".", "-"), "name": domain,
			"nameFa": domain, "defaultLocale": "fa"},
		"products": products, "userProducts": listings, "blogs": blogs, "portfolios": portfolios,
	})
	if err != nil {
		panic(err)
	}
	return text
}

// hits returns the slugs that a list answers, sorted.
func hits(t testing.TB, p *shoptest.Place, path, query string) []string {
	t.Helper()
	var list struct {
		Items []struct{ Slug, ProductSlug string }
		Total int
	}
	got := p.Get(t, path+url.QueryEscape(query)+"&pageSize=100")
	if err := json.Unmarshal(got.Body, &list); err != nil || got.Status != 200 || list.Total != len(list.Items) {
		t.Fatalf("%s%s: %d %.300s", path, query, got.Status, got.Body)
	}
	slugs := []string{}
	for _, item := range list.Items {
		slugs = append(slugs, item.Slug+item.ProductSlug)
	}
	slices.Sort(slugs)
	return slugs
}

// TestFoldPairsAreFound searches every list for every text, as typed and in its folded forms. It must find
// exactly the records whose compact form contains every piece of the folded query.
func TestFoldPairsAreFound(t *testing.T) {
	pairs := foldPairs()
	lists := []string{
		"titles.example/products?name=", "titles.example/user-products?q=", "titles.example/user-products?name=",
		"titles.example/store-items?name=",
		"titles.example/blogs?title=", "titles.example/portfolios?title=",
		"others.example/user-products?q=", "others.example/user-products?name=", "others.example/store-items?name=",
		"others.example/blogs?title=",
		"others.example/portfolios?title=",
	}
	shoptest.EachCopy(t, searchShops, func(t *testing.T, p *shoptest.Place) {
		for _, asked := range pairs {
			var want []string
			for _, s := range pairs {
				if !slices.ContainsFunc(strings.Split(asked.fold, " "), func(piece string) bool {
					return !strings.Contains(s.compact, piece)
				}) {
					want = append(want, s.id)
				}
			}
			slices.Sort(want)
			if !slices.Contains(want, asked.id) {
				t.Fatalf("%s does not find itself", asked.id)
			}
			for _, list := range lists {
				for _, query := range []string{asked.text, asked.fold} {
					if got := hits(t, p, "/tenants/"+list, query); !slices.Equal(got, want) {
						t.Errorf("%s%+q finds %q, want %q", list, query, got, want)
					}
				}
			}
		}
		// A product's list does not look at SKUs.
		if got := hits(t, p, "/tenants/others.example/products?name=", "کتاب"); len(got) != 0 {
			t.Errorf("found by SKU: got %q", got)
		}
	})
}

// TestSearchMatches searches as contract 5.2 says.
func TestSearchMatches(t *testing.T) {
	shoptest.EachCopy(t, searchShops, func(t *testing.T, p *shoptest.Place) {
		for query, found := range map[string]map[string]bool{
			"کتابخانه":                   {"library": true, "zwnj-word": true, "presentation-forms": false},
			"کتاب خانه":                  {"library": true, "zwnj-word": true, "presentation-forms": false},
			"کتاب\u200cخانه":             {"library": true, "zwnj-word": true, "presentation-forms": false},
			"سی ان سی":                   {"cnc-mill": true, "library": false},
			"فرز دستگاه":                 {"cnc-mill": true, "spaces-and-case": false},
			"فرزدستگاه":                  {"cnc-mill": false},
			"12":                         {"screw": true, "persian-digits": true, "decimal-dot": false},
			"١٢":                         {"screw": true},
			"ابمیوه":                     {"juicer": true, "zwnj-compound": true},
			"آب\u200cمیوه\u200cگیری":     {"juicer": true, "zwnj-compound": false},
			"کتاب کتاب کتاب":             {"library": true, "tatweel": true},
			"12500.75":                   {"arabic-separators": true},
			"12,500.75":                  {"arabic-separators": true},
			"2.5":                        {"decimal-dot": true, "slash": false},
			"CAFÉ":                       {"latin-accents": true},
			"ﺑﻮﻟﺪﻭﺯﺭ":                    {"guillemets-hyphen": true},
			strings.Repeat("کتاب ", 150): {"library": true},
		} {
			for _, list := range []string{"titles.example/products?name=", "titles.example/user-products?q=",
				"others.example/store-items?name="} {
				got := hits(t, p, "/tenants/"+list, query)
				for id, is := range found {
					if slices.Contains(got, id) != is {
						t.Errorf("%s%.40s: got %q, want %s among them: %t", list, query, got, id, is)
					}
				}
			}
		}
		both := "/tenants/others.example/user-products?name=" + url.QueryEscape("فرز") + "&q="
		if got := hits(t, p, both, "دستگاه"); !slices.Equal(got, []string{"cnc-mill"}) {
			t.Errorf("name and q together find %q", got)
		}
		if got := hits(t, p, both, "کتاب"); len(got) != 0 {
			t.Errorf("name and q that no record has both find %q", got)
		}
	})
}

// TestSearchPatterns checks that the characters of LIKE patterns and of SQL mean nothing in a query.
func TestSearchPatterns(t *testing.T) {
	all := len(foldPairs())
	shoptest.EachCopy(t, searchShops, func(t *testing.T, p *shoptest.Place) {
		for query, found := range map[string]int{
			"%": 0, "_": 0, "\\": 0, "%%%": 0, "\\%": 0, "'": 0, `"`: 0, "--": 0, " ": all,
			"\u200c": all, "🛠": 0, "ءـ": 0,
			"100%": 1, "100_off": 1, "100%off": 1, "off\\": 1, "o_f": 1, "c%c": 2, "ک%ب": 6, "cn_": 1, "_nc": 1,
			"c%z": 0, "x' OR '1'='1": 0, "cnc%": 1, "cnc\\": 1,
		} {
			for _, list := range []string{"titles.example/products?name=", "titles.example/portfolios?title=",
				"others.example/store-items?name="} {
				if got := hits(t, p, "/tenants/"+list, query); len(got) != found {
					t.Errorf("%s%q finds %q, want %d", list, query, got, found)
				}
			}
		}
	})
}
