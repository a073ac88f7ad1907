// Package pages serves the pages that people open in a browser: that of a shop's staff at /staff, GraphiQL at
// /playground, the API reference at /docs, and at / a page that leads to them. Each is embedded in the binary with
// all its files and loads nothing from another host. Package app gives the handlers to the server; the pages
// themselves call /graphql and /openapi.json. All their addresses are relative, so that they work below any path of
// a reverse proxy.
package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"

	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/platform/wire"
)

// page is an HTML document at a path and the files that it loads from below that path. The folder of the
// files is named after their content, so that browsers may cache them forever.
type page struct {
	path     string // "/docs"
	document *file  // at the path
	below    *file  // the same for the path with a slash at its end, with links relative to that
	policy   string // Content-Security-Policy of the document
	files    map[string]*file
}

// newPage returns the page of a document, which is given the address of / and that of the folder of the files.
func newPage(
	path, policy string, files map[string]*file, document func(root, folder string) g.Node,
) (*page, error) {
	folder := folderOf(files)
	p := &page{path: path, policy: policy, files: map[string]*file{}}
	for root, to := range map[string]**file{".": &p.document, "..": &p.below} {
		var text bytes.Buffer
		if err := document(root, root+path+"/"+folder).Render(&text); err != nil {
			return nil, err
		}
		*to = pack("index.html", text.Bytes())
	}
	for name, f := range files {
		p.files[folder+"/"+name] = f
	}
	return p, nil
}

// document returns an HTML document. The texts and attributes in it are escaped, but for those of g.Raw. An address is
// not checked: one that begins with javascript: would run, so addresses come from this program alone.
func document(lang, dir string, head g.Group, body ...g.Node) g.Node {
	return Doctype(HTML(Lang(lang), g.If(dir != "", Dir(dir)),
		Head(
			Meta(Charset("utf-8")),
			Meta(Name("viewport"), Content("width=device-width, initial-scale=1")),
			head,
		),
		Body(body...),
	))
}

// anchor returns a link with a text to an address that begins with a path of the service. Names of shops in it are
// escaped by url.PathEscape.
func anchor(address, text string) g.Node { return A(Href(address), g.Text(text)) }

// module returns the script of a page, which is a module.
func module(address string) g.Node { return Script(Type("module"), Src(address)) }

// stylesheet returns a link to a file of CSS.
func stylesheet(address string) g.Node { return Link(Rel("stylesheet"), Href(address)) }

// pageIcon returns a link to the icon of a page.
func pageIcon(address string) g.Node { return Link(Rel("icon"), Href(address)) }

// bothSchemes says that a page has light and dark colours.
func bothSchemes() g.Node { return Meta(Name("color-scheme"), Content("light dark")) }

func bdi(children ...g.Node) g.Node { return g.El("bdi", children...) }

// folderOf returns the name of the folder of the files, a hash of their names and content.
func folderOf(files map[string]*file) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum.Write([]byte(name))
		sum.Write(files[name].packed)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = p.path
	if !reads(w, r) {
		return
	}
	h := w.Header()
	below := strings.Trim(strings.TrimPrefix(r.URL.Path, p.path), "/")
	if below == "" {
		h.Set("Content-Security-Policy", p.policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "public, no-cache")
		if strings.HasSuffix(r.URL.Path, "/") {
			p.below.serve(w, r)
		} else {
			p.document.serve(w, r)
		}
		return
	}
	f := p.files[below]
	if f == nil {
		wire.WriteError(w, r,
			fault.New(fault.NotFound, "there is nothing at this path; the page is at %s", p.path))
		return
	}
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	f.serve(w, r)
}

// reads reports whether a request is a GET or HEAD; it answers others.
func reads(w http.ResponseWriter, r *http.Request) bool {
	err := wire.OnlyRead(w, r)
	if err != nil {
		wire.WriteError(w, r, err)
	}
	return err == nil
}

// policyOf returns the Content-Security-Policy of a page that has a style within it and no script. forms is where its
// forms may lead.
func policyOf(style, forms string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'self'; base-uri 'none'; form-action " + forms + "; frame-ancestors 'none'"
}

// speak returns the language of a page for a request, and sets the headers of the page.
func speak(h http.Header, r *http.Request, policy string) language.Language {
	spoken := language.Choose(strings.Join(r.Header.Values("Accept-Language"), ","))
	h.Add("Vary", "Accept-Language")
	h.Set("Content-Language", string(spoken))
	h.Set("Content-Type", mediaTypes[".html"])
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	return spoken
}

// sendFresh sends content that was made for a request, or the error of making it.
func sendFresh(w http.ResponseWriter, r *http.Request, content []byte, err error) {
	switch {
	case err != nil:
		wire.WriteError(w, r, err)
	case !wire.Known(w, r, content):
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}
