package api_test

import (
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
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
	paths := []string{"/api/v1" + shoptest.ShopPath, "/api/v1" + shoptest.ShopPath + "/products?page=0",
		"/api/v1/tenants/no.example", "/api/v1/nothing", "/nothing", "/graphql"}
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range paths {
			for _, from := range allowedOrigins {
				got := p.At(t, "GET", path, "Origin", from)
				if got.Header.Get("Access-Control-Allow-Origin") != from || !varies(got, "Origin") {
					t.Errorf("%s from %s: got %v", path, from, got.Header)
				}
				exposed := strings.Split(strings.ToLower(got.Header.Get("Access-Control-Expose-Headers")), ", ")
				if slices.Sort(exposed); !slices.Equal(exposed, []string{"age", "etag", "idempotent-replayed",
					"retry-after", "warning", "x-request-id"}) {
					t.Errorf("%s exposes %q", path, exposed)
				}
			}
			for _, from := range foreignOrigins {
				if got := p.At(t, "GET", path, "Origin", from); shoptest.SharesAnything(got) ||
					!varies(got, "Origin") {
					t.Errorf("%s from %s: got %v", path, from, got.Header)
				}
			}
			if got := p.At(t, "GET", path); shoptest.SharesAnything(got) || !varies(got, "Origin") {
				t.Errorf("%s without an origin: got %v", path, got.Header)
			}
			if got := p.At(t, "GET", path, "Origin", "https://shop.example", "Origin",
				"https://shop.example"); shoptest.SharesAnything(got) {
				t.Errorf("%s with two origins: got %v", path, got.Header)
			}
		}
	})
}

func TestPreflight(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		ask := func(path, from, method, headers string) shoptest.Answer {
			asked := []string{"Origin", from, "Access-Control-Request-Method", method}
			if headers != "" {
				asked = append(asked, "Access-Control-Request-Headers", headers)
			}
			return p.At(t, "OPTIONS", path, asked...)
		}
		for _, path := range []string{"/api/v1" + shoptest.ShopPath + "/comments", "/graphql",
			"/api/v1/businesses/x/cart/items/y"} {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
				for _, from := range allowedOrigins {
					got := ask(path, from, method, "authorization,content-type,idempotency-key,if-none-match")
					if got.Status/100 != 2 || got.Header.Get("Access-Control-Allow-Origin") != from ||
						len(got.Body) > 0 ||
						got.Header.Get("Access-Control-Allow-Methods") != method || !varies(got, "Origin") ||
						got.Header.Get("Access-Control-Allow-Credentials") != "" {
						t.Errorf("%s %s from %s: got %d %v", method, path, from, got.Status, got.Header)
					}
				}
			}
			for _, refused := range []shoptest.Answer{
				ask(path, "https://no.example", "POST", "content-type"), ask(path, "null", "POST", ""),
				ask(path, "https://shop.example", "CONNECT", ""), ask(path, "https://shop.example", "TRACE", ""),
				ask(path, "https://shop.example", "POST", "x-api-key"), ask(path, "https://shop.example", "POST",
					"content-type,x-other"),
				ask(path, "http://shop.example", "GET", ""),
			} {
				if shoptest.SharesAnything(refused) || !varies(refused, "Origin") {
					t.Errorf("%s: %d %v", path, refused.Status, refused.Header)
				}
			}
		}
		for _, path := range []string{"/api/v1/public/sms/send", "/api/v1/public/sms/send/"} {
			if got := ask(path, "https://shop.example", "POST", "content-type"); shoptest.SharesAnything(got) ||
				!varies(got, "Origin") {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
			if got := p.At(t, "POST", path, "Origin", "https://shop.example"); shoptest.SharesAnything(got) {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
		}
	})
}
