package pages

import (
	"embed"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

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
