package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/language"
	"storefront/internal/wire"
)

//go:embed guides.html
var guidesHTML string

//go:embed guides.css
var guidesCSS string

const (
	guidesPath = "/guides"
	mostFound  = 50  // sections that a search shows
	mostQuery  = 200 // characters of a search; more are cut off
)

// guides are the documents of the project as pages, and the sections that a search finds.
type guides struct {
	document *template.Template
	policy   string
	list     []*guide
	byName   map[string]*guide
}

// guidesShown is the data of the template. Guide is nil for the first page, which has the list or the search results.
type guidesShown struct {
	Style  template.CSS
	Words  guidesWords
	Root   string // the address of /guides, relative to the page
	Guides []*guide
	Guide  *guide
	Query  string
	Found  []foundSection
	More   bool
}

type guidesWords struct {
	Language, Direction                                                       string
	Title, About, Find, Search, Nothing, MoreFound, Home, All, Contents, Note string
}

var guidesIn = map[language.Language]guidesWords{
	language.English: {
		Language: "en", Direction: "ltr", Title: "Guides",
		About: "How to open a shop, build a storefront and run the service.",
		Find:  "Words to find in the guides", Search: "Search",
		Nothing: "No section has all of these words.", MoreFound: "There are more; add a word.",
		Home: "Home", All: "All guides", Contents: "Contents",
	},
	language.Farsi: {
		Language: "fa", Direction: "rtl",
		Title:     "راهنماها",
		About:     "برای فروشگاه‌داران، سازندگان ویترین و گردانندگان.",
		Find:      "واژه‌هایی برای جست‌وجو در راهنماها",
		Search:    "جست‌وجو",
		Nothing:   "هیچ بخشی همهٔ این واژه‌ها را ندارد.",
		MoreFound: "موارد بیشتری هست؛ واژه‌ای بیفزایید.",
		Home:      "خانه",
		All:       "همهٔ راهنماها",
		Contents:  "فهرست",
		Note:      "متن راهنماها به انگلیسی است.",
	},
}

// Guides returns the handler of /guides and the paths below it: the documents of docs, a folder of Markdown, as pages,
// with a search over their sections.
func Guides(docs fs.FS) (http.Handler, error) {
	document, err := template.New("guides").Parse(guidesHTML)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(homeCSS + guidesCSS))
	g := &guides{document: document, byName: map[string]*guide{},
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"}
	for _, about := range listed {
		one, err := readGuide(docs, about)
		if err != nil {
			return nil, err
		}
		g.list = append(g.list, one)
		g.byName[one.Name] = one
	}
	return g, nil
}

func (g *guides) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = guidesPath
	if !reads(w, r) {
		return
	}
	below := strings.TrimPrefix(r.URL.Path, guidesPath)
	name := strings.Trim(below, "/")
	spoken := language.Choose(strings.Join(r.Header.Values("Accept-Language"), ","))
	shown := guidesShown{Style: template.CSS(homeCSS + guidesCSS), Words: guidesIn[spoken], Guides: g.list,
		Guide: g.byName[name], Root: cmp.Or(strings.Repeat("../", strings.Count(below, "/")), "./") + "guides"}
	switch {
	case name != "" && shown.Guide == nil:
		wire.WriteError(w, r, fault.New(fault.NotFound, "there is no such guide; they are listed at %s", guidesPath))
		return
	case name == "":
		query := []rune(r.URL.Query().Get("q"))
		shown.Query = string(query[:min(len(query), mostQuery)])
		shown.Found, shown.More = g.find(shown.Query)
	}
	var content bytes.Buffer
	if err := g.document.Execute(&content, shown); err != nil {
		wire.WriteError(w, r, err)
		return
	}
	h := w.Header()
	h.Add("Vary", "Accept-Language")
	h.Set("Content-Language", string(spoken))
	h.Set("Content-Type", mediaTypes[".html"])
	h.Set("Content-Security-Policy", g.policy)
	h.Set("Referrer-Policy", "no-referrer")
	if !wire.Known(w, r, content.Bytes()) {
		_, _ = w.Write(content.Bytes())
	}
}

// Address returns the address of a guide, where root is that of /guides.
func (g *guide) Address(root string) string { return path.Join(root, g.Name) }

// BodyAt returns the text of a guide, where root is the address of /guides.
func (g *guide) BodyAt(root string) template.HTML {
	return template.HTML(strings.ReplaceAll(g.body, `href="`+guideScheme, `href="`+root+"/"))
}
