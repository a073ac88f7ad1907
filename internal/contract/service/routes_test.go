package service_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/rest"
)

// examples are requests, by operation, that each route answers with content, and some that it refuses.
var examples = map[string][]string{
	"Tenant":         {"GET " + shoptest.ToolsPath},
	"BusinessInfo":   {"GET " + shoptest.ToolsPath + "/website/business-info"},
	"Sliders":        {"GET " + shoptest.ToolsPath + "/website/sliders"},
	"CategoryGroups": {"GET " + shoptest.ToolsPath + "/website/category-groups"},
	"BrandGroups":    {"GET " + shoptest.ToolsPath + "/website/brand-groups"},
	"StoreSpecials":  {"GET " + shoptest.ToolsPath + "/store-specials"},
	"Categories": {
		"GET " + shoptest.ToolsPath + "/categories",
		"GET " + shoptest.ToolsPath + "/categories?entityType=blog",
		"GET " + shoptest.ToolsPath + "/categories?entityType=shop",
	},
	"Products": {
		"GET " + shoptest.ToolsPath + "/products",
		"GET " + shoptest.ToolsPath + "/products?page=2&pageSize=2",
		"GET " + shoptest.ToolsPath + "/products?name=دريل&categoryId=<tools:category:product:tools>" +
			"&brandId=<tools:brand:ronix>&tag=برقی&inStore=1",
		"GET " + shoptest.ToolsPath + "/products?page=0&pageSize=x&inStore=yes",
		"GET " + shoptest.ToolsPath + "/products?categoryId=drills",
	},
	"Product": {"GET " + shoptest.ToolsPath + "/products/drill", "GET " + shoptest.ToolsPath +
		"/products/draft-drill"},
	"ProductVariations": {"GET " + shoptest.ToolsPath + "/products/drill/variations", "GET " + shoptest.ToolsPath +
		"/products/tea/variations"},
	"ProductTechnicalInfo": {"GET " + shoptest.ToolsPath + "/products/drill/technical-info", "GET " +
		shoptest.ToolsPath +
		"/products/nothing/technical-info"},
	"UserProducts": {
		"GET " + shoptest.ToolsPath + "/user-products",
		"GET " + shoptest.ToolsPath + "/user-products?q=تراش&name=lathe&categoryId=<tools:category:product:tools>" +
			"&cityId=<location:city:karaj>&countryId=<location:country:iran>&condition=needs_repair&promoted=true",
		"GET " + shoptest.ToolsPath + "/user-products?page=-1&condition=old&promoted=x",
	},
	"UserProduct": {"GET " + shoptest.ToolsPath + "/user-products/lathe", "GET " + shoptest.ToolsPath +
		"/user-products/pending"},
	"UserProductTechnicalInfo": {"GET " + shoptest.ToolsPath + "/user-products/lathe/technical-info", "GET " +
		shoptest.ToolsPath +
		"/user-products/kettle/technical-info"},
	"StoreItems": {
		"GET " + shoptest.ToolsPath + "/store-items",
		"GET " + shoptest.ToolsPath + "/store-items?categoryId=<tools:category:product:tools>" +
			"&brandId=<tools:brand:ronix>" +
			"&productId=<tools:product:drill>&name=drill&inStock=1&isFestival=0&minPrice=1000000.5&maxPrice=2000000",
		"GET " + shoptest.ToolsPath + "/store-items?page=1.5&minPrice=-1&maxPrice=x&inStock=2",
		"GET " + shoptest.ToolsPath + "/store-items?minPrice=2&maxPrice=1",
	},
	"StoreItem": {"GET " + shoptest.ToolsPath + "/store-items/by-product/<tools:product:drill>", "GET " +
		shoptest.ToolsPath +
		"/store-items/by-product/<tools:product:plain>"},
	"StoreVariant": {"GET " + shoptest.ToolsPath + "/store-items/<tools:variant:D-10>", "GET " + shoptest.ToolsPath +
		"/store-items/<tools:variant:D-16>"},
	"Blogs": {
		"GET " + shoptest.ToolsPath + "/blogs",
		"GET " + shoptest.ToolsPath + "/blogs?page=1&pageSize=1&type=news" +
			"&categoryId=<tools:category:blog:tools>&title=سلام",
		"GET " + shoptest.ToolsPath + "/blogs?pageSize=0&type=x",
	},
	"Blog": {"GET " + shoptest.ToolsPath + "/blogs/hello", "GET " + shoptest.ToolsPath + "/blogs/soon"},
	"Portfolios": {
		"GET " + shoptest.ToolsPath + "/portfolios",
		"GET " + shoptest.ToolsPath + "/portfolios?page=1&pageSize=1" +
			"&categoryId=<tools:category:portfolio:works>&title=خانه",
		"GET " + shoptest.ToolsPath + "/portfolios?page=0",
	},
	"Portfolio": {"GET " + shoptest.ToolsPath + "/portfolios/house", "GET " + shoptest.ToolsPath +
		"/portfolios/shed"},
	"BlogComments": {"GET " + shoptest.ToolsPath + "/blogs/<tools:blog:hello>/comments", "GET " + shoptest.ToolsPath +
		"/blogs/<tools:blog:soon>/comments"},
	"CreateBlogComment": {
		"POST " + shoptest.ToolsPath + `/blogs/<tools:blog:hello>/comments {"authorName":"مینا",` +
			`"authorEmail":"mina@mail.example","text":"خوب"}`,
		"POST " + shoptest.ToolsPath + `/blogs/<tools:blog:hello>/comments ` +
			`{"authorName":"","authorEmail":"x","text":5}`,
		"POST " + shoptest.ToolsPath + `/blogs/<tools:blog:soon>/comments {"authorName":"A","text":"B"}`,
	},
	"PortfolioComments": {"GET " + shoptest.ToolsPath + "/portfolios/<tools:portfolio:house>/comments",
		"GET " + shoptest.ToolsPath +
			"/portfolios/nothing/comments"},
	"CreatePortfolioComment": {
		"POST " + shoptest.ToolsPath + `/portfolios/<tools:portfolio:house>/comments {"authorName":"A","text":"B",` +
			`"authorEmail":""}`,
		"POST " + shoptest.ToolsPath + `/portfolios/<tools:portfolio:house>/comments {}`,
		"POST " + shoptest.ToolsPath + `/portfolios/<tools:portfolio:shed>/comments {"authorName":"A","text":"B"}`,
	},
	"Comments": {
		"GET " + shoptest.ToolsPath + "/comments?entityType=product&entityId=<tools:product:drill>",
		"GET " + shoptest.ToolsPath + "/comments?entityType=shop",
	},
	"CreateComment": {
		"POST " + shoptest.ToolsPath + `/comments {"entityType":"product","entityId":"<tools:product:drill>",` +
			`"authorName":"A","text":"B"}`,
		"POST " + shoptest.ToolsPath + `/comments {"entityType":"shop","authorName":null,"text":" "}`,
		"POST " + shoptest.ToolsPath + `/comments ` +
			`{"entityType":"blog","entityId":"<tools:product:drill>","authorName":"A",` +
			`"text":"B"}`,
	},
	"ExpertReviews": {"GET " + shoptest.ToolsPath + "/expert-reviews?productId=<tools:product:drill>",
		"GET " + shoptest.ToolsPath +
			"/expert-reviews"},
	"CreateExpertReview": {
		"POST " + shoptest.ToolsPath + `/expert-reviews ` +
			`{"productId":"<tools:product:drill>","authorName":"A","rate":7,` +
			`"positivePoints":["x"],"negativePoints":[],"text":"B"}`,
		"POST " + shoptest.ToolsPath + `/expert-reviews ` +
			`{"productId":"<tools:product:drill>","authorName":"A","rate":11,` +
			`"positivePoints":["",1],"negativePoints":[null],"text":"B"}`,
		"POST " + shoptest.ToolsPath + `/expert-reviews ` +
			`{"productId":"<tools:product:draft-drill>","authorName":"A","rate":7,` +
			`"positivePoints":[],"negativePoints":[],"text":"B"}`,
	},
	"SubmitContact": {
		"POST " + shoptest.ToolsPath + `/contact-submissions {"title":"A","name":"B","email":"a@mail.example",` +
			`"cellNumber":"09123456789","text":"C"}`,
		"POST " + shoptest.ToolsPath + `/contact-submissions {"title":"","email":"a@","cellNumber":"9","text":[]}`,
	},
	"Cities": {
		"GET /cities?level=province",
		"GET /cities?level=city&parentId=<location:province:alborz>&parentSlug=alborz",
		"GET /cities?level=village",
	},
	"City": {"GET /cities/<location:city:karaj>", "GET /cities/karaj"},
}

// publicRoutes returns the routes that need no credentials, contract 7.1 to 7.3 and 7.6. The tests of
// accounts and of the SMS gateway cover the others.
func publicRoutes() (routes []rest.Route) {
	for _, route := range rest.Routes {
		if strings.HasPrefix(route.Path, "/tenants/") || strings.HasPrefix(route.Path, "/cities") {
			routes = append(routes, route)
		}
	}
	return routes
}

// eachExample runs f with the requests of every public route, in the order of the routes.
func eachExample(t *testing.T, f func(route rest.Route, requests []string)) {
	t.Helper()
	for _, route := range publicRoutes() {
		if len(examples[route.Operation]) == 0 {
			t.Errorf("%s %s has no example", route.Method, route.Path)
			continue
		}
		f(route, examples[route.Operation])
	}
}

// inPlace returns the path and query parameters of a request of a route, with ids in place of names.
func inPlace(t testing.TB, route rest.Route, request string) map[string]string {
	t.Helper()
	_, after, _ := strings.Cut(request, " ")
	path, _, _ := strings.Cut(after, " ")
	target, err := url.Parse(shoptest.Ascii(path))
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]string{}
	for name, list := range target.Query() {
		given[name] = list[0]
	}
	matched := false
	mux := http.NewServeMux()
	mux.HandleFunc(route.Path, func(_ http.ResponseWriter, r *http.Request) {
		matched = true
		for segment := range strings.SplitSeq(route.Path, "/") {
			if name, ok := strings.CutPrefix(segment, "{"); ok {
				name = strings.TrimSuffix(name, "}")
				given[name] = r.PathValue(name)
			}
		}
	})
	mux.ServeHTTP(httptest.NewRecorder(), &http.Request{Method: http.MethodGet, URL: target})
	if !matched {
		t.Fatalf("%s is no request of %s", request, route.Path)
	}
	return given
}

// TestEveryRoute checks the behaviour that all routes share.
func TestEveryRoute(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		methods := map[string][]string{}
		for _, route := range publicRoutes() {
			methods[route.Path] = append(methods[route.Path], route.Method)
			if route.Method == http.MethodGet {
				methods[route.Path] = append(methods[route.Path], http.MethodHead)
			}
		}
		eachExample(t, func(route rest.Route, requests []string) {
			if got := p.Ask(t, requests[0]); got.Status != route.Status {
				t.Errorf("%s: status %d, want %d: %s", requests[0], got.Status, route.Status, got.Body)
			}
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
				if slices.Contains(methods[route.Path], method) {
					continue
				}
				got := p.Ask(t, strings.Replace(requests[0], route.Method, method, 1))
				slices.Sort(methods[route.Path])
				if allow := strings.Join(methods[route.Path], ", "); got.Status != 405 ||
					got.Header.Get("Allow") != allow {
					t.Errorf("%s with %s: status %d, Allow %q, want %q", requests[0], method, got.Status,
						got.Header.Get("Allow"), allow)
				}
			}
			if !strings.Contains(route.Path, "{domain}") {
				return
			}
			for _, domain := range []string{"nobody.example", "www.tools.example", "tools.example:80", "tools"} {
				got := p.Ask(t, strings.Replace(requests[0], "tools.example", domain, 1))
				if got.Status != 404 {
					t.Errorf("%s of %s: status %d", requests[0], domain, got.Status)
				}
			}
		})
	})
}
