package api_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestTrailingSlashAndHost(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range []string{shoptest.ShopPath, shoptest.ShopPath + "/products", shoptest.ShopPath +
			"/products/drill", "/cities"} {
			bare, slashed := p.Get(t, path), p.Get(t, path+"/")
			shoptest.WantStatus(t, bare, 200)
			if slashed.Status != 200 || !bytes.Equal(bare.Body, slashed.Body) {
				t.Errorf("%s/: %d %.200s", path, slashed.Status, slashed.Body)
			}
			request, err := http.NewRequestWithContext(t.Context(), "GET", p.URL+"/api/v1"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = "xn--mgbtj4c7ad63e.example"
			if got := p.Perform(t, request); got.Status != 200 || !bytes.Equal(bare.Body, got.Body) {
				t.Errorf("%s under another host: %d %.200s", path, got.Status, got.Body)
			}
		}
		shoptest.WantStatus(t, p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions/",
			shoptest.ContactForm), 201)
	})
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		paths := []string{
			"/api/v1" + shoptest.ShopPath, "/api/v1" + shoptest.ShopPath + "/products", "/api/v1" +
				shoptest.ShopPath + "/products/none",
			"/api/v1/cities",
			"/api/v1/cities?level=moon", "/api/v1/nothing", "/api/v1" + shoptest.ShopPath +
				"/contact-submissions", "/healthz",
			"/readyz", "/nothing", "/", "/docs", "/openapi.json", "/graphql-types.json",
			"/playground", "/favicon.ico", "/robots.txt",
			"/guides", "/guides/shops", "/guides?q=order",
			"/graphql?query=" + url.QueryEscape(`{ tenant(domain: "shop.example") { products { items { `+
				`slug titleFa description } } } }`),
			"/graphql?query=%7B+me+%7B+id+%7D+%7D", "/graphql?query=nothing",
		}
		for _, path := range publicReads(t, p) {
			paths = append(paths, "/api/v1"+path)
		}
		compressed := 0
		for _, path := range paths {
			for _, encoding := range []string{"identity", "gzip"} {
				asked := []string{"X-Request-Id", "same", "Accept-Encoding", encoding}
				get, head := p.At(t, "GET", path, asked...), p.At(t, "HEAD", path, asked...)
				if head.Status != get.Status || len(head.Body) != 0 {
					t.Errorf("HEAD %s: got %d with %d bytes, want the %d of GET without a body", path,
						head.Status, len(head.Body), get.Status)
				}
				for name := range get.Header {
					if name != "Date" && strings.Join(get.Header[name], "|") != strings.Join(head.Header[name], "|") {
						t.Errorf("HEAD %s, %s: %s: got %q, want %q as GET has", path, encoding, name,
							head.Header[name], get.Header[name])
					}
				}
				if len(head.Header) != len(get.Header) {
					t.Errorf("HEAD %s, %s: got the headers %v, want %v as GET has", path, encoding,
						head.Header, get.Header)
				}
				if head.Header.Get("Content-Encoding") == "gzip" {
					compressed++
				}
			}
		}
		if compressed < 5 {
			t.Errorf("%d answers were compressed: is there none of each kind?", compressed)
		}
	})
}

func TestUnknownPaths(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range []string{
			"/api", "/api/v1", "/api/v1/", "/api/v2/cities", "/nothing", "/graphql/more", "/healthz/more",
			"/api/v1/tenants", "/api/v1" + shoptest.ShopPath + "/nothing", "/api/v1" + shoptest.ShopPath +
				"/products/drill/nothing",
			"/api/v1" + shoptest.ShopPath + "/website", "/api/v1/Cities", "/API/v1/cities", "/api/v1/cities/x/y",
			"/api/v1/tenants/",
			// what others would clean up and redirect
			"//", "//api/v1/cities", "/api//v1/cities", "/api/v1//cities", "/api/v1/cities//", "/api/v1/./cities",
			"/api/v1/../v1/cities",
			"/api/v1/cities/.", "/api/v1/cities/..", "/api/v1/tenants//products", "/api/v1" + shoptest.ShopPath +
				"/products/../products",
			"/api/v1%2Fcities", "/api/v1/cities%2F", "/%2e%2e/api/v1/cities",
			"/api/v1/tenants/shop.example%2Fproducts", "/api/v1" + shoptest.ShopPath + "/products/drill%2Fvariations",
			"/api/v1" + shoptest.ShopPath + "/%2e%2e", "/api/v1" + shoptest.ShopPath + "/products/%2e%2e",
			"/api/v1/tenants/%2e/products",
		} {
			for _, method := range []string{"GET", "POST", "PUT", "OPTIONS"} {
				got := p.At(t, method, path)
				if method != "GET" && got.Status == 405 && strings.Contains(path, "%2e") {
					continue // the path is known, its value is not
				}
				shoptest.WantFault(t, got, 404, "NOT_FOUND")
				if got.Header.Get("Location") != "" || t.Failed() {
					t.Fatalf("%s %s: Location %q", method, path, got.Header.Get("Location"))
				}
			}
		}
	})
}

func TestOtherMethods(t *testing.T) {
	const read, write, both = "GET, HEAD", "POST", "GET, HEAD, POST"
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for path, allow := range map[string]string{
			"/cities": read, "/cities/x": read, shoptest.ShopPath: read, shoptest.ShopPath +
				"/": read, shoptest.ShopPath + "/products": read,
			shoptest.ShopPath + "/products/drill": read, "/tenants/no.example/products": read, shoptest.ShopPath +
				"/store-items/x": read,
			shoptest.ShopPath + "/contact-submissions": write, shoptest.ShopPath + "/contact-submissions/": write,
			shoptest.ShopPath + "/comments": both, shoptest.ShopPath +
				"/expert-reviews": both, shoptest.ShopPath + "/blogs/x/comments": both,
		} {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"} {
				if strings.Contains(allow, method) {
					continue
				}
				got := p.At(t, method, "/api/v1"+path)
				shoptest.WantFault(t, got, 405, "METHOD_NOT_ALLOWED")
				if got.Header.Get("Allow") != allow {
					t.Errorf("%s %s: Allow is %q, want %q", method, path, got.Header.Get("Allow"), allow)
				}
			}
		}
		for path, allow := range map[string]string{"/healthz": read, "/readyz": read, "/graphql": both} {
			got := p.At(t, "DELETE", path)
			shoptest.WantStatus(t, got, 405)
			if got.Header.Get("Allow") != allow {
				t.Errorf("%s: Allow is %q, want %q", path, got.Header.Get("Allow"), allow)
			}
		}
	})
}

// TestOrderOfChecks checks that the route comes first, then body and parameters, then the records.
func TestOrderOfChecks(t *testing.T) {
	const broken = `{"title": `
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		shoptest.WantFault(t, p.Send(t, "POST", "/tenants/no.example/nothing", broken), 404, "NOT_FOUND")
		shoptest.WantFault(t, p.Send(t, "PUT", "/tenants/no.example/contact-submissions", broken), 405,
			"METHOD_NOT_ALLOWED")
		shoptest.WantFault(t, p.Send(t, "POST", "/tenants/no.example/contact-submissions", broken), 400,
			"BAD_REQUEST")
		shoptest.WantFault(t, as(t, p, "text/plain", "POST", "/api/v1/tenants/no.example/contact-submissions",
			shoptest.ContactForm), 415,
			"UNSUPPORTED_MEDIA_TYPE")
		shoptest.WantFault(t, p.Send(t, "POST", "/tenants/no.example/contact-submissions", `{"name": "Sara"}`), 400,
			"VALIDATION_FAILED", "title", "text")
		shoptest.WantFault(t, p.Send(t, "POST", "/tenants/no.example/contact-submissions",
			shoptest.ContactForm), 404, "NOT_FOUND")
		for _, blog := range []string{"none", "%FF", "a%00b"} {
			shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/blogs/"+blog+"/comments", broken),
				400, "BAD_REQUEST")
			shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/blogs/"+blog+"/comments", `{}`), 400,
				"VALIDATION_FAILED",
				"authorName", "text")
		}
		shoptest.WantFault(t, p.Get(t, "/tenants/no.example/products?page=0"), 400, "VALIDATION_FAILED", "page")
		shoptest.WantFault(t, p.Get(t, "/tenants/%FF/products?page=0"), 400, "VALIDATION_FAILED", "page")
	})
}
