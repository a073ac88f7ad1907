package pages

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/wire"
)

//go:embed home.html
var homeHTML string

//go:embed home.css
var homeCSS string

//go:embed favicon.ico
var favicon []byte

// Shop is a shop that the home page names.
type Shop struct {
	Domain string `json:"domain"`
	Name   string `json:"name"`
	NameFa string `json:"nameFa"`
	URL    string `json:"url"` // relative to the page
}

// home is what there is at an installation, as the home page gives it to programs. The addresses are relative to it.
type home struct {
	Name       string `json:"name"`
	Staff      string `json:"staff"`
	Docs       string `json:"docs"`
	OpenAPI    string `json:"openapi"`
	REST       string `json:"rest"`
	GraphQL    string `json:"graphql"`
	Playground string `json:"playground,omitempty"`
	Shops      []Shop `json:"shops"`
}

// Home returns the handler of /: a page for people, and the same as JSON for programs. withPlayground adds the
// playground. shops returns the shops that it names to everybody; their URL is filled in here.
func Home(withPlayground bool, shops func(context.Context) []Shop) (http.Handler, error) {
	document, err := template.New("home").Parse(homeHTML)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(homeCSS))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !reads(w, r) {
			return
		}
		there := home{Name: "Storefront", Staff: "staff", Docs: "docs", OpenAPI: "openapi.json", REST: "api/v1",
			GraphQL: "graphql", Shops: []Shop{}}
		if withPlayground {
			there.Playground = "playground"
		}
		for _, shop := range shops(r.Context()) {
			shop.URL = there.REST + "/tenants/" + shop.Domain
			there.Shops = append(there.Shops, shop)
		}
		h := w.Header()
		h.Add("Vary", "Accept")
		var content bytes.Buffer
		if prefersHTML(r.Header) {
			h.Set("Content-Type", mediaTypes[".html"])
			h.Set("Content-Security-Policy", policy)
			h.Set("Referrer-Policy", "no-referrer")
			err = document.Execute(&content, struct {
				home
				Style template.CSS
			}{there, template.CSS(homeCSS)})
		} else {
			h.Set("Content-Type", mediaTypes[".json"])
			err = json.MarshalWrite(&content, there, jsontext.WithIndent("  "))
		}
		if err != nil {
			wire.WriteError(w, r, err)
			return
		}
		if !wire.Known(w, r, content.Bytes()) {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content.Bytes()))
		}
	}), nil
}

// prefersHTML reports whether a request asks for HTML rather than JSON, as browsers do.
func prefersHTML(h http.Header) bool {
	html, other := 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		media, parameters, _ := strings.Cut(part, ";")
		weight := 1.0
		if q, given := strings.CutPrefix(strings.TrimSpace(parameters), "q="); given {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		switch strings.ToLower(strings.TrimSpace(media)) {
		case "text/html":
			html = max(html, weight)
		case "application/json":
			other = max(other, weight)
		}
	}
	return html > 0 && html >= other
}

// Favicon returns the handler of /favicon.ico, which browsers ask for beside every answer that people open.
func Favicon() http.Handler {
	icon := pack("favicon.ico", favicon)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "/favicon.ico"
		if reads(w, r) {
			w.Header().Set("Cache-Control", "public, max-age=86400")
			icon.serve(w, r)
		}
	})
}
