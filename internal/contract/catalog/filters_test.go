package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// found is a page of a list: what identifies its records, the total and the page number.
type found struct {
	Items []struct{ Slug, SKU string }
	Total int
	Page  int
}

// narrowed is a filtered list and the slugs or SKUs it must hold, in order.
type narrowed struct{ list, want string }

// holds checks lists of one page.
func holds(t *testing.T, p *shoptest.Place, lists []narrowed) {
	t.Helper()
	for _, l := range lists {
		got := p.Ask(t, "GET "+l.list)
		var page found
		if err := json.Unmarshal(got.Body, &page); err != nil || got.Status != 200 {
			t.Errorf("%s: got %d %s", l.list, got.Status, got.Body)
			continue
		}
		var names []string
		for _, item := range page.Items {
			names = append(names, item.Slug+item.SKU)
		}
		if strings.Join(names, " ") != l.want || page.Total != len(names) || page.Page != 1 {
			t.Errorf("%s holds %q of %d, want %q", l.list, strings.Join(names, " "), page.Total, l.want)
		}
	}
}

func TestProductFilters(t *testing.T) {
	ours, theirs := shoptest.ToolsPath+"/products?", shoptest.MugsPath+"/products?"
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		holds(t, p, []narrowed{
			{ours + "categoryId=<tools:category:product:tools>", "drill saw mallet hammer آچار-کلیدی"},
			{ours + "categoryId=<tools:category:product:power>", "drill saw آچار-کلیدی"},
			{ours + "categoryId=<tools:category:product:drills>", "drill"},
			{ours + "categoryId=<tools:category:product:gifts>", "mug"},
			{ours + "categoryId=<tools:category:blog:tools>", ""},
			{ours + "categoryId=" + shoptest.UnknownID, ""},
			{ours + "categoryId=tools", ""},
			{ours + "categoryId=<mugs:category:product:tools>", ""},
			{ours + "brandId=<tools:brand:acme>", "mug mallet hammer"},
			{ours + "brandId=<tools:brand:ronix>", "drill"},
			{ours + "brandId=" + shoptest.UnknownID, ""},
			{ours + "brandId=<mugs:brand:acme>", ""},
			{ours + "tag=برقی", "drill saw"},
			{ours + "tag=برقي", "drill saw"},
			{ours + "tag=حراج+12", "drill"},
			{ours + "tag=حراج", ""},
			{ours + "tag=برق", ""},
			{ours + "tag=!", ""},
			{theirs + "tag=SALE", "mug tea"},
			{theirs + "tag=sale-50", "tea"},
			{ours + "inStore=true", "mug drill saw mallet آچار-کلیدی"},
			{ours + "inStore=1", "mug drill saw mallet آچار-کلیدی"},
			{ours + "inStore=false", "hammer plain"},
			{ours + "inStore=0", "hammer plain"},
			{ours + "inStore=False", "hammer plain"},
			{ours + "inStore=TRUE&page=1.0&pageSize=100.00", "mug drill saw mallet آچار-کلیدی"},
			{ours + "name=hammer", "drill hammer"},
			{ours + "name=hammer&brandId=<tools:brand:acme>", "hammer"},
			{ours + "categoryId=<tools:category:product:tools>&inStore=true&brandId=<tools:brand:acme>", "mallet"},
			{ours + "categoryId=<tools:category:product:power>&tag=برقی&inStore=1", "drill saw"},
			{ours + "categoryId=<tools:category:product:drills>&tag=برقی&name=drill&brandId=<tools:brand:ronix>" +
				"&inStore=true&page=1&pageSize=1", "drill"},
			{ours + "categoryId=<tools:category:product:drills>&tag=برقی&name=saw", ""},
			{ours + "pageSize=100&name=&tag=", "mug drill saw mallet hammer آچار-کلیدی plain"},
		})
	})
}

func TestUserProductFilters(t *testing.T) {
	ours := shoptest.ToolsPath + "/user-products?"
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		holds(t, p, []narrowed{
			{ours + "categoryId=<tools:category:product:tools>", "lathe mill press"},
			{ours + "categoryId=<tools:category:product:saws>", "press"},
			{ours + "categoryId=<tools:category:blog:tools>", ""},
			{ours + "categoryId=" + shoptest.UnknownID, ""},
			{ours + "cityId=<location:city:karaj>", "lathe"},
			{ours + "cityId=<location:city:tehran>", "mill"},
			{ours + "cityId=<location:province:alborz>", "lathe"},
			{ours + "cityId=<location:province:tehran>", "mill press"},
			{ours + "cityId=<location:country:iran>", "lathe mill press"},
			{ours + "cityId=<location:country:turkiye>", "loader"},
			{ours + "cityId=<location:city:shiraz>", ""},
			{ours + "cityId=" + shoptest.UnknownID, ""},
			{ours + "countryId=<location:country:iran>", "lathe mill press"},
			{ours + "countryId=<location:province:tehran>", "mill press"},
			{ours + "countryId=<location:country:iran>&cityId=<location:city:karaj>", "lathe"},
			{ours + "countryId=<location:country:turkiye>&cityId=<location:city:karaj>", ""},
			{ours + "countryId=karaj", ""},
			{shoptest.MugsPath + "/user-products?cityId=<location:province:fars>", "lathe"},
			{ours + "condition=new", "mill nowhere"},
			{ours + "condition=needs_repair", "lathe"},
			{ours + "condition=stock", "press"},
			{ours + "condition=scrap", "loader"},
			{ours + "promoted=true", "lathe press"},
			{ours + "promoted=0", "mill nowhere loader"},
			{ours + "promoted=True", "lathe press"},
			{ours + "promoted=1&condition=stock&categoryId=<tools:category:product:power>" +
				"&countryId=<location:country:iran>", "press"},
			{ours + "name=lathe", "lathe"},
			{ours + "q=lathe", "lathe"},
			{ours + "q=milling", "mill"},
			{ours + "name=milling&q=machine", "mill"},
			{ours + "name=lathe&q=machine", ""},
			{ours + "q=tn50", "lathe"},
			{ours + "q=&name=", "lathe mill press nowhere loader"},
		})
	})
}

func TestStoreItemFilters(t *testing.T) {
	ours, theirs := shoptest.ToolsPath+"/store-items?", shoptest.MugsPath+"/store-items?"
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		holds(t, p, []narrowed{
			{ours + "categoryId=<tools:category:product:tools>", "D-20 D-13 D-10 S-1 M-1 W-1"},
			{ours + "categoryId=<tools:category:product:drills>", "D-20 D-13 D-10"},
			{ours + "categoryId=<mugs:category:product:tools>", ""},
			{ours + "categoryId=" + shoptest.UnknownID, ""},
			{ours + "brandId=<tools:brand:acme>", "MUG-S M-1"},
			{ours + "brandId=1", ""},
			{ours + "productId=<tools:product:drill>", "D-20 D-13 D-10"},
			{ours + "productId=<tools:product:plain>", ""},
			{ours + "productId=<tools:product:future-drill>", ""},
			{ours + "productId=<mugs:product:mug>", ""},
			{ours + "name=hammer", "D-20 D-13 D-10"},
			{ours + "name=d-1", "D-13 D-10"},
			{ours + "name=d13", "D-13"},
			{ours + "name=13+hammer", "D-13"},
			{ours + "name=دریل", "D-20 D-13 D-10"},
			{ours + "inStock=true", "MUG-S D-13 D-10 M-1 W-1"},
			{ours + "inStock=0", "D-20 S-1"},
			{ours + "isFestival=1", "D-13 S-1"},
			{ours + "isFestival=false", "MUG-S D-20 D-10 M-1 W-1"},
			{ours + "minPrice=1250000", "D-13 D-10 W-1"},
			{ours + "minPrice=1250000.001", "D-13 W-1"},
			{ours + "maxPrice=1250000", "MUG-S D-10 S-1"},
			{ours + "maxPrice=0", "S-1"},
			{ours + "minPrice=9007199254740991", "W-1"},
			{ours + "minPrice=9007199254740991.5", ""},
			{ours + "minPrice=1e300", ""},
			{ours + "maxPrice=1e300", "MUG-S D-13 D-10 S-1 W-1"},
			{ours + "minPrice=85000&maxPrice=85000", "MUG-S"},
			{theirs + "minPrice=12.5", "MUG-L MUG-S TEA-1 PEN-1"},
			{theirs + "maxPrice=12.5", "MUG-S"},
			{theirs + "minPrice=12.5&maxPrice=12.501", "MUG-S PEN-1"},
			{theirs + "minPrice=12.5009&maxPrice=13.0", "TEA-1 PEN-1"},
			{theirs + "minPrice=1.2502e1&maxPrice=13", "TEA-1"},
			{theirs + "minPrice=13&isFestival=true&inStock=true&categoryId=<mugs:category:product:tools>" +
				"&brandId=<mugs:brand:kiln>&productId=<mugs:product:tea>&name=tea", "TEA-1"},
			{theirs + "minPrice=&maxPrice=&inStock=&isFestival=", "MUG-L MUG-S TEA-1 PEN-1"},
		})
	})
}

func TestArticleFilters(t *testing.T) {
	blogs, portfolios := shoptest.ToolsPath+"/blogs?", shoptest.ToolsPath+"/portfolios?"
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		holds(t, p, []narrowed{
			{blogs + "type=news", "hello"},
			{blogs + "type=article", "sharpen"},
			{blogs + "type=blog", "oil"},
			{blogs + "categoryId=<tools:category:blog:tools>", "hello sharpen"},
			{blogs + "categoryId=<tools:category:blog:tips>", "sharpen"},
			{blogs + "categoryId=<tools:category:product:tools>", ""},
			{blogs + "categoryId=" + shoptest.UnknownID, ""},
			{blogs + "categoryId=<tools:category:blog:tools>&type=news&title=hello", "hello"},
			{blogs + "categoryId=<tools:category:blog:tips>&type=news", ""},
			{blogs + "title=سلام", "hello"},
			{blogs + "type=&categoryId=&title=", "hello sharpen oil"},
			{portfolios + "categoryId=<tools:category:portfolio:works>", "house bridge"},
			{portfolios + "categoryId=<tools:category:portfolio:houses>", "house"},
			{portfolios + "categoryId=<tools:category:blog:tools>", ""},
			{portfolios + "title=پل", "bridge"},
			{portfolios + "title=house&categoryId=<tools:category:portfolio:works>", "house"},
			{portfolios + "title=bridge", ""},
		})
	})
}
