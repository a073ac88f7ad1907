package pages

import (
	"embed"
	"net/http"

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
