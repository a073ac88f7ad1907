package pages

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	g "maragu.dev/gomponents"
)

// hostile ends an attribute and an element, and begins a script.
const hostile = `"'></title></style></bdi></code><script>alert(1)</script><img src=x onerror=alert(1)>&lt;`

var (
	tag   = regexp.MustCompile(`<[^>]*>`)
	value = regexp.MustCompile(`="[^"]*"`)
)

// tags returns the tags of a document, without the values of their attributes.
func tags(document string) []string {
	return tag.FindAllString(value.ReplaceAllString(document, ""), -1)
}

// homeOf returns the home page with a shop.
func homeOf(t *testing.T, version string, shop Shop) http.Handler {
	t.Helper()
	h := Home(version, true, func(context.Context) []Shop { return []Shop{shop} })
	return h
}

// TestTextsAreEscaped checks that names of shops, versions and searches add no tag and no attribute to a page.
func TestTextsAreEscaped(t *testing.T) {
	home := func(text string) string {
		shop := Shop{Domain: text, Name: text, NameFa: text}
		return ask(homeOf(t, text, shop), "GET", "/", "Accept", "text/html").Body.String()
	}
	search := func(text string) string {
		return ask(shownGuides(t), "GET", "/guides?q="+url.QueryEscape(text)).Body.String()
	}
	staff := func(text string) string { return show(t, staffDocument(".", "./x", []string{text}, text)) }
	for name, page := range map[string]func(string) string{"home": home, "search": search, "staff": staff} {
		got := page(hostile)
		if !slices.Equal(tags(got), tags(page("zyzzyva"))) {
			t.Errorf("%s: a text is part of the page: got %s", name, got)
		}
		if !strings.Contains(got, "&lt;script&gt;") || !strings.Contains(got, "&amp;lt;") {
			t.Errorf("%s does not show the text: got %s", name, got)
		}
	}
}

// TestAddressesAreOurs checks that the domain of a shop is one segment of the path that a link has, so that it
// can name neither another scheme, host or path nor a query.
func TestAddressesAreOurs(t *testing.T) {
	for _, domain := range []string{"javascript:alert(1)", "//other.example", "a/../../x", "a?b#c", hostile,
		"فروشگاه.example"} {
		page := ask(homeOf(t, "1", Shop{Domain: domain}), "GET", "/", "Accept", "text/html").Body.String()
		_, link, _ := strings.Cut(page, `href="api/v1/tenants/`)
		link, _, _ = strings.Cut(link, `"`)
		if got, err := url.PathUnescape(strings.ReplaceAll(link, "&amp;", "&")); err != nil || got != domain ||
			strings.ContainsAny(link, "/?#<>") {
			t.Errorf("%q: the link ends in %q: %v", domain, link, err)
		}
	}
}

// TestExamplesEndNoScript checks that the JSON of the playground cannot end the element that it lies in, and that
// the page reads what was written.
func TestExamplesEndNoScript(t *testing.T) {
	written := []string{hostile, "<!-- <script>", "]]>", "\u2028", `\u003c`, "فارسی"}
	examples, err := inScript(written)
	if err != nil {
		t.Fatal(err)
	}
	page := show(t, playgroundDocument(".", "./x", examples))
	_, text, _ := strings.Cut(page, `id="examples">`)
	text, _, _ = strings.Cut(text, "</script>")
	var read []string
	if err := json.Unmarshal([]byte(text), &read); err != nil || !slices.Equal(read, written) ||
		strings.ContainsAny(text, "<>&") {
		t.Errorf("got %q: %v", text, err)
	}
}

// TestStylesAreAllowed checks that the policy of a page names the hash of its style.
func TestStylesAreAllowed(t *testing.T) {
	for _, got := range []struct {
		page http.Handler
		path string
	}{{homeOf(t, "1", Shop{}), "/"}, {shownGuides(t), "/guides"}, {shownGuides(t), "/guides/shops"}} {
		answer := ask(got.page, "GET", got.path, "Accept", "text/html")
		_, style, _ := strings.Cut(answer.Body.String(), "<style>")
		style, _, found := strings.Cut(style, "</style>")
		sum := sha256.Sum256([]byte(style))
		if policy := answer.Header().Get("Content-Security-Policy"); !found ||
			!strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("%s: the policy %s refuses the style %q", got.path, policy, style)
		}
	}
}

// TestPagesAreTheSameAgain checks that a document of the same content is the same bytes, which its ETag is made of.
func TestPagesAreTheSameAgain(t *testing.T) {
	for path, h := range shown(t) {
		first, again := ask(h, "GET", path).Header().Get("ETag"), ask(shown(t)[path], "GET", path).Header().Get("ETag")
		if first != again {
			t.Errorf("%s: got the ETag %s, then %s", path, first, again)
		}
	}
}

// show renders a document.
func show(t *testing.T, document g.Node) string {
	t.Helper()
	var text strings.Builder
	if err := document.Render(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
