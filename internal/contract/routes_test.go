package contract_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph"
	"storefront/rest"
)

// examples are requests, by operation, that each route answers with content, and some that it refuses.
var examples = map[string][]string{
	"Tenant":         {"GET " + tools},
	"BusinessInfo":   {"GET " + tools + "/website/business-info"},
	"Sliders":        {"GET " + tools + "/website/sliders"},
	"CategoryGroups": {"GET " + tools + "/website/category-groups"},
	"BrandGroups":    {"GET " + tools + "/website/brand-groups"},
	"StoreSpecials":  {"GET " + tools + "/store-specials"},
	"Categories": {
		"GET " + tools + "/categories",
		"GET " + tools + "/categories?entityType=blog",
		"GET " + tools + "/categories?entityType=shop",
	},
	"Products": {
		"GET " + tools + "/products",
		"GET " + tools + "/products?page=2&pageSize=2",
		"GET " + tools + "/products?name=دريل&categoryId=<tools:category:product:tools>" +
			"&brandId=<tools:brand:ronix>&tag=برقی&inStore=1",
		"GET " + tools + "/products?page=0&pageSize=x&inStore=yes",
		"GET " + tools + "/products?categoryId=drills",
	},
	"Product": {"GET " + tools + "/products/drill", "GET " + tools + "/products/draft-drill"},
	"ProductVariations": {"GET " + tools + "/products/drill/variations", "GET " + tools +
		"/products/tea/variations"},
	"ProductTechnicalInfo": {"GET " + tools + "/products/drill/technical-info", "GET " + tools +
		"/products/nothing/technical-info"},
	"UserProducts": {
		"GET " + tools + "/user-products",
		"GET " + tools + "/user-products?q=تراش&name=lathe&categoryId=<tools:category:product:tools>" +
			"&cityId=<location:city:karaj>&countryId=<location:country:iran>&condition=needs_repair&promoted=true",
		"GET " + tools + "/user-products?page=-1&condition=old&promoted=x",
	},
	"UserProduct": {"GET " + tools + "/user-products/lathe", "GET " + tools +
		"/user-products/pending"},
	"UserProductTechnicalInfo": {"GET " + tools + "/user-products/lathe/technical-info", "GET " + tools +
		"/user-products/kettle/technical-info"},
	"StoreItems": {
		"GET " + tools + "/store-items",
		"GET " + tools + "/store-items?categoryId=<tools:category:product:tools>&brandId=<tools:brand:ronix>" +
			"&productId=<tools:product:drill>&name=drill&inStock=1&isFestival=0&minPrice=1000000.5&maxPrice=2000000",
		"GET " + tools + "/store-items?page=1.5&minPrice=-1&maxPrice=x&inStock=2",
		"GET " + tools + "/store-items?minPrice=2&maxPrice=1",
	},
	"StoreItem": {"GET " + tools + "/store-items/by-product/<tools:product:drill>", "GET " + tools +
		"/store-items/by-product/<tools:product:plain>"},
	"StoreVariant": {"GET " + tools + "/store-items/<tools:variant:D-10>", "GET " + tools +
		"/store-items/<tools:variant:D-16>"},
	"Blogs": {
		"GET " + tools + "/blogs",
		"GET " + tools + "/blogs?page=1&pageSize=1&type=news&categoryId=<tools:category:blog:tools>&title=سلام",
		"GET " + tools + "/blogs?pageSize=0&type=x",
	},
	"Blog": {"GET " + tools + "/blogs/hello", "GET " + tools + "/blogs/soon"},
	"Portfolios": {
		"GET " + tools + "/portfolios",
		"GET " + tools + "/portfolios?page=1&pageSize=1&categoryId=<tools:category:portfolio:works>&title=خانه",
		"GET " + tools + "/portfolios?page=0",
	},
	"Portfolio": {"GET " + tools + "/portfolios/house", "GET " + tools + "/portfolios/shed"},
	"BlogComments": {"GET " + tools + "/blogs/<tools:blog:hello>/comments", "GET " + tools +
		"/blogs/<tools:blog:soon>/comments"},
	"CreateBlogComment": {
		"POST " + tools + `/blogs/<tools:blog:hello>/comments {"authorName":"مینا",` +
			`"authorEmail":"mina@mail.example","text":"خوب"}`,
		"POST " + tools + `/blogs/<tools:blog:hello>/comments {"authorName":"","authorEmail":"x","text":5}`,
		"POST " + tools + `/blogs/<tools:blog:soon>/comments {"authorName":"A","text":"B"}`,
	},
	"PortfolioComments": {"GET " + tools + "/portfolios/<tools:portfolio:house>/comments", "GET " + tools +
		"/portfolios/nothing/comments"},
	"CreatePortfolioComment": {
		"POST " + tools + `/portfolios/<tools:portfolio:house>/comments {"authorName":"A","text":"B",` +
			`"authorEmail":""}`,
		"POST " + tools + `/portfolios/<tools:portfolio:house>/comments {}`,
		"POST " + tools + `/portfolios/<tools:portfolio:shed>/comments {"authorName":"A","text":"B"}`,
	},
	"Comments": {
		"GET " + tools + "/comments?entityType=product&entityId=<tools:product:drill>",
		"GET " + tools + "/comments?entityType=shop",
	},
	"CreateComment": {
		"POST " + tools + `/comments {"entityType":"product","entityId":"<tools:product:drill>",` +
			`"authorName":"A","text":"B"}`,
		"POST " + tools + `/comments {"entityType":"shop","authorName":null,"text":" "}`,
		"POST " + tools + `/comments {"entityType":"blog","entityId":"<tools:product:drill>","authorName":"A",` +
			`"text":"B"}`,
	},
	"ExpertReviews": {"GET " + tools + "/expert-reviews?productId=<tools:product:drill>", "GET " + tools +
		"/expert-reviews"},
	"CreateExpertReview": {
		"POST " + tools + `/expert-reviews {"productId":"<tools:product:drill>","authorName":"A","rate":7,` +
			`"positivePoints":["x"],"negativePoints":[],"text":"B"}`,
		"POST " + tools + `/expert-reviews {"productId":"<tools:product:drill>","authorName":"A","rate":11,` +
			`"positivePoints":["",1],"negativePoints":[null],"text":"B"}`,
		"POST " + tools + `/expert-reviews {"productId":"<tools:product:draft-drill>","authorName":"A","rate":7,` +
			`"positivePoints":[],"negativePoints":[],"text":"B"}`,
	},
	"SubmitContact": {
		"POST " + tools + `/contact-submissions {"title":"A","name":"B","email":"a@mail.example",` +
			`"cellNumber":"09123456789","text":"C"}`,
		"POST " + tools + `/contact-submissions {"title":"","email":"a@","cellNumber":"9","text":[]}`,
	},
	"Cities": {
		"GET /cities?level=province",
		"GET /cities?level=city&parentId=<location:province:alborz>&parentSlug=alborz",
		"GET /cities?level=village",
	},
	"City": {"GET /cities/<location:city:karaj>", "GET /cities/karaj"},
}

// publicRoutes are the routes that need no credentials, contract 7.1 to 7.3 and 7.6.
// The tests of accounts and of the SMS gateway cover the others.
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

// operations are the schema and the operations behind the routes.
func operations(t testing.TB) (*ast.Schema, *ast.QueryDocument) {
	t.Helper()
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	document, errs := gqlparser.LoadQueryWithRules(schema, rest.Operations(), nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return schema, document
}

// inPlace returns what a request of a route, with ids in the place of names, holds in its path and its
// query string.
func inPlace(t testing.TB, route rest.Route, request string) map[string]string {
	t.Helper()
	_, after, _ := strings.Cut(request, " ")
	path, _, _ := strings.Cut(after, " ")
	target, err := url.Parse(ascii(path))
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

// TestEveryRoute calls every route in the ways that all have in common.
func TestEveryRoute(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *place) {
		methods := map[string][]string{}
		for _, route := range publicRoutes() {
			methods[route.Path] = append(methods[route.Path], route.Method)
			if route.Method == http.MethodGet {
				methods[route.Path] = append(methods[route.Path], http.MethodHead)
			}
		}
		eachExample(t, func(route rest.Route, requests []string) {
			if got := p.ask(t, requests[0]); got.status != route.Status {
				t.Errorf("%s: status %d, want %d: %s", requests[0], got.status, route.Status, got.body)
			}
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
				if slices.Contains(methods[route.Path], method) {
					continue
				}
				got := p.ask(t, strings.Replace(requests[0], route.Method, method, 1))
				slices.Sort(methods[route.Path])
				if allow := strings.Join(methods[route.Path], ", "); got.status != 405 ||
					got.header.Get("Allow") != allow {
					t.Errorf("%s with %s: status %d, Allow %q, want %q", requests[0], method, got.status,
						got.header.Get("Allow"), allow)
				}
			}
			if !strings.Contains(route.Path, "{domain}") {
				return
			}
			for _, domain := range []string{"nobody.example", "www.tools.example", "tools.example:80", "tools"} {
				got := p.ask(t, strings.Replace(requests[0], "tools.example", domain, 1))
				if got.status != 404 {
					t.Errorf("%s of %s: status %d", requests[0], domain, got.status)
				}
			}
		})
	})
}
