package contract_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestTrailingSlashAndHost(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		for _, path := range []string{shopPath, shopPath + "/products", shopPath + "/products/drill", "/cities"} {
			bare, slashed := p.get(t, path), p.get(t, path+"/")
			wantStatus(t, bare, 200)
			if slashed.status != 200 || !bytes.Equal(bare.body, slashed.body) {
				t.Errorf("%s/: %d %.200s", path, slashed.status, slashed.body)
			}
			request, err := http.NewRequestWithContext(t.Context(), "GET", p.url+"/api/v1"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = "xn--mgbtj4c7ad63e.example"
			if got := p.perform(t, request); got.status != 200 || !bytes.Equal(bare.body, got.body) {
				t.Errorf("%s under another host: %d %.200s", path, got.status, got.body)
			}
		}
		wantStatus(t, p.send(t, "POST", shopPath+"/contact-submissions/", contact), 201)
	})
}

// contact is a valid body of POST contact-submissions.
const contact = `{"title": "Question", "name": "Sara", "text": "How much?"}`

func TestHeadIsGetWithoutABody(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		paths := []string{
			"/api/v1" + shopPath, "/api/v1" + shopPath + "/products", "/api/v1" + shopPath + "/products/none",
			"/api/v1/cities",
			"/api/v1/cities?level=moon", "/api/v1/nothing", "/api/v1" + shopPath + "/contact-submissions", "/healthz",
			"/readyz", "/nothing", "/", "/docs", "/openapi.json", "/playground", "/favicon.ico",
			"/graphql?query=" + url.QueryEscape(`{ tenant(domain: "shop.example") { products { items { slug titleFa description } } } }`),
			"/graphql?query=%7B+me+%7B+id+%7D+%7D", "/graphql?query=nothing",
		}
		for _, path := range publicReads(t, p) {
			paths = append(paths, "/api/v1"+path)
		}
		compressed := 0
		for _, path := range paths {
			for _, encoding := range []string{"identity", "gzip"} {
				asked := []string{"X-Request-Id", "same", "Accept-Encoding", encoding}
				get, head := p.at(t, "GET", path, asked...), p.at(t, "HEAD", path, asked...)
				if head.status != get.status || len(head.body) != 0 {
					t.Errorf("%s: %d with %d bytes, GET has %d", path, head.status, len(head.body), get.status)
				}
				for name := range get.header {
					if name != "Date" && strings.Join(get.header[name], "|") != strings.Join(head.header[name], "|") {
						t.Errorf("%s, %s: %s is %q, GET has %q", path, encoding, name, head.header[name], get.header[name])
					}
				}
				if len(head.header) != len(get.header) {
					t.Errorf("%s, %s: headers %v, GET has %v", path, encoding, head.header, get.header)
				}
				if head.header.Get("Content-Encoding") == "gzip" {
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
	eachWire(t, func(t *testing.T, p *place) {
		for _, path := range []string{
			"/api", "/api/v1", "/api/v1/", "/api/v2/cities", "/nothing", "/graphql/more", "/healthz/more",
			"/api/v1/tenants", "/api/v1" + shopPath + "/nothing", "/api/v1" + shopPath + "/products/drill/nothing",
			"/api/v1" + shopPath + "/website", "/api/v1/Cities", "/API/v1/cities", "/api/v1/cities/x/y",
			"/api/v1/tenants/",
			// what others would clean up and redirect
			"//", "//api/v1/cities", "/api//v1/cities", "/api/v1//cities", "/api/v1/cities//", "/api/v1/./cities",
			"/api/v1/../v1/cities",
			"/api/v1/cities/.", "/api/v1/cities/..", "/api/v1/tenants//products", "/api/v1" + shopPath +
				"/products/../products",
			"/api/v1%2Fcities", "/api/v1/cities%2F", "/%2e%2e/api/v1/cities",
			"/api/v1/tenants/shop.example%2Fproducts", "/api/v1" + shopPath + "/products/drill%2Fvariations",
			"/api/v1" + shopPath + "/%2e%2e", "/api/v1" + shopPath + "/products/%2e%2e",
			"/api/v1/tenants/%2e/products",
		} {
			for _, method := range []string{"GET", "POST", "PUT", "OPTIONS"} {
				got := p.at(t, method, path)
				if method != "GET" && got.status == 405 && strings.Contains(path, "%2") {
					continue // the path is known, its value is not
				}
				wantFault(t, got, 404, "NOT_FOUND")
				if got.header.Get("Location") != "" || t.Failed() {
					t.Fatalf("%s %s: Location %q", method, path, got.header.Get("Location"))
				}
			}
		}
	})
}

func TestOtherMethods(t *testing.T) {
	const read, write, both = "GET, HEAD", "POST", "GET, HEAD, POST"
	eachWire(t, func(t *testing.T, p *place) {
		for path, allow := range map[string]string{
			"/cities": read, "/cities/x": read, shopPath: read, shopPath + "/": read, shopPath + "/products": read,
			shopPath + "/products/drill": read, "/tenants/no.example/products": read, shopPath +
				"/store-items/x": read,
			shopPath + "/contact-submissions": write, shopPath + "/contact-submissions/": write,
			shopPath + "/comments": both, shopPath + "/expert-reviews": both, shopPath + "/blogs/x/comments": both,
		} {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"} {
				if strings.Contains(allow, method) {
					continue
				}
				got := p.at(t, method, "/api/v1"+path)
				wantFault(t, got, 405, "METHOD_NOT_ALLOWED")
				if got.header.Get("Allow") != allow {
					t.Errorf("%s %s: Allow is %q, want %q", method, path, got.header.Get("Allow"), allow)
				}
			}
		}
		for path, allow := range map[string]string{"/healthz": read, "/readyz": read, "/graphql": both} {
			got := p.at(t, "DELETE", path)
			wantStatus(t, got, 405)
			if got.header.Get("Allow") != allow {
				t.Errorf("%s: Allow is %q, want %q", path, got.header.Get("Allow"), allow)
			}
		}
	})
}

// TestOrderOfChecks checks that the route comes first, then body and parameters, then the records.
func TestOrderOfChecks(t *testing.T) {
	const broken = `{"title": `
	eachWire(t, func(t *testing.T, p *place) {
		wantFault(t, p.send(t, "POST", "/tenants/no.example/nothing", broken), 404, "NOT_FOUND")
		wantFault(t, p.send(t, "PUT", "/tenants/no.example/contact-submissions", broken), 405, "METHOD_NOT_ALLOWED")
		wantFault(t, p.send(t, "POST", "/tenants/no.example/contact-submissions", broken), 400, "BAD_REQUEST")
		wantFault(t, p.as(t, "text/plain", "POST", "/api/v1/tenants/no.example/contact-submissions", contact), 415,
			"UNSUPPORTED_MEDIA_TYPE")
		wantFault(t, p.send(t, "POST", "/tenants/no.example/contact-submissions", `{"name": "Sara"}`), 400,
			"VALIDATION_FAILED", "title", "text")
		wantFault(t, p.send(t, "POST", "/tenants/no.example/contact-submissions", contact), 404, "NOT_FOUND")
		for _, blog := range []string{"none", "%FF", "a%00b"} {
			wantFault(t, p.send(t, "POST", shopPath+"/blogs/"+blog+"/comments", broken), 400, "BAD_REQUEST")
			wantFault(t, p.send(t, "POST", shopPath+"/blogs/"+blog+"/comments", `{}`), 400, "VALIDATION_FAILED",
				"authorName", "text")
		}
		wantFault(t, p.get(t, "/tenants/no.example/products?page=0"), 400, "VALIDATION_FAILED", "page")
		wantFault(t, p.get(t, "/tenants/%FF/products?page=0"), 400, "VALIDATION_FAILED", "page")
	})
}
