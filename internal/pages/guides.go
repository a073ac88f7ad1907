package pages

import (
	"bytes"
	"cmp"
	_ "embed"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"

	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/platform/wire"
)

//go:embed guides.css
var guidesCSS string

const (
	guidesPath = "/guides"
	mostFound  = 50  // sections that a search shows
	mostQuery  = 200 // characters of a search; more are cut off
)

// guides are the documents of the project as pages, and the sections that a search finds.
type guides struct {
	policy string
	list   []*guide
	byName map[string]*guide
}

// guidesShown is what a page shows. guide is nil for the first one, which has the list or the search results.
type guidesShown struct {
	words  guidesWords
	root   string // the address of /guides, relative to the page
	guides []*guide
	guide  *guide
	query  string
	found  []foundSection
	more   bool
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

// Guides returns the handler of /guides and the paths below it: the documents of the folder docs, in Markdown, as
// pages, with a search over their sections.
func Guides(files fs.FS) (http.Handler, error) {
	all := &guides{byName: map[string]*guide{}, policy: policyOf(homeCSS+guidesCSS, "'self'")}
	for _, about := range listed {
		one, err := readGuide(files, about)
		if err != nil {
			return nil, err
		}
		all.list = append(all.list, one)
		all.byName[one.Name] = one
	}
	return all, nil
}

func (all *guides) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = guidesPath
	if !reads(w, r) {
		return
	}
	below := strings.TrimPrefix(r.URL.Path, guidesPath)
	name := strings.Trim(below, "/")
	shown := guidesShown{guides: all.list, guide: all.byName[name],
		root: cmp.Or(strings.Repeat("../", strings.Count(below, "/")), "./") + "guides"}
	switch {
	case name != "" && shown.guide == nil:
		wire.WriteError(w, r, fault.New(fault.NotFound, "there is no such guide; they are listed at %s", guidesPath))
		return
	case name == "":
		query := []rune(r.URL.Query().Get("q"))
		shown.query = string(query[:min(len(query), mostQuery)])
		shown.found, shown.more = all.find(shown.query)
	}
	shown.words = guidesIn[speak(w.Header(), r, all.policy)]
	var content bytes.Buffer
	err := guidesDocument(shown).Render(&content)
	sendFresh(w, r, content.Bytes(), err)
}

// address returns the address of a guide, where root is that of /guides.
func (of *guide) address(root string) string { return path.Join(root, of.Name) }

func guidesDocument(shown guidesShown) g.Node {
	words, title := shown.words, shown.words.Title
	if shown.guide != nil {
		title = shown.guide.Title + " – " + title
	}
	return document(words.Language, words.Direction,
		g.Group{
			bothSchemes(),
			TitleEl(g.Text(title)),
			pageIcon(shown.root + "/../favicon.ico"),
			StyleEl(g.Raw(homeCSS + guidesCSS)),
		},
		Class("guides"),
		Header(
			Nav(anchor(shown.root+"/../", words.Home), g.Text(" "), anchor(shown.root, words.All)),
			Form(Role("search"), Action(shown.root),
				Input(Type("search"), Name("q"), Value(shown.query), MaxLength(strconv.Itoa(mostQuery)),
					Aria("label", words.Find), Placeholder(words.Find)),
				Button(g.Text(words.Search)),
			),
		),
		Main(shown.content()),
	)
}

func (shown guidesShown) content() g.Node {
	words := shown.words
	if shown.guide != nil {
		return shown.guide.article(shown.root, words)
	}
	start := g.Group{H1(g.Text(words.Title)), P(g.Text(words.About + " " + words.Note))}
	if shown.query != "" {
		return append(start,
			Ol(Class("found"), Lang("en"), Dir("ltr"), g.Map(shown.found, func(of foundSection) g.Node {
				return Li(anchor(of.Guide.address(shown.root)+"#"+of.Section.ID, of.Guide.Title+": "+of.Section.Title),
					g.Text(" "), P(g.Text(of.Excerpt)))
			})),
			g.If(len(shown.found) == 0, P(Role("status"), g.Text(words.Nothing))),
			g.If(shown.more, P(g.Text(words.MoreFound))),
		)
	}
	return append(start, Ul(g.Map(shown.guides, func(of *guide) g.Node {
		about := of.About
		if words.Language == string(language.Farsi) {
			about = of.AboutFa
		}
		return Li(A(Href(of.address(shown.root)), bdi(g.Text(of.Title))), g.Text(" "), Span(g.Text(about)))
	})))
}

// article returns the text of a guide after its contents, where root is the address of /guides.
func (of *guide) article(root string, words guidesWords) g.Node {
	return Article(Lang("en"), Dir("ltr"),
		Details(
			Summary(Lang(words.Language), Dir(words.Direction), g.Text(words.Contents)),
			Ul(g.Map(of.Sections, func(s section) g.Node {
				return g.If(s.Level == 2 || s.Level == 3,
					Li(Class("level"+strconv.Itoa(s.Level)), anchor("#"+s.ID, s.Title)))
			})),
		),
		g.Raw(strings.ReplaceAll(of.body, `href="`+guideScheme, `href="`+root+"/")),
	)
}
