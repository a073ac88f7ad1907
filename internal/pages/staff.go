package pages

import (
	"embed"
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// The scripts, style and notices of the page of staff, which "make staff" builds from staff/src. The names of the
// scripts that every visit needs are in first.txt, and those that each screen needs beside them in parts.json.
//
//go:embed staff/built
var staffBuilt embed.FS

// staffPolicy lets the page load its own files, call its own host, and show images of any host over HTTPS, as products
// have them; the page does not load a customer's images from other hosts. The hashes are of two style sheets that React
// Aria inserts: for touch on buttons, and against scrolling behind a dialog. Two modules may parse HTML, both into
// documents without a window: ui/richtext.ts, and ProseMirror for pasted text.
const staffPolicy = "default-src 'none'; script-src 'self'; " +
	"style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' " +
	"'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='; img-src 'self' https: data: blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types inert ProseMirrorClipboard"

// Staff returns the handler of the page of a shop's staff at /staff and of the files below it.
func Staff() (http.Handler, error) {
	files, err := filesOf(staffBuilt, "staff/built")
	if err != nil {
		return nil, err
	}
	first, parts := strings.Fields(string(files["first.txt"].plain())), string(files["parts.json"].plain())
	delete(files, "first.txt")
	delete(files, "parts.json")
	return newPage("/staff", staffPolicy, files, func(root, folder string) g.Node {
		return staffDocument(root, folder, first, parts)
	})
}

func staffDocument(root, folder string, first []string, parts string) g.Node {
	return document("en", "",
		g.Group{
			Meta(Name("robots"), Content("noindex")),
			TitleEl(g.Text("Staff")),
			pageIcon(folder + "/icon.svg"),
			stylesheet(folder + "/staff.css"),
			g.Map(first, func(name string) g.Node { return Link(Rel("modulepreload"), Href(folder+"/"+name)) }),
			module(folder + "/start.js"),
			module(folder + "/staff.js"),
		},
		Data("root", root+"/"), Data("notices", folder+"/notices.txt"), Data("parts", parts),
		Div(ID("staff"), NoScript(
			g.Text("The page of staff needs JavaScript. The same is done through GraphQL."),
		)),
	)
}
