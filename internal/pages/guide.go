package pages

import (
	"slices"
	"strings"

	"storefront/internal/locale/search"
)

// guide is a document of docs as a page, in guides.json.
type guide struct {
	Name, About, AboutFa, Title string
	Sections                    []section
}

// section is a heading of a guide and the text below it, up to the next one.
type section struct {
	ID, Title string
	Level     int
	HTML      string // with the heading; made from the project's own Markdown alone
	Text      string // plain text, without the title
	folded    string // title and text, as searches compare them
}

// foundSection is a result of a search.
type foundSection struct {
	Guide   *guide
	Section section
	Excerpt string
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
				found = append(found, foundSection{Guide: one, Section: s, Excerpt: excerpt(s.Text, query)})
			default:
				others = append(others, foundSection{Guide: one, Section: s, Excerpt: excerpt(s.Text, query)})
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
