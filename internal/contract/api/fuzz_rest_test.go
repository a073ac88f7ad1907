package api_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// FuzzPaths sends arbitrary paths and methods.
func FuzzPaths(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	for _, path := range []string{
		"/api/v1" + shoptest.ShopPath, "/api/v1" + shoptest.ShopPath +
			"/products/drill/", "/api/v1/tenants/%FF/products",
		"/api/v1/tenants/a%00b", "//", "/%2e%2e/x",
		"/api/v1" + shoptest.ShopPath + "/products/%D8%A2%da%86ار", "/api/v1/cities/" + service.Product, "/graphql",
		"/openapi.json", "/healthz", "/readyz/",
		"/api/v1/tenants/xn--mgbtj4c7ad63e.example", "/api/v1/tenants/فروشگاه.example/blogs", "/api/v1" +
			shoptest.ShopPath +
			"/store-items/by-product/" + service.Product,
		"/api/v1/tenants/xn--a-ecp.example", "/api/v1" + shoptest.ShopPath + "/blogs/%ED%A0%80/comments",
		"/api/v1/tenants/" + strings.Repeat("a.", 200) + "b",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			f.Add(method, path)
		}
	}
	f.Fuzz(func(t *testing.T, method, path string) {
		if method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || method == "HEAD" ||
			method == "CONNECT" {
			return // no method; or without a body, or a path
		}
		status, answer := service.Ask(t, method, path, "", "")
		if status == 200 && bytes.Contains(answer, []byte(`"code"`)) && strings.HasPrefix(path, "/api") &&
			bytes.Contains(answer, []byte(`"statusCode"`)) {
			t.Errorf("%s %s: an error with status 200: %.300s", method, path, answer)
		}
	})
}

// FuzzQueries sends arbitrary query strings to every list.
func FuzzQueries(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	lists := []string{
		shoptest.ShopPath + "/products", shoptest.ShopPath + "/user-products", shoptest.ShopPath +
			"/store-items", shoptest.ShopPath + "/blogs",
		shoptest.ShopPath + "/portfolios",
		shoptest.ShopPath + "/categories", shoptest.ShopPath + "/comments", shoptest.ShopPath +
			"/expert-reviews", "/cities",
	}
	for i, query := range []string{
		"page=1&pageSize=2", "page=0", "page=999999999&pageSize=2147483647",
		"name=%D9%83%D8%AA%D8%A7%D8%A8&inStore=1", "minPrice=1e400&maxPrice=1E-400",
		"minPrice=0.0000000000000001&maxPrice=99999999999999999999", "name=%FF", "name=%00&name=",
		"categoryId=x;brandId=y", "page=%", "tag=%25_&tag=",
		"entityType=blog&entityId=x", "productId=" + service.Product, "level=city&parentSlug=tehran",
		"q=a&name=b&condition=new&promoted=true", "=&&=&%3D=%26",
		"title=" + strings.Repeat("x+", 400), "isFestival=false&inStock=true", "name=%E2%80%AE%F0%9F%9B%A0%CC%80",
	} {
		f.Add(uint8(i), query)
	}
	f.Fuzz(func(t *testing.T, list uint8, query string) {
		path := lists[int(list)%len(lists)]
		status, answer := service.Ask(t, "GET", "/api/v1"+path+"?"+query, "", "")
		if status != 200 && status != 400 && status != 0 {
			t.Fatalf("%s?%s: %d", path, query, status)
		}
		var page struct {
			Items                 []json.RawMessage
			Total, Page, PageSize *int
		}
		if status != 200 {
			return
		}
		if err := json.Unmarshal(answer, &page); err != nil || page.Items == nil {
			t.Fatalf("%s?%s: %.300s", path, query, answer)
		}
		if page.Total != nil && (len(page.Items) > *page.PageSize || *page.PageSize > 100 || *page.Page < 1 ||
			len(page.Items) > *page.Total) {
			t.Fatalf("%s?%s: %.300s", path, query, answer)
		}
	})
}

// FuzzBodies sends arbitrary bodies to each route that takes one.
func FuzzBodies(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	routes := []string{shoptest.ShopPath + "/contact-submissions", shoptest.ShopPath + "/expert-reviews",
		shoptest.ShopPath + "/comments",
		shoptest.ShopPath + "/blogs/none/comments"}
	for _, body := range []string{
		shoptest.ContactForm, review(service.Product), `{"entityType": "product", "entityId": "` + service.Product +
			`", "authorName": "Sara", "text": "Good"}`,
		`{"authorName": "Sara", "text": "\ud83d\ude00"}`, "", "{}", "[]", "null", `{"a":`, `{"a":1,"a":2}`,
		"\uFEFF{}", "{\"text\":\"\xff\"}", `{"text":"\u0000"}`,
		`{"rate": 5.0, "positivePoints": [null, "", {}], "negativePoints": "x"}`, `{"text": "` + strings.Repeat("x",
			5001) + `"}`,
		`{"title": "\u202e", "name": "\u00a0", "text": "\u200c", "email": "a@b.c", "cellNumber": "۰۹۱۲۳۴۵۶۷۸۹"}`,
		strings.Repeat(`{"a":`, 33),
		`{"title": "a", "name": "b", "text": "c", "email": "\"a b\"@c.d", "cellNumber": "+98 (912) 345-6789"}`,
	} {
		for i := range routes {
			f.Add(uint8(i), "application/json", body)
		}
		f.Add(uint8(0), "text/plain", body)
	}
	f.Fuzz(func(t *testing.T, route uint8, contentType, body string) {
		path := routes[int(route)%len(routes)]
		status, answer := service.Ask(t, "POST", "/api/v1"+path, contentType, body)
		switch status {
		case 201:
			if bytes.Contains(answer, []byte(`"status":"approved"`)) || !json.Valid([]byte(body)) {
				t.Errorf("%s %q: %.300s", path, body, answer)
			}
		case 400, 404, 413, 415:
		default:
			t.Errorf("%s %q: %d", path, body, status)
		}
	})
}

// FuzzSearch searches for arbitrary texts, and checks that a repeated text finds the same.
func FuzzSearch(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	for _, query := range []string{
		"دریل", "DRILL", "d%r_i\\l'l", "ي ك ۱۲", "\u200c", "1,2.3", "ﺩﺭﻳﻞ", "İ", "ǅ", "ẞ", "\u0345",
		"\u0130\u0307",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for _, list := range []string{"/products?name=", "/user-products?q=", "/store-items?name=", "/blogs?title=",
			"/portfolios?title="} {
			path := "/api/v1" + shoptest.ShopPath + list + url.QueryEscape(query)
			status, once := service.Ask(t, "GET", path, "", "")
			_, twice := service.Ask(t, "GET", path+"+"+url.QueryEscape(query), "", "")
			if status == 200 && len(query) < 400 && !bytes.Equal(once, twice) {
				t.Errorf("%s%q: got %s\nwant %s as without the repetition", list, query, twice, once)
			}
		}
	})
}
