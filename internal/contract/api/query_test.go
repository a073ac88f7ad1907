package api_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestPathValues(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		want := p.Get(t, shoptest.ShopPath+"/products/"+url.PathEscape("آچار"))
		shoptest.WantStatus(t, want, 200)
		for _, slug := range []string{
			"آچار", "%D8%A2%DA%86%D8%A7%D8%B1", "%d8%a2%da%86%d8%a7%d8%b1", "%D8%A2چار",
			url.PathEscape("\u0627\u0653چار"),
		} {
			if got := p.At(t, "GET", "/api/v1"+shoptest.ShopPath+"/products/"+slug); got.Status != 200 ||
				!bytes.Equal(got.Body, want.Body) {
				t.Errorf("%s: %d %.200s", slug, got.Status, got.Body)
			}
		}
		for _, value := range []string{"%FF", "drill%FF", "%00", "drill%00", "%ED%A0%80", "%C0%AF", "none", "%20",
			"'", "%27%20OR%201=1", "%25", strings.Repeat("x", 5000)} {
			for _, path := range []string{
				shoptest.ShopPath + "/products/", shoptest.ShopPath + "/user-products/", shoptest.ShopPath +
					"/blogs/", shoptest.ShopPath +
					"/portfolios/", "/cities/",
				shoptest.ShopPath + "/store-items/", shoptest.ShopPath + "/store-items/by-product/",
			} {
				if shoptest.WantFault(t, p.At(t, "GET", "/api/v1"+path+value), 404, "NOT_FOUND"); t.Failed() {
					t.Fatalf("that was %s%s", path, value)
				}
			}
			for _, below := range []string{"/products/" + value + "/variations", "/products/" + value +
				"/technical-info",
				"/user-products/" + value + "/technical-info", "/blogs/" + value +
					"/comments", "/portfolios/" + value +
					"/comments"} {
				shoptest.WantFault(t, p.At(t, "GET", "/api/v1"+shoptest.ShopPath+below), 404, "NOT_FOUND")
			}
			shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/blogs/"+value+"/comments",
				`{"authorName": "Sara", "text": "Good"}`), 404, "NOT_FOUND", "blogId")
		}
	})
}

func TestQueries(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		all := p.Get(t, shoptest.ShopPath+"/products")
		for _, query := range []string{
			"?", "?page=", "?page=1", "?pageSize=12", "?name=&categoryId=&brandId=&tag=&inStore=&page=&pageSize=",
			"?sort=price", "?sort=1&sort=2",
			"?Page=9", "?%00=1", "?%FF=1&%FF=2", "?=&=", "?&&", "?page=1&unknown", "?name", "?domain=no.example",
			"?slug=x&input=y", "?page%5B%5D=2",
			"?sort=%FF", "?x=%00", "?name=%20",
		} {
			if got := p.At(t, "GET", "/api/v1"+shoptest.ShopPath+"/products"+query); got.Status != 200 ||
				!bytes.Equal(got.Body, all.Body) {
				t.Errorf("%s: %d %.200s", query, got.Status, got.Body)
			}
		}
		for query, fields := range map[string]string{
			"page=0": "page", "page=-1": "page", "page=1.5": "page", "page=one": "page", "page=%2B1": "page",
			"page=1e0": "page", "page=0x1": "page",
			"page=%20 1": "page", "page=99999999999": "page", "page=99999999999999999999": "page",
			"page=%DB%B1": "page", "pageSize=0": "pageSize",
			"pageSize=x": "pageSize", "page=1&page=1": "page", "page=&page=": "page", "name=a&name=b": "name",
			"name=&name=b": "name",
			"inStore=yes":  "inStore", "inStore=on": "inStore", "inStore=2": "inStore", "name=%FF": "name",
			"name=a%00": "name", "tag=%FF": "tag",
			"categoryId=%FF": "categoryId", "brandId=%00": "brandId", "name=" + strings.Repeat("x", 1001): "name",
			"page=0&pageSize=x&inStore=maybe&tag=%00&name=a&name=b": "page pageSize inStore tag name",
		} {
			got := p.At(t, "GET", "/api/v1"+shoptest.ShopPath+"/products?"+strings.ReplaceAll(query, " ", "%20"))
			if shoptest.WantFault(t, got, 400, "VALIDATION_FAILED", strings.Fields(fields)...); t.Failed() {
				t.Fatalf("that was %.80s", query)
			}
		}
		for _, query := range []string{"page=%", "page=%zz", "name=a;b", "%70age=%", "name=a&name=%zz"} {
			shoptest.WantFault(t, p.At(t, "GET", "/api/v1"+shoptest.ShopPath+"/products?"+query), 400, "BAD_REQUEST")
		}
		plain := p.Get(t, shoptest.ShopPath+"/products")
		for _, query := range []string{"%", "utm=%zz", "%zz=1", "a;b=1", "a=b;c", "x=%FF", "x=%00",
			"x&x=%&page=1", "domain=%"} {
			got := p.At(t, "GET", "/api/v1"+shoptest.ShopPath+"/products?"+query)
			if shoptest.WantStatus(t, got, 200); !bytes.Equal(got.Body, plain.Body) {
				t.Errorf("?%s: the answer is another one", query)
			}
		}
		document := url.QueryEscape(`{ cities(level: country) { slug } }`)
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql?query="+document+"&utm=%zz&a;b"), 200, "")
		shoptest.WantStatus(t, p.At(t, "GET", "/graphql?query=%zz"), 400)
		for path, fields := range map[string]string{
			shoptest.ShopPath + "/user-products?condition=broken": "condition", shoptest.ShopPath +
				"/user-products?condition=NEW": "condition",
			shoptest.ShopPath + "/blogs?type=poem": "type", shoptest.ShopPath +
				"/categories?entityType=user_product": "entityType",
			shoptest.ShopPath + "/comments": "entityType entityId", shoptest.ShopPath +
				"/comments?entityType=&entityId=": "entityType entityId",
			shoptest.ShopPath + "/comments?entityType=moon&entityId=x": "entityType", shoptest.ShopPath +
				"/expert-reviews": "productId",
			shoptest.ShopPath + "/expert-reviews?productId=x&productId=x": "productId", "/cities?level=moon": "level",
			"/cities?level=city&level=city": "level",
			"/cities?parentId=%FF":          "parentId", "/cities?parentSlug=%00": "parentSlug",
			shoptest.ShopPath + "/store-items?minPrice=x": "minPrice", shoptest.ShopPath +
				"/store-items?minPrice=2&maxPrice=1": "minPrice",
			shoptest.ShopPath + "/store-items?maxPrice=-1": "maxPrice", shoptest.ShopPath +
				"/store-items?minPrice=NaN&maxPrice=Inf": "minPrice maxPrice",
			shoptest.ShopPath + "/store-items?minPrice=0x10": "minPrice", shoptest.ShopPath +
				"/store-items?isFestival=on": "isFestival",
		} {
			if shoptest.WantFault(t, p.At(t, "GET", "/api/v1"+path), 400, "VALIDATION_FAILED",
				strings.Fields(fields)...); t.Failed() {
				t.Fatalf("that was %s", path)
			}
		}
	})
}

func TestIdsInQueriesAreOpaque(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		product := idOf(t, p, shoptest.ShopPath+"/products/drill", "product")
		for _, id := range []string{"x", "00000000-0000-0000-0000-000000000000", strings.ToUpper(product),
			"%20", "'", "-1"} {
			for _, path := range []string{
				shoptest.ShopPath + "/products?categoryId=", shoptest.ShopPath +
					"/products?brandId=", shoptest.ShopPath + "/store-items?productId=",
				shoptest.ShopPath + "/user-products?cityId=", shoptest.ShopPath +
					"/user-products?countryId=", shoptest.ShopPath +
					"/blogs?categoryId=",
				shoptest.ShopPath + "/portfolios?categoryId=", shoptest.ShopPath + "/expert-reviews?productId=",
				"/cities?parentId=",
			} {
				got := p.At(t, "GET", "/api/v1"+path+id)
				if got.Status != 200 || !bytes.HasPrefix(got.Body, []byte(`{"items":[]`)) {
					t.Errorf("%s%s: %d %.200s", path, id, got.Status, got.Body)
				}
			}
			comments := shoptest.ShopPath + "/comments?entityType=product&entityId=" + id
			shoptest.WantFault(t, p.At(t, "GET", "/api/v1"+comments), 404, "NOT_FOUND")
		}
		for _, path := range []string{shoptest.ShopPath + "/store-items?productId=",
			shoptest.ShopPath + "/comments?entityType=product&entityId=", shoptest.ShopPath +
				"/expert-reviews?productId="} {
			if got := p.Get(t, path+product); got.Status != 200 || bytes.HasPrefix(got.Body, []byte(`{"items":[]`)) {
				t.Errorf("%s: got %d %s", path, got.Status, got.Body)
			}
		}
	})
}
