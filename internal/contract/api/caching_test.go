package api_test

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// publicReads has a route of each kind that answers a GET.
func publicReads(t testing.TB, p *shoptest.Place) []string {
	product := idOf(t, p, shoptest.ShopPath+"/products/drill", "product")
	return []string{
		shoptest.ShopPath, shoptest.ShopPath + "/website/business-info", shoptest.ShopPath +
			"/website/sliders", shoptest.ShopPath +
			"/website/category-groups",
		shoptest.ShopPath + "/website/brand-groups", shoptest.ShopPath +
			"/store-specials", shoptest.ShopPath + "/categories",
		shoptest.ShopPath + "/products",
		shoptest.ShopPath + "/products/drill", shoptest.ShopPath + "/products/drill/variations", shoptest.ShopPath +
			"/products/drill/technical-info",
		shoptest.ShopPath + "/user-products", shoptest.ShopPath + "/user-products/old-lathe", shoptest.ShopPath +
			"/user-products/old-lathe/technical-info",
		shoptest.ShopPath + "/store-items", shoptest.ShopPath + "/store-items/by-product/" +
			product, shoptest.ShopPath + "/blogs", shoptest.ShopPath +
			"/blogs/news",
		shoptest.ShopPath + "/portfolios", shoptest.ShopPath + "/portfolios/bridge", shoptest.ShopPath +
			"/comments?entityType=product&entityId=" + product,
		shoptest.ShopPath + "/expert-reviews?productId=" + product, "/cities", "/cities?level=country",
	}
}

// wantTagOfCoding checks the ETag of an answer for a client that accepts gzip. tag is that of the plain
// answer. A compressed answer has another ETag, for which only clients that accept gzip get 304. It returns
// how many answers were compressed, 0 or 1.
func wantTagOfCoding(t *testing.T, p *shoptest.Place, path, tag string) int {
	t.Helper()
	got := p.At(t, "GET", "/api/v1"+path, "Accept-Encoding", "gzip")
	own := got.Header.Get("ETag")
	if got.Header.Get("Content-Encoding") != "gzip" {
		if own != tag {
			t.Errorf("%s: got the ETag %s uncompressed, want %s", path, own, tag)
		}
		return 0
	}
	if own == tag || len(own) < 3 || strings.HasPrefix(own, "W/") {
		t.Errorf("%s: compressed, the ETag is %s, and %s without gzip", path, own, tag)
	}
	if again := p.At(t, "GET", "/api/v1"+path, "Accept-Encoding", "gzip", "If-None-Match",
		own); again.Status != 304 ||
		again.Header.Get("ETag") != own || len(again.Body) > 0 || !varies(again, "Accept-Encoding") {
		t.Errorf("%s: to a client that has it compressed %d %v", path, again.Status, again.Header)
	}
	if plain := p.At(t, "GET", "/api/v1"+path, "If-None-Match", own); plain.Status != 200 {
		t.Errorf("%s: to a client that has it compressed and accepts no gzip %d", path, plain.Status)
	}
	return 1
}

func TestEntityTags(t *testing.T) {
	strong := regexp.MustCompile(`^"[!#-~]+"$`)
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		tags := map[string]string{}
		compressedAnswers := 0
		for _, path := range publicReads(t, p) {
			plain := p.At(t, "GET", "/api/v1"+path)
			tag := plain.Header.Get("ETag")
			if !strong.MatchString(tag) || plain.Header.Get("Cache-Control") != "public, no-cache" {
				t.Errorf("%s: ETag %s, Cache-Control %q", path, tag, plain.Header.Get("Cache-Control"))
			}
			if other, known := tags[tag]; known && other != string(plain.Body) {
				t.Errorf("%s: the ETag is that of another body", path)
			}
			tags[tag] = string(plain.Body)
			for _, again := range []shoptest.Answer{
				p.At(t, "GET", "/api/v1"+path),
				p.At(t, "GET", "/api/v1"+path, "Authorization", "Bearer x", "Origin", "https://shop.example"),
			} {
				if again.Header.Get("ETag") != tag {
					t.Errorf("%s: got the ETag %s, want %s as before", path, again.Header.Get("ETag"), tag)
				}
			}
			compressedAnswers += wantTagOfCoding(t, p, path, tag)
			for _, sent := range []string{
				tag, "W/" + tag, "*", `"other", ` + tag, tag + `, "other"`, `W/"other" ,W/` + tag, `"a","b",` + tag +
					`,"c"`, ` ` + tag + ` `,
			} {
				for _, encoding := range []string{"identity", "gzip"} {
					got := p.At(t, "GET", "/api/v1"+path, "If-None-Match", sent, "Accept-Encoding", encoding)
					if got.Status != 304 || len(got.Body) > 0 || got.Header.Get("ETag") != tag ||
						got.Header.Get("Content-Encoding") != "" ||
						got.Header.Get("Cache-Control") != "public, no-cache" || !varies(got, "Accept-Encoding") ||
						!varies(got, "Origin") {
						t.Errorf("%s, If-None-Match %s, %s: got %d %v", path, sent, encoding, got.Status, got.Header)
					}
				}
				shoptest.WantStatus(t, p.At(t, "HEAD", "/api/v1"+path, "If-None-Match", sent), 304)
			}
			if got := p.At(t, "GET", "/api/v1"+path, "If-None-Match", `"a"`, "If-None-Match",
				tag); got.Status != 304 {
				t.Errorf("%s, If-None-Match in two lines: got %d", path, got.Status)
			}
			for _, sent := range []string{`"other"`, strings.Trim(tag, `"`), `W/"other"`, "", ",", `"*"`,
				strings.ToUpper(tag), tag[:8] + `"`} {
				if got := p.At(t, "GET", "/api/v1"+path, "If-None-Match", sent); got.Status != 200 ||
					!bytes.Equal(got.Body, plain.Body) {
					t.Errorf("%s, If-None-Match %s: got %d", path, sent, got.Status)
				}
			}
		}
		if compressedAnswers == 0 {
			t.Error("no answer was compressed")
		}
		// An error does not match an ETag.
		shoptest.WantFault(t, p.Get(t, shoptest.ShopPath+"/products/none", "If-None-Match", "*"), 404, "NOT_FOUND")
		shoptest.WantFault(t, p.Get(t, shoptest.ShopPath+"/products?page=0", "If-None-Match", "*"), 400,
			"VALIDATION_FAILED", "page")
	})
}

// varies reports whether an answer says that it depends on a request header.
func varies(got shoptest.Answer, header string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(strings.Join(got.Header["Vary"], ","), " ", ""),
		","), header)
}

func TestWritesAndErrorsAreNotKept(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		wrote := p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions", shoptest.ContactForm,
			"If-None-Match", "*")
		shoptest.WantStatus(t, wrote, 201)
		if wrote.Header.Get("Cache-Control") != "no-store" || wrote.Header.Get("ETag") != "" {
			t.Errorf("a write: %v", wrote.Header)
		}
		for _, path := range []string{"/healthz", "/readyz"} {
			if got := p.At(t, "GET", path); got.Status != 200 || got.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
		}
	})
}

func TestGzip(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range []string{shoptest.ShopPath + "/products/drill", "/cities", shoptest.ShopPath} {
			plain := p.At(t, "GET", "/api/v1"+path)
			long := len(plain.Body) > 1024
			for accepted, packs := range map[string]bool{
				"": false, "identity": false, "br": false, "gzip;q=0": false, "gzip;q=0.0, identity": false,
				"gzip": true, "GZIP": true, "br, gzip": true, "gzip;q=0.5": true, "deflate, gzip;q=1.0, *;q=0.5": true,
			} {
				got := p.At(t, "GET", "/api/v1"+path, "Accept-Encoding", accepted)
				if !varies(got, "Accept-Encoding") || got.Status != 200 {
					t.Errorf("%s, Accept-Encoding %s: %d, Vary %q", path, accepted, got.Status, got.Header["Vary"])
				}
				packed := got.Header.Get("Content-Encoding") == "gzip"
				if packed != (packs && long) {
					t.Errorf("%s, Accept-Encoding %s: packed is %t", path, accepted, packed)
				}
				if packed {
					got.Body = shoptest.Gunzip(t, got.Body)
				}
				if !bytes.Equal(got.Body, plain.Body) {
					t.Errorf("%s, Accept-Encoding %s: another body", path, accepted)
				}
			}
		}
		// What asks for gzip may send an error too, and a validation error may be long.
		got := p.At(t, "GET", "/api/v1"+shoptest.ShopPath+"/products?page=0", "Accept-Encoding", "gzip")
		shoptest.WantFault(t, got, 400, "VALIDATION_FAILED", "page")
		many := `{"positivePoints": [` + strings.Repeat(`"",`, 19) + `""]}`
		request, err := http.NewRequestWithContext(t.Context(), "POST",
			p.URL+"/api/v1"+shoptest.ShopPath+"/expert-reviews",
			strings.NewReader(many))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "gzip")
		if long := p.Perform(t, request); long.Status != 400 || !bytes.Contains(shoptest.Gunzip(t, long.Body),
			[]byte("positivePoints.19")) {
			t.Errorf("a long error: %d %v", long.Status, long.Header)
		}
	})
}

// TestPublicRoutesDoNotLookAtAuthorization checks that no credential, however broken, changes a public
// answer.
func TestPublicRoutesDoNotLookAtAuthorization(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range append(publicReads(t, p), shoptest.ShopPath+"/products/none",
			shoptest.ShopPath+"/products?page=0") {
			plain := p.At(t, "GET", "/api/v1"+path, "X-Request-Id", "same")
			for _, credential := range []string{"Bearer", "Bearer ", "Bearer x.y.z", "Basic eDp5", "\xff\xfe",
				"Bearer " + strings.Repeat("x", 8000), "x", ""} {
				got := p.At(t, "GET", "/api/v1"+path, "Authorization", credential, "X-Request-Id", "same")
				if got.Status != plain.Status || !bytes.Equal(got.Body, plain.Body) ||
					got.Header.Get("ETag") != plain.Header.Get("ETag") ||
					varies(got, "Authorization") {
					t.Errorf("%s with Authorization %.20q: %d %.200s", path, credential, got.Status, got.Body)
				}
			}
		}
		shoptest.WantStatus(t, p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions",
			shoptest.ContactForm, "Authorization", "Bearer x"), 201)
	})
}
