package contract_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// publicReads has a route of each kind that answers a GET.
func publicReads(t testing.TB, p *place) []string {
	product := idOf(t, p, shopPath+"/products/drill", "product")
	return []string{
		shopPath, shopPath + "/website/business-info", shopPath + "/website/sliders", shopPath +
			"/website/category-groups",
		shopPath + "/website/brand-groups", shopPath + "/store-specials", shopPath + "/categories",
		shopPath + "/products",
		shopPath + "/products/drill", shopPath + "/products/drill/variations", shopPath +
			"/products/drill/technical-info",
		shopPath + "/user-products", shopPath + "/user-products/old-lathe", shopPath +
			"/user-products/old-lathe/technical-info",
		shopPath + "/store-items", shopPath + "/store-items/by-product/" + product, shopPath + "/blogs", shopPath +
			"/blogs/news",
		shopPath + "/portfolios", shopPath + "/portfolios/bridge", shopPath +
			"/comments?entityType=product&entityId=" + product,
		shopPath + "/expert-reviews?productId=" + product, "/cities", "/cities?level=country",
	}
}

// wantTagOfCoding checks the ETag of an answer for a client that accepts gzip, tag being that of the plain one: one
// of its own where the answer is compressed, which is 304 only to clients that accept gzip. It returns how many
// answers were compressed, 0 or 1.
func wantTagOfCoding(t *testing.T, p *place, path, tag string) int {
	t.Helper()
	got := p.at(t, "GET", "/api/v1"+path, "Accept-Encoding", "gzip")
	own := got.header.Get("ETag")
	if got.header.Get("Content-Encoding") != "gzip" {
		if own != tag {
			t.Errorf("%s: not compressed, the ETag is %s, and %s without gzip", path, own, tag)
		}
		return 0
	}
	if own == tag || len(own) < 3 || strings.HasPrefix(own, "W/") {
		t.Errorf("%s: compressed, the ETag is %s, and %s without gzip", path, own, tag)
	}
	if again := p.at(t, "GET", "/api/v1"+path, "Accept-Encoding", "gzip", "If-None-Match", own); again.status != 304 ||
		again.header.Get("ETag") != own || len(again.body) > 0 || !varies(again, "Accept-Encoding") {
		t.Errorf("%s: to a client that has it compressed %d %v", path, again.status, again.header)
	}
	if plain := p.at(t, "GET", "/api/v1"+path, "If-None-Match", own); plain.status != 200 {
		t.Errorf("%s: to a client that has it compressed and accepts no gzip %d", path, plain.status)
	}
	return 1
}

func TestEntityTags(t *testing.T) {
	strong := regexp.MustCompile(`^"[!#-~]+"$`)
	eachWire(t, func(t *testing.T, p *place) {
		tags := map[string]string{}
		compressedAnswers := 0
		for _, path := range publicReads(t, p) {
			plain := p.at(t, "GET", "/api/v1"+path)
			tag := plain.header.Get("ETag")
			if !strong.MatchString(tag) || plain.header.Get("Cache-Control") != "public, no-cache" {
				t.Errorf("%s: ETag %s, Cache-Control %q", path, tag, plain.header.Get("Cache-Control"))
			}
			if other, known := tags[tag]; known && other != string(plain.body) {
				t.Errorf("%s: the ETag is that of another body", path)
			}
			tags[tag] = string(plain.body)
			for _, again := range []answer{
				p.at(t, "GET", "/api/v1"+path),
				p.at(t, "GET", "/api/v1"+path, "Authorization", "Bearer x", "Origin", "https://shop.example"),
			} {
				if again.header.Get("ETag") != tag {
					t.Errorf("%s: the ETag is %s, then %s", path, tag, again.header.Get("ETag"))
				}
			}
			compressedAnswers += wantTagOfCoding(t, p, path, tag)
			for _, sent := range []string{
				tag, "W/" + tag, "*", `"other", ` + tag, tag + `, "other"`, `W/"other" ,W/` + tag, `"a","b",` + tag +
					`,"c"`, ` ` + tag + ` `,
			} {
				for _, encoding := range []string{"identity", "gzip"} {
					got := p.at(t, "GET", "/api/v1"+path, "If-None-Match", sent, "Accept-Encoding", encoding)
					if got.status != 304 || len(got.body) > 0 || got.header.Get("ETag") != tag ||
						got.header.Get("Content-Encoding") != "" ||
						got.header.Get("Cache-Control") != "public, no-cache" || !varies(got, "Accept-Encoding") ||
						!varies(got, "Origin") {
						t.Errorf("%s, If-None-Match %s, %s: %d %v", path, sent, encoding, got.status, got.header)
					}
				}
				wantStatus(t, p.at(t, "HEAD", "/api/v1"+path, "If-None-Match", sent), 304)
			}
			if got := p.at(t, "GET", "/api/v1"+path, "If-None-Match", `"a"`, "If-None-Match", tag); got.status != 304 {
				t.Errorf("%s, If-None-Match in two lines: %d", path, got.status)
			}
			for _, sent := range []string{`"other"`, strings.Trim(tag, `"`), `W/"other"`, "", ",", `"*"`,
				strings.ToUpper(tag), tag[:8] + `"`} {
				if got := p.at(t, "GET", "/api/v1"+path, "If-None-Match", sent); got.status != 200 ||
					!bytes.Equal(got.body, plain.body) {
					t.Errorf("%s, If-None-Match %s: %d", path, sent, got.status)
				}
			}
		}
		if compressedAnswers == 0 {
			t.Error("no answer was compressed")
		}
		// An error is no version of the record.
		wantFault(t, p.get(t, shopPath+"/products/none", "If-None-Match", "*"), 404, "NOT_FOUND")
		wantFault(t, p.get(t, shopPath+"/products?page=0", "If-None-Match", "*"), 400, "VALIDATION_FAILED", "page")
	})
}

// varies reports whether an answer says that it depends on a request header.
func varies(got answer, header string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(strings.Join(got.header["Vary"], ","), " ", ""),
		","), header)
}

func TestWritesAndErrorsAreNotKept(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		wrote := p.send(t, "POST", shopPath+"/contact-submissions", contact, "If-None-Match", "*")
		wantStatus(t, wrote, 201)
		if wrote.header.Get("Cache-Control") != "no-store" || wrote.header.Get("ETag") != "" {
			t.Errorf("a write: %v", wrote.header)
		}
		for _, path := range []string{"/healthz", "/readyz"} {
			if got := p.at(t, "GET", path); got.status != 200 || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d %v", path, got.status, got.header)
			}
		}
	})
}

func TestGzip(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		for _, path := range []string{shopPath + "/products/drill", "/cities", shopPath} {
			plain := p.at(t, "GET", "/api/v1"+path)
			long := len(plain.body) > 1024
			for accepted, packs := range map[string]bool{
				"": false, "identity": false, "br": false, "gzip;q=0": false, "gzip;q=0.0, identity": false,
				"gzip": true, "GZIP": true, "br, gzip": true, "gzip;q=0.5": true, "deflate, gzip;q=1.0, *;q=0.5": true,
			} {
				got := p.at(t, "GET", "/api/v1"+path, "Accept-Encoding", accepted)
				if !varies(got, "Accept-Encoding") || got.status != 200 {
					t.Errorf("%s, Accept-Encoding %s: %d, Vary %q", path, accepted, got.status, got.header["Vary"])
				}
				packed := got.header.Get("Content-Encoding") == "gzip"
				if packed != (packs && long) {
					t.Errorf("%s, Accept-Encoding %s: packed is %t", path, accepted, packed)
				}
				if packed {
					got.body = unpack(t, got.body)
				}
				if !bytes.Equal(got.body, plain.body) {
					t.Errorf("%s, Accept-Encoding %s: another body", path, accepted)
				}
			}
		}
		// What asks for gzip may send an error too, and a validation error may be long.
		got := p.at(t, "GET", "/api/v1"+shopPath+"/products?page=0", "Accept-Encoding", "gzip")
		wantFault(t, got, 400, "VALIDATION_FAILED", "page")
		many := `{"positivePoints": [` + strings.Repeat(`"",`, 19) + `""]}`
		request, err := http.NewRequestWithContext(t.Context(), "POST", p.url+"/api/v1"+shopPath+"/expert-reviews",
			strings.NewReader(many))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "gzip")
		if long := p.perform(t, request); long.status != 400 || !bytes.Contains(unpack(t, long.body),
			[]byte("positivePoints.19")) {
			t.Errorf("a long error: %d %v", long.status, long.header)
		}
	})
}

func unpack(t testing.TB, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// TestPublicRoutesDoNotLookAtAuthorization checks that no credential, however broken, changes a public
// answer.
func TestPublicRoutesDoNotLookAtAuthorization(t *testing.T) {
	eachWire(t, func(t *testing.T, p *place) {
		for _, path := range append(publicReads(t, p), shopPath+"/products/none", shopPath+"/products?page=0") {
			plain := p.at(t, "GET", "/api/v1"+path, "X-Request-Id", "same")
			for _, credential := range []string{"Bearer", "Bearer ", "Bearer x.y.z", "Basic eDp5", "\xff\xfe",
				"Bearer " + strings.Repeat("x", 8000), "x", ""} {
				got := p.at(t, "GET", "/api/v1"+path, "Authorization", credential, "X-Request-Id", "same")
				if got.status != plain.status || !bytes.Equal(got.body, plain.body) ||
					got.header.Get("ETag") != plain.header.Get("ETag") ||
					varies(got, "Authorization") {
					t.Errorf("%s with Authorization %.20q: %d %.200s", path, credential, got.status, got.body)
				}
			}
		}
		wantStatus(t, p.send(t, "POST", shopPath+"/contact-submissions", contact, "Authorization", "Bearer x"), 201)
	})
}
