package pages

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func shownGuides(t *testing.T) http.Handler {
	t.Helper()
	h, err := Guides(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var hrefs = regexp.MustCompile(`href="([^"]*)"`)

// TestGuidesLeadToEachOther follows every link of every guide, with and without a slash at the end of its
// path: each target must exist.
func TestGuidesLeadToEachOther(t *testing.T) {
	h := shownGuides(t)
	followed := 0
	for _, about := range listed {
		for _, at := range []string{"/guides/" + about.Name, "/guides/" + about.Name + "/"} {
			got := ask(h, "GET", at)
			if got.Code != 200 || got.Header().Get("Content-Type") != "text/html; charset=utf-8" {
				t.Fatalf("%s: %d %v", at, got.Code, got.Header())
			}
			for _, link := range hrefs.FindAllStringSubmatch(got.Body.String(), -1) {
				to, err := (&url.URL{Path: at}).Parse(strings.ReplaceAll(link[1], "&amp;", "&"))
				if err != nil || link[1] == "" {
					t.Errorf("%s: the link %q: %v", at, link[1], err)
					continue
				}
				if to.Host != "" || slices.Contains([]string{"/", "/favicon.ico"}, to.Path) {
					continue
				}
				followed++
				page := ask(h, "GET", to.Path)
				if page.Code != 200 ||
					to.Fragment != "" && !strings.Contains(page.Body.String(), ` id="`+to.Fragment+`"`) {
					t.Errorf("%s: %q leads nowhere: %d at %s", at, link[1], page.Code, to)
				}
			}
		}
	}
	if followed < 300 {
		t.Errorf("only %d links were followed", followed)
	}
}

// TestGuidesAreFound searches the guides.
func TestGuidesAreFound(t *testing.T) {
	h := shownGuides(t)
	find := func(query string, headers ...string) string {
		t.Helper()
		got := ask(h, "GET", "/guides?q="+url.QueryEscape(query), headers...)
		if got.Code != 200 {
			t.Fatalf("%q: got %d", query, got.Code)
		}
		return got.Body.String()
	}
	if page := find("WEBHOOK  secret"); !strings.Contains(page, `href="guides/`) ||
		strings.Contains(page, "No section") {
		t.Errorf("two words: %s", page)
	}
	if page := find("backups postgresql"); strings.Index(page, "#backups-of-postgresql") !=
		strings.Index(page, `<li><a href="guides/`)+len(`<li><a href="guides/operations`) {
		t.Errorf("a title is not the first: %s", page)
	}
	if page := find("zyzzyva"); !strings.Contains(page, "No section") {
		t.Errorf("what is nowhere: %s", page)
	}
	if page := find("the"); strings.Count(page, "<li>") != mostFound || !strings.Contains(page, "There are more") {
		t.Errorf("what is everywhere: %d", strings.Count(page, "<li>"))
	}
	if page := find(`"><script>alert(1)</script>`); strings.Contains(page, "<script") {
		t.Errorf("a script: %s", page)
	}
	for _, query := range []string{"", " ", "…", strings.Repeat("x ", 5000), "\xff\x00"} {
		find(query)
	}
	if page := find("", "Accept-Language", "fa"); !strings.Contains(page, `<html lang="fa" dir="rtl">`) ||
		!strings.Contains(page, "برای گردانندگان") {
		t.Errorf("in Farsi: %s", page)
	}
	if got := ask(h, "GET", "/guides/none"); got.Code != 404 {
		t.Errorf("an unknown guide: got %d", got.Code)
	}
	if got := ask(h, "POST", "/guides"); got.Code != 405 {
		t.Errorf("POST: got %d", got.Code)
	}
	first := ask(h, "GET", "/guides/shops")
	if again := ask(h, "GET", "/guides/shops", "If-None-Match", first.Header().Get("ETag")); again.Code != 304 {
		t.Errorf("to a client that has it: %d", again.Code)
	}
}

// TestRobots checks that robots.txt keeps crawlers out of the API.
func TestRobots(t *testing.T) {
	got := ask(Robots(), "GET", "/robots.txt")
	if got.Code != 200 || got.Header().Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.HasSuffix(got.Body.String(), "\nDisallow: /\n") {
		t.Errorf("%d %v %s", got.Code, got.Header(), got.Body)
	}
}
