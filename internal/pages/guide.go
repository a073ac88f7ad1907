package pages

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"storefront/internal/locale/search"
)

// guideAbout describes a document of docs, in both languages.
type guideAbout struct{ Name, About, AboutFa string }

// listed are the documents to show, in this order.
var listed = []guideAbout{
	{Name: "shops", About: "for the people of a shop: from an empty one to the first report",
		AboutFa: "برای اهل فروشگاه: از فروشگاه خالی تا نخستین گزارش"},
	{Name: "storefronts", About: "for builders of storefronts",
		AboutFa: "برای سازندگان ویترین"},
	{Name: "customers", About: "accounts, carts and orders, step by step",
		AboutFa: "حساب، سبد و سفارش، گام‌به‌گام"},
	{Name: "webhooks", About: "what programs receive, and how they answer",
		AboutFa: "خبرهایی که به برنامه‌ها می‌رسد و پاسخ آن‌ها"},
	{Name: "bundle", About: "a shop as one file",
		AboutFa: "یک فروشگاه در یک پرونده"},
	{Name: "operations", About: "for operators: settings, backups, upgrades",
		AboutFa: "برای گردانندگان: تنظیم، پشتیبان و ارتقا"},
	{Name: "runbook", About: "for operators: what to do when something is wrong",
		AboutFa: "برای گردانندگان: هنگام خرابی چه کنیم"},
	{Name: "scaling", About: "many shops, several servers",
		AboutFa: "فروشگاه‌های بسیار، چند کارساز"},
	{Name: "contract", About: "every route, record, rule, error and limit",
		AboutFa: "همهٔ مسیرها، رکوردها، قاعده‌ها، خطاها و حدها"},
	{Name: "architecture", About: "how the service is built",
		AboutFa: "ساختمان سرویس"},
	{Name: "figures", About: "how fast it is, and how that was measured",
		AboutFa: "سرعت آن، و چگونگی اندازه‌گیری"},
}

// guide is a document as a page.
type guide struct {
	guideAbout
	Title    string
	body     string // HTML, made from the project's own Markdown alone
	Sections []section
}

// section is a heading of a guide and the text below it, up to the next one.
type section struct {
	ID, Title string
	Level     int
	text      string // plain text
	folded    string // title and text, as searches compare them
}

// foundSection is a result of a search.
type foundSection struct {
	Guide   *guide
	Section section
	Excerpt string
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// readGuide renders a document. Links to other guides become links to their pages; links to files that are
// not guides become plain text.
func readGuide(all fs.FS, about guideAbout) (*guide, error) {
	source, err := fs.ReadFile(all, "docs/"+about.Name+".md")
	if err != nil {
		return nil, err
	}
	root := markdown.Parser().Parse(text.NewReader(source))
	g := &guide{guideAbout: about}
	var nowhere []*ast.Link
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			name, _ := id.([]byte)
			g.Sections = append(g.Sections, section{ID: string(name), Title: textOf(n, source), Level: n.Level})
		case *ast.Link:
			to := leads(string(n.Destination))
			if n.Destination = []byte(to); to == "" {
				nowhere = append(nowhere, n)
			}
		}
		if n.Type() == ast.TypeBlock && n.Kind() != ast.KindHeading && len(g.Sections) > 0 {
			last := &g.Sections[len(g.Sections)-1]
			last.text += textOf(n, source)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	for _, link := range nowhere {
		for words := link.FirstChild(); words != nil; words = link.FirstChild() {
			link.Parent().InsertBefore(link.Parent(), link, words)
		}
		link.Parent().RemoveChild(link.Parent(), link)
	}
	if len(g.Sections) == 0 {
		return nil, fmt.Errorf("the guide %s has no title", about.Name)
	}
	g.Title = g.Sections[0].Title
	for i := range g.Sections {
		s := &g.Sections[i]
		s.folded = search.Compact(s.Title + " " + s.text)
	}
	var body bytes.Buffer
	err = markdown.Renderer().Render(&body, source, root)
	g.body = scrolled.Replace(body.String())
	return g, err
}

// scrolled makes elements that may be wider than a phone scrollable by keyboard.
var scrolled = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`)

// guideScheme prefixes the name of another guide in a link, until the page's own address is known.
const guideScheme = "guide:"

// leads returns the target of a link in terms of the pages: another guide, an anchor, or another host; empty
// for a file that is not a guide.
func leads(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Path == "" {
		return to
	}
	name := strings.TrimSuffix(u.Path, ".md")
	for _, about := range listed {
		if about.Name == name {
			u.Path = ""
			return guideScheme + name + u.String()
		}
	}
	return ""
}

// textOf returns the words of a block or heading, without those of blocks in it.
func textOf(n ast.Node, source []byte) string {
	var words strings.Builder
	if n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock {
		words.Write(n.Lines().Value(source))
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeInline {
			continue
		}
		if t, ok := c.(*ast.Text); ok {
			words.Write(t.Segment.Value(source))
			if t.SoftLineBreak() || t.HardLineBreak() {
				words.WriteByte(' ')
			}
		} else {
			words.WriteString(textOf(c, source))
		}
	}
	if n.Type() == ast.TypeBlock && words.Len() > 0 && n.Kind() != ast.KindHeading {
		words.WriteByte(' ')
	}
	return words.String()
}

// find returns the sections that have every word of a query, those with a word in the title first.
func (all *guides) find(query string) (found []foundSection, more bool) {
	pieces := search.Pieces(query)
	if len(pieces) == 0 {
		return nil, false
	}
	var others []foundSection
	for _, one := range all.list {
		for _, s := range one.Sections {
			switch {
			case !holdsAll(s.folded, pieces):
			case holdsAll(search.Compact(s.Title), pieces):
				found = append(found, foundSection{Guide: one, Section: s, Excerpt: excerpt(s.text, query)})
			default:
				others = append(others, foundSection{Guide: one, Section: s, Excerpt: excerpt(s.text, query)})
			}
		}
	}
	found = append(found, others...)
	return found[:min(len(found), mostFound)], len(found) > mostFound
}

func holdsAll(folded string, pieces []string) bool {
	return !slices.ContainsFunc(pieces, func(piece string) bool { return !strings.Contains(folded, piece) })
}

// excerpt returns the part of a text about the first word of a query, or its beginning.
func excerpt(text, query string) string {
	const before, long = 60, 200
	all, at := []rune(text), 0
	for _, word := range strings.Fields(query) {
		if i := strings.Index(strings.ToLower(text), strings.ToLower(word)); i >= 0 {
			at = len([]rune(text[:min(i, len(text))]))
			break
		}
	}
	from := max(0, min(at, len(all))-before)
	to := min(len(all), from+long)
	part := strings.TrimSpace(string(all[from:to]))
	if from > 0 {
		part = "… " + part
	}
	if to < len(all) {
		part += " …"
	}
	return part
}
