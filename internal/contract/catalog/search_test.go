package catalog_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestSearch looks words up however they are spelled: in Arabic letters, joined, apart or with a ZWNJ, with
// marks, in any digits and letter case, in any order.
func TestSearch(t *testing.T) {
	name, items := shoptest.ToolsPath+"/products?name=", shoptest.ToolsPath+"/store-items?name="
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		holds(t, p, []narrowed{
			{name + "دریل", "drill"},
			{name + "دريل", "drill"},
			{name + "چکشی+دریل", "drill"},
			{name + "دریل\u200cچکشی", "drill"},
			{name + "دُرِیل", "drill"},
			{name + "دِرِیـــل", "drill"},
			{name + "اره\u200cبرقی", "saw"},
			{name + "اره+برقي", "saw"},
			{name + "ارهبرقی", "saw"},
			{name + "آچار", "آچار-کلیدی"},
			{name + "اچار", "آچار-کلیدی"},
			{name + "أچار", "آچار-کلیدی"},
			{name + "۱۲", "آچار-کلیدی"},
			{name + "12", "آچار-کلیدی"},
			{name + "١٢", "آچار-کلیدی"},
			{name + "1200", "آچار-کلیدی"},
			{name + "WRENCH", "آچار-کلیدی"},
			{name + "wrench+کلیدی", "آچار-کلیدی"},
			{name + "ﭼﮑﺶ", "drill mallet hammer"},
			{name + "%25", ""},
			{name + "_", ""},
			{name + "drill%25hammer", "drill"},
			{name + "Drill_Hammer", "drill"},
			{name + "🛠", ""},
			{name + "'+or+1=1", ""},
			{shoptest.MugsPath + "/products?name=cafe", "pen"},
			{shoptest.MugsPath + "/products?name=CAFÉ", "pen"},
			{shoptest.MugsPath + "/products?name=ｃａｆｅ", "pen"},
			{items + "آچار+w1", "W-1"},
			{items + "W-1", "W-1"},
			{shoptest.ToolsPath + "/user-products?q=كاركرده", "lathe"},
			{shoptest.ToolsPath + "/user-products?name=تراش&q=دستگاه", "lathe"},
			{shoptest.ToolsPath + "/blogs?title=روغنکاری", "oil"},
			{shoptest.ToolsPath + "/blogs?title=روغن+كاري", "oil"},
			{shoptest.ToolsPath + "/portfolios?title=خانۀ+ما", "house"},
			{shoptest.ToolsPath + "/portfolios?title=خانه\u200cما", "house"},
		})
	})
}

// TestSearchWithoutLetters searches every list for texts without letters. They find nothing, unlike an
// empty search, which finds everything.
func TestSearchWithoutLetters(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Manager)
		const lists = `query($shop: ID!, $q: String!) {
			tenant(domain: "tools.example") {
				products(name: $q) { total items { slug } }
				sorted: products(name: $q, sort: relevance) { total items { slug } }
				connected: productsConnection(first: 1, name: $q) { totalCount edges { cursor } }
				counted: products(name: $q) { facets { brands { count } } }
				storeItems(name: $q) { total items { sku } } userProducts(name: $q) { total items { slug } }
				q: userProducts(q: $q) { total items { slug } }
				both: userProducts(name: "lathe", q: $q) { total items { slug } }
				blogs(title: $q) { total items { slug } } portfolios(title: $q) { total items { slug } }
				suggestions(prefix: $q) { products { slug } categories { slug } brands { slug } }
			}
			staffVariantsConnection(businessId: $shop, name: $q) { totalCount nodes { sku } }
			staffProducts: staffRecordsConnection(businessId: $shop, kind: product, name: $q) {
				totalCount nodes { slug } }
			staffListings: staffRecordsConnection(businessId: $shop, kind: userProduct, name: $q) {
				totalCount nodes { slug } }
			staffBlogs: staffRecordsConnection(businessId: $shop, kind: blog, name: $q) { totalCount nodes { slug } }
			staffPortfolios: staffRecordsConnection(businessId: $shop, kind: portfolio, name: $q) {
				totalCount nodes { slug } } }`
		for _, q := range []string{"!!!", "🛠", "« »", "%", "_", "-", "۔ \u0640", "\u0301"} {
			var got map[string]json.RawMessage
			w.Do(t, lists, map[string]any{"shop": c.Tools, "q": q}, &got)
			text := string(shoptest.Must(json.Marshal(got))(t))
			if strings.Count(text, `"total":0`) != 8 || strings.Contains(text, `"slug"`) ||
				strings.Contains(text, `"sku"`) ||
				strings.Contains(text, `"cursor"`) || strings.Count(text, `"totalCount":0`) != 6 ||
				!strings.Contains(text, `"brands":[]}},"storeItems"`) {
				t.Errorf("%q finds %s", q, text)
			}
		}
		for _, q := range []string{" ", "\u200c", "\n\t"} { // which count as empty
			var got struct {
				Tenant struct {
					Products, StoreItems, UserProducts, Blogs, Portfolios struct{ Total int }
				}
				StaffVariantsConnection, StaffProducts struct{ TotalCount int }
			}
			w.Do(t, lists, map[string]any{"shop": c.Tools, "q": q}, &got)
			if of := got.Tenant; of.Products.Total != 7 || of.StoreItems.Total == 0 ||
				of.UserProducts.Total != 5 || of.Blogs.Total != 3 ||
				of.Portfolios.Total != 2 || got.StaffVariantsConnection.TotalCount == 0 ||
				got.StaffProducts.TotalCount < 7 {
				t.Errorf("%q finds %+v", q, got)
			}
		}
	})
}

// TestSearchForManyWords searches for as many words as the parameters hold: SQLite bounds how deep an
// expression is nested.
func TestSearchForManyWords(t *testing.T) {
	words := func(first rune) string { // 500 different words of one letter each
		var text []string
		for i := range rune(500) {
			text = append(text, string(first+i))
		}
		return url.QueryEscape(strings.Join(text, " "))
	}
	name, q := words('一'), words('倀')
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		holds(t, p, []narrowed{
			{shoptest.ToolsPath + "/user-products?name=" + name + "&q=" + q, ""},
			{shoptest.ToolsPath + "/products?name=" + name, ""},
			{shoptest.ToolsPath + "/store-items?name=" + name, ""},
			{shoptest.ToolsPath + "/blogs?title=" + name, ""},
			{shoptest.ToolsPath + "/portfolios?title=" + name, ""},
		})
	})
}

// TestStaffFindVariants finds variants by words of their product's titles, by SKU, and by a list of SKUs, also those of
// a draft.
func TestStaffFindVariants(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Editor)
		w.Do(t, `mutation($shop: ID!) { createProduct(businessId: $shop, slug: "plane", input: {
			titleFa: "رندهٔ نجاری", titleEn: "Wood plane", status: draft,
			variants: [{sku: "PL-7", priceCurrency: "USD"},
			{sku: "PL-8", priceCurrency: "USD"}]}) { version } }`, map[string]any{"shop": c.Tools}, nil)
		for _, one := range []struct {
			find string
			want []string
		}{
			{`name: "wood"`, []string{"PL-7", "PL-8"}},
			{`name: "رنده"`, []string{"PL-7", "PL-8"}},
			{`name: "plane pl-8"`, []string{"PL-8"}},
			{`name: "L-7"`, []string{"PL-7"}},
			{`name: "آچار"`, []string{"W-1"}},
			{`skus: ["PL-8", "none", "W-1"]`, []string{"PL-8", "W-1"}},
			{`skus: []`, nil},
			{`name: "wood", skus: ["PL-8", "W-1"]`, []string{"PL-8"}},
		} {
			var got struct {
				StaffVariantsConnection struct{ Nodes []struct{ Sku string } }
			}
			w.Do(t, `query($shop: ID!) { staffVariantsConnection(businessId: $shop, `+one.find+`) { nodes { sku } } }`,
				map[string]any{"shop": c.Tools}, &got)
			var skus []string
			for _, found := range got.StaffVariantsConnection.Nodes {
				skus = append(skus, found.Sku)
			}
			slices.Sort(skus)
			if !slices.Equal(skus, one.want) {
				t.Errorf("by %s: got %q, want %q", one.find, skus, one.want)
			}
		}
	})
}
