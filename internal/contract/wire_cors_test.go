package contract_test

import (
	"slices"
	"strings"
	"testing"
)

// allowedOrigins may call the service: those of these shops' tenants, and a developer's own machine.
var allowedOrigins = []string{
	"https://shop.example", "https://www.shop.example", "https://customer.shop.example",
	"https://a.b.c.shop.example",
	"https://xn--mgbtj4c7ad63e.example", "https://www.xn--mgbtj4c7ad63e.example",
	"http://localhost", "http://localhost:3000", "https://localhost:8443", "http://127.0.0.1:5173",
	"http://127.1.2.3", "http://[::1]:8080",
}

var foreignOrigins = []string{
	"null", "https://no.example", "https://example", "https://notshop.example",
	"https://shop.example.evil.example", "https://shop-example",
	"http://shop.example", "http://www.shop.example", "https://shop.example:8443", "https://shop.example:443",
	"https://shop.example/",
	"https://shop.example.", "https://user@shop.example", "https://فروشگاه.example", "shop.example",
	"//shop.example",
	"ftp://shop.example", "file://", "*", "", "http://localhost.evil.example", "http://127.0.0.1.evil.example",
	"http://10.0.0.1", "http://0.0.0.0",
	"https://shop.example https://no.example", "https://shop.example, https://shop.example", "https://" +
		strings.Repeat("a.", 500) + "shop.example",
	"https://%73hop.example", "chrome-extension://abcdef",
}

func TestCrossOrigin(t *testing.T) {
	paths := []string{"/api/v1" + shopPath, "/api/v1" + shopPath + "/products?page=0",
		"/api/v1/tenants/no.example", "/api/v1/nothing", "/nothing", "/graphql"}
	eachWire(t, func(t *testing.T, p *place) {
		for _, path := range paths {
			for _, from := range allowedOrigins {
				got := p.at(t, "GET", path, "Origin", from)
				if got.header.Get("Access-Control-Allow-Origin") != from || !varies(got, "Origin") {
					t.Errorf("%s from %s: %v", path, from, got.header)
				}
				exposed := strings.Split(strings.ToLower(got.header.Get("Access-Control-Expose-Headers")), ", ")
				if slices.Sort(exposed); !slices.Equal(exposed, []string{"etag", "idempotent-replayed", "retry-after",
					"x-request-id"}) {
					t.Errorf("%s exposes %q", path, exposed)
				}
			}
			for _, from := range foreignOrigins {
				if got := p.at(t, "GET", path, "Origin", from); sharesAnything(got) || !varies(got, "Origin") {
					t.Errorf("%s from %s: %v", path, from, got.header)
				}
			}
			if got := p.at(t, "GET", path); sharesAnything(got) || !varies(got, "Origin") {
				t.Errorf("%s without an origin: %v", path, got.header)
			}
			if got := p.at(t, "GET", path, "Origin", "https://shop.example", "Origin",
				"https://shop.example"); sharesAnything(got) {
				t.Errorf("%s with two origins: %v", path, got.header)
			}
		}
	})
}

// sharesAnything reports whether an answer lets a page of another origin read it.
func sharesAnything(got answer) bool {
	for name := range got.header {
		if strings.HasPrefix(name, "Access-Control-") {
			return true
		}
	}
	return false
}

func TestPreflight(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		ask := func(path, from, method, headers string) answer {
			asked := []string{"Origin", from, "Access-Control-Request-Method", method}
			if headers != "" {
				asked = append(asked, "Access-Control-Request-Headers", headers)
			}
			return p.at(t, "OPTIONS", path, asked...)
		}
		for _, path := range []string{"/api/v1" + shopPath + "/comments", "/graphql",
			"/api/v1/businesses/x/cart/items/y"} {
			for _, method := range []string{"GET", "HEAD", "POST", "PATCH", "DELETE"} {
				for _, from := range allowedOrigins {
					got := ask(path, from, method, "authorization,content-type,idempotency-key,if-none-match")
					if got.status/100 != 2 || got.header.Get("Access-Control-Allow-Origin") != from || len(got.body) > 0 ||
						got.header.Get("Access-Control-Allow-Methods") != method || !varies(got, "Origin") ||
						got.header.Get("Access-Control-Allow-Credentials") != "" {
						t.Errorf("%s %s from %s: %d %v", method, path, from, got.status, got.header)
					}
				}
			}
			for _, refused := range []answer{
				ask(path, "https://no.example", "POST", "content-type"), ask(path, "null", "POST", ""),
				ask(path, "https://shop.example", "PUT", ""), ask(path, "https://shop.example", "TRACE", ""),
				ask(path, "https://shop.example", "POST", "x-api-key"), ask(path, "https://shop.example", "POST",
					"content-type,x-other"),
				ask(path, "http://shop.example", "GET", ""),
			} {
				if sharesAnything(refused) || !varies(refused, "Origin") {
					t.Errorf("%s: %d %v", path, refused.status, refused.header)
				}
			}
		}
		for _, path := range []string{"/api/v1/public/sms/send", "/api/v1/public/sms/send/"} {
			if got := ask(path, "https://shop.example", "POST", "content-type"); sharesAnything(got) ||
				!varies(got, "Origin") {
				t.Errorf("%s: %d %v", path, got.status, got.header)
			}
			if got := p.at(t, "POST", path, "Origin", "https://shop.example"); sharesAnything(got) {
				t.Errorf("%s: %d %v", path, got.status, got.header)
			}
		}
	})
}
