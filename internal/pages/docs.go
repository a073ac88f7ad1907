package pages

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
)

// docsFolder holds the API reference, a page of our own that reads /openapi.json. Scalar and RapiDoc need
// inline styles, which the page's Content-Security-Policy refuses; Swagger UI has 142 texts with too little
// contrast and no dark mode; none of them finds the ids that an example needs.
//
//go:embed docs
var docsFolder embed.FS

//go:embed docs.html
var docsHTML string

//go:embed icon.svg
var icon []byte

const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Docs returns the handler of the API reference at /docs and of the files below it. withPlayground adds a
// link to the playground.
func Docs(withPlayground bool) (http.Handler, error) {
	document, err := template.New("docs").Parse(docsHTML)
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(docsFolder, "docs")
	if err != nil {
		return nil, err
	}
	files, err := packAll(folder)
	if err != nil {
		return nil, err
	}
	files["icon.svg"] = pack("icon.svg", icon)
	return newPage("/docs", docsPolicy, document, withPlayground, files)
}
