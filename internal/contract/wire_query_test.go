package contract_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
)

func TestPathValues(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		want := p.get(t, shopPath+"/products/"+url.PathEscape("آچار"))
		wantStatus(t, want, 200)
		for _, slug := range []string{
			"آچار", "%D8%A2%DA%86%D8%A7%D8%B1", "%d8%a2%da%86%d8%a7%d8%b1", "%D8%A2چار",
			url.PathEscape("\u0627\u0653چار"),
		} {
			if got := p.at(t, "GET", "/api/v1"+shopPath+"/products/"+slug); got.status != 200 ||
				!bytes.Equal(got.body, want.body) {
				t.Errorf("%s: %d %.200s", slug, got.status, got.body)
			}
		}
		for _, value := range []string{"%FF", "drill%FF", "%00", "drill%00", "%ED%A0%80", "%C0%AF", "none", "%20",
			"'", "%27%20OR%201=1", "%25", strings.Repeat("x", 5000)} {
			for _, path := range []string{
				shopPath + "/products/", shopPath + "/user-products/", shopPath + "/blogs/", shopPath +
					"/portfolios/", "/cities/",
				shopPath + "/store-items/", shopPath + "/store-items/by-product/",
			} {
				if wantFault(t, p.at(t, "GET", "/api/v1"+path+value), 404, "NOT_FOUND"); t.Failed() {
					t.Fatalf("that was %s%s", path, value)
				}
			}
			for _, below := range []string{"/products/" + value + "/variations", "/products/" + value +
				"/technical-info",
				"/user-products/" + value + "/technical-info", "/blogs/" + value + "/comments", "/portfolios/" + value +
					"/comments"} {
				wantFault(t, p.at(t, "GET", "/api/v1"+shopPath+below), 404, "NOT_FOUND")
			}
			wantFault(t, p.send(t, "POST", shopPath+"/blogs/"+value+"/comments",
				`{"authorName": "Sara", "text": "Good"}`), 404, "NOT_FOUND")
		}
	})
}

func TestQueries(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		all := p.get(t, shopPath+"/products")
		for _, query := range []string{
			"?", "?page=", "?page=1", "?pageSize=12", "?name=&categoryId=&brandId=&tag=&inStore=&page=&pageSize=",
			"?sort=price", "?sort=1&sort=2",
			"?Page=9", "?%00=1", "?%FF=1&%FF=2", "?=&=", "?&&", "?page=1&unknown", "?name", "?domain=no.example",
			"?slug=x&input=y", "?page%5B%5D=2",
			"?sort=%FF", "?x=%00", "?name=%20",
		} {
			if got := p.at(t, "GET", "/api/v1"+shopPath+"/products"+query); got.status != 200 ||
				!bytes.Equal(got.body, all.body) {
				t.Errorf("%s: %d %.200s", query, got.status, got.body)
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
			got := p.at(t, "GET", "/api/v1"+shopPath+"/products?"+strings.ReplaceAll(query, " ", "%20"))
			if wantFault(t, got, 400, "VALIDATION_FAILED", strings.Fields(fields)...); t.Failed() {
				t.Fatalf("that was %.80s", query)
			}
		}
		for _, query := range []string{"page=%", "page=%zz", "name=a;b", "%70age=%", "name=a&name=%zz"} {
			wantFault(t, p.at(t, "GET", "/api/v1"+shopPath+"/products?"+query), 400, "BAD_REQUEST")
		}
		plain := p.get(t, shopPath+"/products")
		for _, query := range []string{"%", "utm=%zz", "%zz=1", "a;b=1", "a=b;c", "x=%FF", "x=%00", "x&x=%&page=1", "domain=%"} {
			got := p.at(t, "GET", "/api/v1"+shopPath+"/products?"+query)
			if wantStatus(t, got, 200); !bytes.Equal(got.body, plain.body) {
				t.Errorf("?%s: the answer is another one", query)
			}
		}
		document := url.QueryEscape(`{ cities(level: country) { slug } }`)
		wantGraphQL(t, p.at(t, "GET", "/graphql?query="+document+"&utm=%zz&a;b"), 200, "")
		wantStatus(t, p.at(t, "GET", "/graphql?query=%zz"), 400)
		for path, fields := range map[string]string{
			shopPath + "/user-products?condition=broken": "condition", shopPath +
				"/user-products?condition=NEW": "condition",
			shopPath + "/blogs?type=poem": "type", shopPath + "/categories?entityType=user_product": "entityType",
			shopPath + "/comments": "entityType entityId", shopPath +
				"/comments?entityType=&entityId=": "entityType entityId",
			shopPath + "/comments?entityType=moon&entityId=x": "entityType", shopPath + "/expert-reviews": "productId",
			shopPath + "/expert-reviews?productId=x&productId=x": "productId", "/cities?level=moon": "level",
			"/cities?level=city&level=city": "level",
			"/cities?parentId=%FF":          "parentId", "/cities?parentSlug=%00": "parentSlug",
			shopPath + "/store-items?minPrice=x": "minPrice", shopPath +
				"/store-items?minPrice=2&maxPrice=1": "minPrice",
			shopPath + "/store-items?maxPrice=-1": "maxPrice", shopPath +
				"/store-items?minPrice=NaN&maxPrice=Inf": "minPrice maxPrice",
			shopPath + "/store-items?minPrice=0x10": "minPrice", shopPath + "/store-items?isFestival=on": "isFestival",
		} {
			if wantFault(t, p.at(t, "GET", "/api/v1"+path), 400, "VALIDATION_FAILED",
				strings.Fields(fields)...); t.Failed() {
				t.Fatalf("that was %s", path)
			}
		}
	})
}

func TestIdsInQueriesAreOpaque(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		product := idOf(t, p, shopPath+"/products/drill", "product")
		for _, id := range []string{"x", "00000000-0000-0000-0000-000000000000", strings.ToUpper(product),
			"%20", "'", "-1"} {
			for _, path := range []string{
				shopPath + "/products?categoryId=", shopPath + "/products?brandId=", shopPath + "/store-items?productId=",
				shopPath + "/user-products?cityId=", shopPath + "/user-products?countryId=", shopPath +
					"/blogs?categoryId=",
				shopPath + "/portfolios?categoryId=", shopPath + "/comments?entityType=product&entityId=", shopPath +
					"/expert-reviews?productId=",
				"/cities?parentId=",
			} {
				got := p.at(t, "GET", "/api/v1"+path+id)
				if got.status != 200 || !bytes.HasPrefix(got.body, []byte(`{"items":[]`)) {
					t.Errorf("%s%s: %d %.200s", path, id, got.status, got.body)
				}
			}
		}
		for _, path := range []string{shopPath + "/store-items?productId=",
			shopPath + "/comments?entityType=product&entityId=", shopPath + "/expert-reviews?productId="} {
			if got := p.get(t, path+product); got.status != 200 || bytes.HasPrefix(got.body, []byte(`{"items":[]`)) {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
	})
}
