// Package pages serves the pages that people open in a browser: GraphiQL at /playground and the API reference
// at /docs. Each is embedded in the binary with all its files and loads nothing from another host. Package
// app gives the handlers to the server; the pages themselves call /graphql and /openapi.json.
package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/wire"
)

// page is an HTML document at a path and the files that it loads from below that path. The folder of the
// files is named after their content, so that browsers may cache them forever.
type page struct {
	path     string // "/docs"
	document *file
	policy   string // Content-Security-Policy of the document
	files    map[string]*file
}

// newPage executes the document's template, which sees .Files, the folder of the files, and .Data.
func newPage(
	path, policy string, document *template.Template, data any, files map[string]*file,
) (*page, error) {
	folder := folderOf(files)
	var text bytes.Buffer
	err := document.Execute(&text, struct {
		Files string
		Data  any
	}{path + "/" + folder, data})
	if err != nil {
		return nil, err
	}
	p := &page{path: path, policy: policy, document: pack("index.html", text.Bytes()),
		files: map[string]*file{}}
	for name, f := range files {
		p.files[folder+"/"+name] = f
	}
	return p, nil
}

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
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		wire.WriteError(w, r, fault.New(fault.MethodNotAllowed, "this path takes GET and HEAD"))
		return
	}
	h := w.Header()
	below := strings.Trim(strings.TrimPrefix(r.URL.Path, p.path), "/")
	if below == "" {
		h.Set("Content-Security-Policy", p.policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "public, no-cache")
		p.document.serve(w, r)
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
