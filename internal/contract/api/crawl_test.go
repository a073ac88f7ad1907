package api_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// fileOf sends a request for a file of a shop.
func fileOf(t testing.TB, p *shoptest.Place, method, path, body string, headers ...string) shoptest.Answer {
	t.Helper()
	return p.Fetch(t, method, "/shops/"+path, strings.NewReader(body), headers...)
}

// textOf returns the text of a file of a shop, which must exist.
func textOf(t testing.TB, p *shoptest.Place, path string) string {
	t.Helper()
	got := fileOf(t, p, "GET", path, "")
	if got.Status != 200 {
		t.Fatalf("%s: got %d %s", path, got.Status, got.Body)
	}
	return string(got.Body)
}

// located is an entry of a sitemap or of a sitemap index.
type located struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod"`
	Links   []struct {
		Language string `xml:"hreflang,attr"`
		Address  string `xml:"href,attr"`
	} `xml:"http://www.w3.org/1999/xhtml link"`
}

func read(t testing.TB, text string) []located {
	t.Helper()
	var found struct {
		Parts []located `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
		URLs  []located `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	}
	if err := xml.Unmarshal([]byte(text), &found); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return slices.Concat(found.Parts, found.URLs)
}

// sitemapsOf returns all parts of the sitemap of a shop by name, and their entries by address.
func sitemapsOf(
	t testing.TB, p *shoptest.Place, domain, base string,
) (parts map[string]string, all map[string]located) {
	t.Helper()
	parts, all = map[string]string{}, map[string]located{}
	for _, part := range read(t, textOf(t, p, domain+"/sitemap.xml")) {
		name, ok := strings.CutPrefix(part.Loc, base+"/")
		if !ok {
			t.Fatalf("a part is at %s", part.Loc)
		}
		parts[name] = textOf(t, p, domain+"/"+name)
		newest := ""
		for _, url := range read(t, parts[name]) {
			if _, twice := all[url.Loc]; twice {
				t.Errorf("%s is there twice", url.Loc)
			}
			all[url.Loc] = url
			newest = max(newest, url.LastMod)
		}
		if part.LastMod != newest {
			t.Errorf("%s: changed at %q, want %q", name, part.LastMod, newest)
		}
	}
	return parts, all
}

// toolsInSitemap are the paths of the public pages of the first shop.
var toolsInSitemap = []string{
	"/", "/blog/hello", "/blog/oil", "/blog/sharpen", "/categories/drills", "/categories/gifts", "/categories/power",
	"/categories/saws", "/categories/tools", "/portfolio/bridge", "/portfolio/house",
	"/products/%D8%A2%DA%86%D8%A7%D8%B1-%DA%A9%D9%84%DB%8C%D8%AF%DB%8C", "/products/drill", "/products/hammer",
	"/products/mallet", "/products/mug", "/products/plain", "/products/saw",
}

// forSearch selects the fields for search engines.
const forSearch = `canonicalUrl jsonLd
	products(pageSize: 100) { items { slug inStore price canonicalUrl jsonLd breadcrumbsJsonLd } }
	categories { slug canonicalUrl breadcrumbsJsonLd } brands { canonicalUrl }
	blogs { items { slug canonicalUrl jsonLd } } portfolios { items { slug canonicalUrl } }
	userProducts { items { canonicalUrl } }`

type forSearchData struct {
	CanonicalURL, JSONLd string
	Products             struct {
		Items []struct {
			Slug, CanonicalURL, JSONLd, BreadcrumbsJSONLd string
			InStore                                       bool
			Price                                         *json.Number
		}
	}
	Categories []struct{ Slug, CanonicalURL, BreadcrumbsJSONLd string }
	Brands     []struct{ CanonicalURL *string }
	Blogs      struct {
		Items []struct{ Slug, CanonicalURL, JSONLd string }
	}
	Portfolios struct {
		Items []struct{ Slug, CanonicalURL string }
	}
	UserProducts struct {
		Items []struct{ CanonicalURL *string }
	}
}

// TestShopsAreFound checks the files for search engines by validators, and against the public records of a shop.
func TestShopsAreFound(t *testing.T) {
	installAudit(t)
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		parts, all := sitemapsOf(t, p, "tools.example", "https://tools.example")
		var paths []string
		for address := range all {
			path, ok := strings.CutPrefix(address, "https://tools.example")
			if !ok {
				t.Errorf("%s is elsewhere", address)
			}
			paths = append(paths, path)
		}
		if slices.Sort(paths); !slices.Equal(paths, toolsInSitemap) {
			t.Errorf("got %q, want %q", paths, toolsInSitemap)
		}
		var shop struct {
			Data struct{ Tenant forSearchData }
		}
		p.Graph(t, shoptest.AboutTools(forSearch), &shop)
		told := shop.Data.Tenant
		jsonLd, named := map[string]string{"shop": told.JSONLd}, []string{told.CanonicalURL}
		for _, one := range told.Products.Items {
			named = append(named, one.CanonicalURL)
			jsonLd["trail of "+one.Slug] = one.BreadcrumbsJSONLd
			if one.Price != nil && strings.Contains(one.JSONLd, `"image"`) { // Google wants both
				jsonLd["product "+one.Slug] = one.JSONLd
			}
		}
		for _, one := range told.Categories {
			named = append(named, one.CanonicalURL)
			jsonLd["category "+one.Slug] = one.BreadcrumbsJSONLd
		}
		for _, one := range told.Blogs.Items {
			named = append(named, one.CanonicalURL)
			jsonLd["blog "+one.Slug] = one.JSONLd
		}
		for _, one := range told.Portfolios.Items {
			named = append(named, one.CanonicalURL)
		}
		for _, address := range named {
			if _, ok := all[address]; !ok {
				t.Errorf("the page %s is not in the sitemap", address)
			}
			delete(all, address)
		}
		if len(all) > 0 {
			t.Errorf("no record has the pages %v", all)
		}
		for _, one := range told.Brands {
			if one.CanonicalURL != nil {
				t.Errorf("a brand has the page %s", *one.CanonicalURL)
			}
		}
		for _, one := range told.UserProducts.Items {
			if one.CanonicalURL != nil {
				t.Errorf("a listing has the page %s", *one.CanonicalURL)
			}
		}
		findNothing(t, len(parts), len(paths), map[string]any{
			"robots": textOf(t, p, "tools.example/robots.txt"), "robotsURL": "https://tools.example/robots.txt",
			"index": textOf(t, p, "tools.example/sitemap.xml"), "sitemaps": parts, "jsonLd": jsonLd,
			"feeds": map[string]string{"google": textOf(t, p, "tools.example/feeds/google.xml")},
		})
	})
}

// findNothing runs npm's validators on the files of a shop, which must report nothing.
func findNothing(t *testing.T, parts, addresses int, files map[string]any) {
	t.Helper()
	text, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "files.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var said struct {
		What, Problem            string
		Parts, Addresses, JSONLd int
	}
	for _, line := range runAudit(t, "found.mjs", name) {
		if err := json.Unmarshal(line, &said); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if said.Problem != "" {
			t.Errorf("%s: %s", said.What, said.Problem)
		}
	}
	if said.Parts != parts || said.Addresses != addresses || said.JSONLd == 0 {
		t.Errorf("got %+v, want %d parts with %d addresses", said, parts, addresses)
	}
}

// TestFilesOfShopsOverHTTP checks status codes, headers and caching of the files.
func TestFilesOfShopsOverHTTP(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		for _, name := range []string{
			"sitemap.xml", "robots.txt", "feeds/google.xml", "feeds/google-en.xml", "sitemaps/product-0.xml",
			"sitemaps/home.xml",
		} {
			path := "tools.example/" + name
			got := fileOf(t, c.Place, "GET", path, "", "Accept-Encoding", "identity")
			tag := got.Header.Get("ETag")
			if got.Status != 200 || tag == "" || got.Header.Get("Cache-Control") != "public, no-cache" {
				t.Errorf("%s: got %d %v", path, got.Status, got.Header)
			}
			head := fileOf(t, c.Place, "HEAD", path, "")
			if head.Status != 200 || len(head.Body) > 0 || head.Header.Get("ETag") != tag ||
				head.Header.Get("Content-Type") != got.Header.Get("Content-Type") {
				t.Errorf("HEAD %s: got %d %v", path, head.Status, head.Header)
			}
			known := fileOf(t, c.Place, "GET", path, "", "If-None-Match", tag)
			if known.Status != 304 || len(known.Body) > 0 {
				t.Errorf("%s again: got %d %s", path, known.Status, known.Body)
			}
			got = fileOf(t, c.Place, "POST", path, "")
			if got.Status != 405 || got.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("POST %s: got %d %v", path, got.Status, got.Header)
			}
		}
		zipped := fileOf(t, c.Place, "GET", "tools.example/feeds/google.xml", "", "Accept-Encoding", "gzip")
		if zipped.Header.Get("Content-Encoding") != "gzip" || !strings.HasSuffix(zipped.Header.Get("ETag"), `-gzip"`) {
			t.Errorf("got %v", zipped.Header)
		}
		mark := strings.Repeat("0", 48)
		for _, path := range []string{
			"", "tools.example", "no.example/sitemap.xml", "tools.example/sitemaps/product.xml",
			"tools.example/sitemaps/home-0.xml", "tools.example/sitemaps/brand-0.xml",
			"tools.example/sitemaps/order-0.xml",
			"tools.example/sitemaps/product-1.xml", "tools.example/sitemaps/product-0-.xml",
			"tools.example/sitemaps/product-0-" + mark + ".xml", "tools.example/sitemaps/product-" + mark + "0.xml",
			"tools.example/sitemaps/product-" + strings.Repeat("f", 48) + ".xml", "tools.example/feeds/google-de.xml",
			"tools.example/feeds/x.xml", "tools.example/x", "xn--mgbp4e7t.example/sitemaps/product-0.xml",
			"%ff/sitemap.xml",
		} {
			for _, method := range []string{"GET", "HEAD"} {
				if got := fileOf(t, c.Place, method, path, ""); got.Status != 404 || got.Header.Get("ETag") != "" {
					t.Errorf("%s %s: got %d %v", method, path, got.Status, got.Header)
				}
			}
		}
		before := fileOf(t, c.Place, "GET", "tools.example/sitemap.xml", "").Header.Get("ETag")
		owner := c.Staff(t, c.Tools, record.Owner)
		owner.Do(t, `mutation($shop: ID!) { createProduct(businessId: $shop, slug: "new-one",
			input: {titleFa: "نو", status: published}) { id } }`, map[string]any{"shop": c.Tools}, nil)
		after := fileOf(t, c.Place, "GET", "tools.example/sitemap.xml", "", "If-None-Match", before)
		if after.Status != 200 {
			t.Errorf("after a change: got %d", after.Status)
		}
		got := textOf(t, c.Place, "tools.example/sitemaps/product-0.xml")
		if !strings.Contains(got, "/products/new-one<") {
			t.Errorf("the new product is not in %s", got)
		}
		owner.Do(t, `mutation($shop: ID!) { changeProductSlug(businessId: $shop, slug: "new-one",
			newSlug: "newest") { id } }`, map[string]any{"shop": c.Tools}, nil)
		got = textOf(t, c.Place, "tools.example/sitemaps/product-0.xml")
		if strings.Contains(got, "new-one") || !strings.Contains(got, "/products/newest<") {
			t.Errorf("after it is renamed: got %s", got)
		}
		owner.Do(t, `mutation($shop: ID!) { closeShop(businessId: $shop) { shopAccess { domain } } }`,
			map[string]any{"shop": c.Tools}, nil)
		for _, path := range []string{"sitemap.xml", "robots.txt", "feeds/google.xml", "sitemaps/product-0.xml"} {
			got := fileOf(t, c.Place, "GET", "tools.example/"+path, "", "If-None-Match", before)
			if got.Status != 503 || got.Header.Get("Retry-After") == "" {
				t.Errorf("%s of a closed shop: got %d %s", path, got.Status, got.Body)
			}
		}
	})
}
