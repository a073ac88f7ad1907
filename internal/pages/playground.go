package pages

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
)

// The script, style and notices of the playground, which "make playground" builds from web.
//
//go:embed built
var built embed.FS

//go:embed playground.html
var playgroundHTML string

// playgroundPolicy lets the page load its own files and call its own host. The editor writes style elements.
const playgroundPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Playground returns the handler of GraphiQL at /playground and of the files below it.
func Playground() (http.Handler, error) {
	document, err := template.New("playground").Parse(playgroundHTML)
	if err != nil {
		return nil, err
	}
	examples, err := Examples()
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(built, "built")
	if err != nil {
		return nil, err
	}
	files, err := packAll(folder)
	if err != nil {
		return nil, err
	}
	files["icon.svg"] = pack("icon.svg", icon)
	data := struct {
		Examples []Example `json:"examples"`
		IDs      string    `json:"ids"`
	}{examples, IDs}
	return newPage("/playground", playgroundPolicy, document, data, files)
}
