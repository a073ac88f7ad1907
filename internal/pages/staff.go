package pages

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
)

// The scripts, style and notices of the page of staff, which "make staff" builds from staff/src. The names of the
// scripts that every visit needs are in first.txt, and those that each screen needs beside them in parts.json.
//
//go:embed staff/built
var staffBuilt embed.FS

//go:embed staff.html
var staffHTML string

// staffPolicy lets the page load its own files, call its own host, and show images of any host over HTTPS,
// as products have them. The hashes are of two style sheets that React Aria inserts: for touch on buttons,
// and against scrolling behind a dialog.
const staffPolicy = "default-src 'none'; script-src 'self'; " +
	"style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' " +
	"'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='; img-src 'self' https: data: blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Staff returns the handler of the page of a shop's staff at /staff and of the files below it.
func Staff() (http.Handler, error) {
	document, err := template.New("staff").Parse(staffHTML)
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(staffBuilt, "staff/built")
	if err != nil {
		return nil, err
	}
	files, err := packAll(folder)
	if err != nil {
		return nil, err
	}
	files["icon.svg"] = pack("icon.svg", icon)
	parts := struct {
		First []string
		Parts string
	}{strings.Fields(string(files["first.txt"].plain())), string(files["parts.json"].plain())}
	delete(files, "first.txt")
	delete(files, "parts.json")
	return newPage("/staff", staffPolicy, document, parts, files)
}
