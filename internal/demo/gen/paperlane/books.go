package paperlane

import (
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/catalog"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/opinion"
	"storefront/internal/demo/gen/words"
)

// formats is how a book is sold; prices are of the paperback.
var formats = catalog.Variation{
	Variation: bundle.Variation{Key: "format", Name: "Format", NameFa: "قالب", Values: []bundle.VariationValue{
		{Key: "paperback", Label: "Paperback", LabelFa: "جلد نرم"},
		{Key: "hardcover", Label: "Hardcover", LabelFa: "جلد سخت"},
		{Key: "ebook", Label: "Ebook", LabelFa: "کتاب الکترونیکی"},
		{Key: "audio", Label: "Audiobook", LabelFa: "کتاب صوتی"},
	}},
	Percent: map[string]int{"paperback": 0, "hardcover": 70, "ebook": -35, "audio": 25},
}

// shelf makes books.
type shelf struct {
	r       *rand.Rand
	titles  words.Lists
	blurbs  map[string]*chance.Deck[string]
	places  *chance.Deck[words.Row]
	authors []string
	houses  []string
	taken   slugs
}

func books(r *rand.Rand, texts fs.FS, tree catalog.Tree, count int) []draft {
	s := shelf{r: r, titles: words.ReadLists(texts, "books.txt"), blurbs: map[string]*chance.Deck[string]{},
		taken: slugs{}}
	for section, lines := range words.ReadLists(texts, "blurbs.txt") {
		s.blurbs[section] = chance.NewDeck(r, lines)
	}
	s.places = chance.NewDeck(r, s.titles.Rows("places"))
	people := opinion.Names("english")
	for range 120 {
		s.authors = append(s.authors, chance.Pick(r, people.Rows("first"))[0]+" "+chance.Pick(r,
			people.Rows("last"))[0])
	}
	for _, row := range words.ReadLists(texts, "brands.txt").Rows("publishers") {
		if row[0] != "umber-house" { // has no book yet
			s.houses = append(s.houses, row[0])
		}
	}
	var genres []string
	for _, c := range tree.List() {
		if c.ParentSlug == "books" {
			genres = append(genres, c.Slug)
		}
	}
	var out []draft
	for i := range count {
		out = append(out, s.book(tree, genres[i%len(genres)]))
	}
	return out
}

func (s shelf) book(tree catalog.Tree, genre string) draft {
	place := s.places.Deal()
	en, fa, slug := s.title(genre, place)
	author := chance.Pick(s.r, s.authors)
	fill := func(section string) string {
		return words.Fill(s.blurbs[section].Deal(), "author", author, "p", place[0], "hero",
			s.blurbs["heroes"].Deal(),
			"trade", s.blurbs["trades"].Deal())
	}
	d := draft{variations: []catalog.Variation{formats}, cents: int64(chance.Between(s.r, 9, 21))*100 + 99,
		least: 1, most: 4}
	d.Slug, d.TitleFa, d.TitleEn = slug, fa, bundle.Text(en)
	d.Summary = bundle.Text("By " + author + ". " + fill(genre))
	d.Description = bundle.Text(fill(genre) + "\n\n" + fill("closing"))
	d.Category, d.Brand, d.Status = bundle.Text(genre), bundle.Text(chance.Pick(s.r, s.houses)), "published"
	if genre == "childrens-books" {
		d.Brand = "paper-moon"
	}
	d.Tags = append([]string{strings.ReplaceAll(genre, "-", " ")}, chance.Some(s.r,
		[]string{"new", "signed", "bestseller", "gift"}, s.r.IntN(3))...)
	d.Values = s.facts(tree.Form(genre), genre, author)
	if s.r.IntN(5) == 0 {
		d.SEO = &bundle.SEO{Title: en + " by " + author, Description: string(d.Summary)}
	}
	return d
}

// title is a title of the genre that no other book has, in English and Persian, and its slug.
func (s shelf) title(genre string, place words.Row) (en, fa, slug string) {
	for range 1000 {
		pattern := chance.Pick(s.r, s.titles.Rows(genre))
		en, fa = pattern[0], pattern[1]
		nouns := s.titles[genre+" n"]
		for i, slot := range []string{"n", "m"} {
			if len(nouns) == 0 {
				break
			}
			noun := words.Cells(nouns[(s.r.IntN(len(nouns)-1)+i)%len(nouns)], "|")
			en = words.Fill(en, slot, noun[0])
			fa = words.Fill(fa, slot, noun[1], slot+"+", noun.Cell(2))
		}
		if strings.Contains(en, "{a}") {
			adjective := chance.Pick(s.r, s.titles.Rows(genre+" a"))
			en, fa = words.Fill(en, "a", adjective[0]), words.Fill(fa, "a", adjective[1])
		}
		at := place
		if own := s.titles[genre+" p"]; len(own) > 0 {
			at = words.Cells(chance.Pick(s.r, own), "|")
		}
		en, fa = article(words.Fill(en, "p", at[0])), words.Fill(fa, "p", at[1])
		if repeats(en) {
			continue
		}
		if slug, ok := s.taken.free(en); ok {
			return en, fa, slug
		}
	}
	panic("no more titles for " + genre)
}

// article writes "an" where a vowel follows.
func article(title string) string {
	for _, vowel := range []string{"A", "E", "I", "O", "U"} {
		title = strings.ReplaceAll(title, " a "+vowel, " an "+vowel)
		if strings.HasPrefix(title, "A "+vowel) {
			title = "An" + title[1:]
		}
	}
	return title
}

// repeats says whether a longer word stands twice.
func repeats(title string) bool {
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(title,
		func(r rune) bool { return r == ' ' || r == ',' || r == ':' }) {
		if len(word) > 3 && seen[word] {
			return true
		}
		seen[word] = true
	}
	return false
}

func (s shelf) facts(form *bundle.Form, genre, author string) map[string]any {
	readers := "adult"
	illustrated := chance.Pick(s.r, []string{"no", "no", "yes"})
	pages := chance.Between(s.r, 140, 620)
	switch genre {
	case "childrens-books":
		readers, illustrated, pages = "child", "yes", chance.Between(s.r, 3, 6)*8
	case "fantasy", "science-fiction":
		readers = "adult, young"
	case "poetry":
		pages = chance.Between(s.r, 60, 120)
	}
	out := map[string]any{}
	for key, text := range map[string]string{
		"author": author, "pages": strconv.Itoa(pages), "year": strconv.Itoa(chance.Between(s.r, 1998, 2026)),
		"language":    chance.Pick(s.r, []string{"en", "en", "en", "en", "en", "en", "fr", "de"}),
		"illustrated": illustrated, "readers": readers,
	} {
		out[key] = catalog.Value(form, key, text)
	}
	return out
}
