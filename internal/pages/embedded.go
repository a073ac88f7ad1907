package pages

import (
	"embed"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// docsFolder holds the API reference, a page of our own that reads /openapi.json. Scalar and RapiDoc need
// inline styles, which the page's Content-Security-Policy refuses; Swagger UI has 142 texts with too little
// contrast and no dark mode; none of them finds the ids that an example needs.
//
//go:embed docs
var docsFolder embed.FS

//go:embed icon.svg
var icon []byte

const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Docs returns the handler of the API reference at /docs and of the files below it. withPlayground adds a
// link to the playground.
func Docs(withPlayground bool) (http.Handler, error) {
	files, err := filesOf(docsFolder, "docs")
	if err != nil {
		return nil, err
	}
	return newPage("/docs", docsPolicy, files, func(root, folder string) g.Node {
		return docsDocument(root, folder, withPlayground)
	})
}

func docsDocument(root, folder string, withPlayground bool) g.Node {
	return document("en", "",
		g.Group{
			bothSchemes(),
			TitleEl(g.Text("Storefront API")),
			pageIcon(folder + "/icon.svg"),
			stylesheet(folder + "/docs.css"),
			stylesheet(folder + "/operation.css"),
			stylesheet(folder + "/try.css"),
			module(folder + "/main.js"),
		},
		Header(Class("top"),
			A(Class("name"), Href(root+"/"), g.Text("Storefront "), Span(g.Text("REST API"))),
			Input(ID("search"), Type("search"), Placeholder("Search routes, parameters, words   /"),
				Aria("label", "Search"), AutoComplete("off"), g.Attr("spellcheck", "false")),
			Nav(
				g.If(withPlayground, anchor(root+"/playground", "GraphQL playground")),
				anchor(root+"/openapi.json", "openapi.json"),
				Button(ID("theme"), Type("button"), Aria("label", "Light or dark"), g.Text("◐")),
			),
		),
		Div(Class("columns"),
			Nav(ID("contents"), Aria("label", "Routes")),
			Main(ID("routes"), NoScript(
				g.Text("This page needs JavaScript; "),
				anchor(root+"/openapi.json", "openapi.json"),
				g.Text(" is what it shows."),
			)),
		),
	)
}

// The script, style and notices of the playground, which "make playground" builds from web.
//
//go:embed built
var built embed.FS

// playgroundPolicy lets the page load its own files and call its own host. The editor writes style elements.
const playgroundPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Playground returns the handler of GraphiQL at /playground and of the files below it.
func Playground() (http.Handler, error) {
	examples, err := Examples()
	if err != nil {
		return nil, err
	}
	files, err := filesOf(built, "built")
	if err != nil {
		return nil, err
	}
	data, err := inScript(struct {
		Examples []Example `json:"examples"`
		IDs      string    `json:"ids"`
	}{examples, IDs})
	if err != nil {
		return nil, err
	}
	return newPage("/playground", playgroundPolicy, files, func(root, folder string) g.Node {
		return playgroundDocument(root, folder, data)
	})
}

// inScript returns a value as JSON for a script element: browsers read no escapes there, so that a "<" within a
// string is written as \u003c, which ends no script.
func inScript(value any) (g.Node, error) {
	text, err := json.Marshal(value, jsontext.EscapeForHTML(true))
	return Script(Type("application/json"), ID("examples"), g.Raw(string(text))), err
}

func playgroundDocument(root, folder string, examples g.Node) g.Node {
	return document("en", "",
		g.Group{
			TitleEl(g.Text("Storefront GraphQL")),
			pageIcon(folder + "/icon.svg"),
			stylesheet(folder + "/playground.css"),
			examples,
			module(folder + "/playground.js"),
		},
		Data("root", root), Data("notices", folder+"/notices.txt"),
		Div(ID("playground"), NoScript(
			g.Text("The playground needs JavaScript. The schema is the text that "),
			Code(g.Text("storefront schema")),
			g.Text(" prints."),
		)),
	)
}

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
