package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shown returns the pages by path.
func shown(t *testing.T) map[string]http.Handler {
	t.Helper()
	playground, err := Playground()
	if err != nil {
		t.Fatal(err)
	}
	docs, err := Docs(true)
	if err != nil {
		t.Fatal(err)
	}
	staff, err := Staff()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]http.Handler{"/playground": playground, "/docs": docs, "/staff": staff}
}

// linksOf returns the paths of the files that a document at a path links to.
func linksOf(t *testing.T, at string, document []byte) (paths []string) {
	t.Helper()
	for _, link := range linked.FindAllSubmatch(document, -1) {
		to, err := (&url.URL{Path: at}).Parse(string(link[1]))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, to.Path)
	}
	return paths
}

// ask sends a request to a page; headers come in pairs.
func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// linked matches links to files.
var linked = regexp.MustCompile(`(?:href|src|data-notices)="([./]+[a-z]+/[0-9a-f]{16}/[^"]+)"`)

func TestPages(t *testing.T) {
	for path, h := range shown(t) {
		document := ask(h, "GET", path)
		files := linksOf(t, path, document.Body.Bytes())
		if document.Code != 200 || document.Header().Get("Content-Type") != "text/html; charset=utf-8" ||
			len(files) < 4 {
			t.Fatalf("%s: %d %v %s", path, document.Code, document.Header(), document.Body)
		}
		if got := ask(h, "GET", path+"/"); !slices.Equal(linksOf(t, path+"/", got.Body.Bytes()), files) {
			t.Errorf("%s/ has other files: got %d %s", path, got.Code, got.Body)
		}
		if strings.Contains(document.Body.String(), `="/`) {
			t.Errorf("%s names an address that is lost behind a proxy's prefix: %s", path, document.Body)
		}
		for _, address := range append(files, path, path+"/") {
			serves(t, h, address)
			kept := "public, max-age=31536000, immutable"
			if strings.TrimSuffix(address, "/") == path {
				kept = "public, no-cache"
			}
			if got := ask(h, "GET", address).Header().Get("Cache-Control"); got != kept {
				t.Errorf("%s: Cache-Control %q", address, got)
			}
		}
	}
}

// serves checks a document or one of its files: the same content plain and compressed, by GET and by HEAD,
// and 304 for a client that has it.
func serves(t *testing.T, h http.Handler, address string) {
	t.Helper()
	plain, packed := ask(h, "GET", address), ask(h, "GET", address, "Accept-Encoding", "br, gzip;q=0.5")
	if plain.Code != 200 || packed.Code != 200 || plain.Header().Get("Content-Encoding") != "" ||
		packed.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("%s: %d %v, by gzip %d %v", address, plain.Code, plain.Header(), packed.Code, packed.Header())
	}
	content, err := unpack(packed.Body.Bytes())
	if err != nil || !bytes.Equal(content, plain.Body.Bytes()) || len(content) == 0 {
		t.Errorf("%s: by gzip it is another content, or none: %v", address, err)
	}
	for _, header := range []string{"gzip;q=0", "gzip; q=0.0", "identity", "br"} {
		if got := ask(h, "GET", address, "Accept-Encoding", header); got.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: Accept-Encoding %s gets %v", address, header, got.Header())
		}
	}
	if head := ask(h, "HEAD", address); head.Code != 200 || head.Body.Len() > 0 ||
		head.Header().Get("Content-Length") != plain.Header().Get("Content-Length") {
		t.Errorf("%s: HEAD answers %d %v", address, head.Code, head.Header())
	}
	tag, packedTag := plain.Header().Get("ETag"), packed.Header().Get("ETag")
	if tag == "" || packedTag == "" || packedTag == tag {
		t.Errorf("%s: ETag %q, by gzip %q", address, tag, packedTag)
	}
	for encoding, held := range map[string]string{"gzip": packedTag, "identity": tag} {
		got := ask(h, "GET", address, "If-None-Match", held, "Accept-Encoding", encoding)
		if got.Code != 304 || got.Body.Len() > 0 || got.Header().Get("ETag") != held {
			t.Errorf("%s, %s: to a client that has it %d with %d bytes", address, encoding, got.Code, got.Body.Len())
		}
	}
	if got := ask(h, "GET", address, "If-None-Match", packedTag); got.Code != 200 {
		t.Errorf("%s: a client that has it compressed and takes it plain gets %d", address, got.Code)
	}
	if got := ask(h, "GET", address, "If-None-Match", `"other"`, "Range", "bytes=1-2"); got.Code != 200 ||
		got.Body.Len() != plain.Body.Len() {
		t.Errorf("%s: to who has another %d with %d bytes", address, got.Code, got.Body.Len())
	}
}

func TestPagesRefuse(t *testing.T) {
	for path, h := range shown(t) {
		for address, want := range map[string]int{path + "/nothing": 404, path + "/0123456789abcdef/icon.svg": 404} {
			got := ask(h, "GET", address)
			var refused struct{ Code string }
			err := json.Unmarshal(got.Body.Bytes(), &refused)
			if err != nil || got.Code != want || refused.Code != "NOT_FOUND" ||
				got.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d %v %s", address, got.Code, got.Header(), got.Body)
			}
		}
		if got := ask(h, "POST", path); got.Code != 405 || got.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: %d %v", path, got.Code, got.Header())
		}
	}
}

// TestPolicies checks that a page may only run its own scripts, call its own host, and not be framed.
func TestPolicies(t *testing.T) {
	for path, h := range shown(t) {
		got := ask(h, "GET", path)
		rules := strings.Split(got.Header().Get("Content-Security-Policy"), "; ")
		want := []string{"default-src 'none'", "script-src 'self'", "connect-src 'self'",
			"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"}
		if path == "/staff" {
			want = append(want, "require-trusted-types-for 'script'", "trusted-types inert ProseMirrorClipboard")
		}
		for _, rule := range want {
			if !slices.Contains(rules, rule) {
				t.Errorf("%s: got the policy %q, want %s in it", path, rules, rule)
			}
		}
		if got.Header().Get("Referrer-Policy") != "no-referrer" ||
			got.Header().Get("Cross-Origin-Opener-Policy") != "same-origin" ||
			!strings.Contains(got.Header().Get("Permissions-Policy"), "camera=()") {
			t.Errorf("%s: %v", path, got.Header())
		}
	}
}

// TestFolderFollowsContent checks that a changed file has another URL, as browsers cache the old one forever.
func TestFolderFollowsContent(t *testing.T) {
	one := map[string]*file{"a.js": pack("a.js", []byte("1")), "b.js": pack("b.js", []byte("2"))}
	two := map[string]*file{"a.js": pack("a.js", []byte("1")), "b.js": pack("b.js", []byte("3"))}
	if folderOf(one) == folderOf(two) {
		t.Errorf("both are in %s", folderOf(one))
	}
}

// TestBuilt checks that the built files can be unpacked, and that the notices name the libraries in the
// script.
func TestBuilt(t *testing.T) {
	entries, err := fs.ReadDir(built, "built")
	if err != nil || len(entries) != 3 {
		t.Fatalf("%v: %v", entries, err)
	}
	for _, entry := range entries {
		packed, err := fs.ReadFile(built, "built/"+entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		content, err := unpack(packed)
		if err != nil {
			t.Errorf("%s: %v", entry.Name(), err)
		}
		if entry.Name() == "notices.txt.gz" {
			for _, work := range []string{"graphiql 3.9.0", "react 18.3.1", "react-dom 18.3.1", "graphql 16.11.0",
				"Permission is hereby granted"} {
				if !strings.Contains(string(content), work) {
					t.Errorf("the notices do not name %s", work)
				}
			}
		}
	}
}

// TestStaffLoadsLittleAtFirst checks that the scripts which every visit to /staff loads stay small.
func TestStaffLoadsLittleAtFirst(t *testing.T) {
	const most = 250_000 // bytes, compressed
	h := shown(t)["/staff"]
	sum, scripts := 0, 0
	for _, address := range linksOf(t, "/staff", ask(h, "GET", "/staff").Body.Bytes()) {
		if strings.HasSuffix(address, ".js") {
			scripts++
			sum += ask(h, "GET", address, "Accept-Encoding", "gzip").Body.Len()
		}
	}
	if scripts < 2 || sum > most {
		t.Errorf("got %d scripts of %d bytes, want at most %d", scripts, sum, most)
	}
}

// TestDocsWithoutPlayground checks that the reference links to the playground only if there is one.
func TestDocsWithoutPlayground(t *testing.T) {
	alone, err := Docs(false)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(ask(alone, "GET", "/docs").Body.String(), "/playground") ||
		!strings.Contains(ask(shown(t)["/docs"], "GET", "/docs").Body.String(), `href="./playground"`) {
		t.Error("the link to the playground is wrong")
	}
}

// TestHome checks that people get a page and programs the same as JSON.
func TestHome(t *testing.T) {
	shops := func(context.Context) []Shop {
		return []Shop{{Domain: "shop.example", Name: "<b>", NameFa: "فروشگاه"}}
	}
	h := Home("1.2.3", true, shops)
	for accept, html := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/html;q=0": false,
		"text/html;q=0.5, application/json": false, "text/html": true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
		"text/html, application/json":                                     true,
	} {
		got := ask(h, "GET", "/", "Accept", accept)
		if is := got.Header().Get("Content-Type") == "text/html; charset=utf-8"; got.Code != 200 || is != html ||
			got.Header().Get("Vary") != "Accept" {
			t.Errorf("%q: %d %v", accept, got.Code, got.Header())
		}
		if again := ask(h, "GET", "/", "Accept", accept, "If-None-Match", got.Header().Get("ETag")); again.Code != 304 {
			t.Errorf("%q: to a client that has it %d", accept, again.Code)
		}
		if head := ask(h, "HEAD", "/", "Accept", accept); head.Code != 200 || head.Body.Len() > 0 {
			t.Errorf("%q: HEAD answers %d with %d bytes", accept, head.Code, head.Body.Len())
		}
	}
	page := ask(h, "GET", "/", "Accept", "text/html").Body.String()
	for _, part := range []string{`href="staff"`, `href="guides"`, "1.2.3", `href="docs"`, `href="playground"`,
		`href="openapi.json"`,
		`href="api/v1/tenants/shop.example"`, "&lt;b&gt;", "فروشگاه"} {
		if !strings.Contains(page, part) {
			t.Errorf("got the page %s\nwant %s in it", page, part)
		}
	}
	farsi := ask(h, "GET", "/", "Accept", "text/html", "Accept-Language", "fa")
	if page := farsi.Body.String(); !strings.Contains(page, `<html lang="fa" dir="rtl">`) ||
		farsi.Header().Get("Content-Language") != "fa" || strings.Contains(page, "Guides") {
		t.Errorf("in Farsi: %v %s", farsi.Header(), page)
	}
	if strings.Contains(page, `="/`) {
		t.Errorf("the page names an address that is lost behind a proxy's prefix: %s", page)
	}
	const want = `{"name":"Storefront","version":"1.2.3","staff":"staff","guides":"guides","docs":"docs",` +
		`"openapi":"openapi.json","rest":"api/v1",` +
		`"graphql":"graphql","playground":"playground","shops":[{"domain":"shop.example","name":"<b>",` +
		`"nameFa":"فروشگاه","url":"api/v1/tenants/shop.example"}]}`
	var compact bytes.Buffer
	if err := json.Compact(&compact, ask(h, "GET", "/").Body.Bytes()); err != nil || compact.String() != want {
		t.Errorf("%v: %s", err, compact.String())
	}
	if got := ask(h, "POST", "/"); got.Code != 405 || got.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", got.Code, got.Header())
	}
	alone := Home("1.2.3", false, func(context.Context) []Shop { return nil })
	if page := ask(alone, "GET", "/", "Accept", "text/html").Body.String(); strings.Contains(page, "playground") ||
		strings.Contains(page, "Demo") {
		t.Errorf("without playground and shops: %s", page)
	}
	icon := ask(Favicon(), "GET", "/favicon.ico")
	if icon.Code != 200 || icon.Header().Get("Content-Type") != "image/x-icon" ||
		!bytes.HasPrefix(icon.Body.Bytes(), []byte{0, 0, 1, 0}) {
		t.Errorf("the icon: %d %v", icon.Code, icon.Header())
	}
}
