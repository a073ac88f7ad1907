package paperlane

import (
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/catalog"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// rail makes clothes.
type rail struct {
	r      *rand.Rand
	lists  words.Lists
	decks  map[string]*chance.Deck[string]
	lines  *chance.Deck[words.Row]
	labels []string
	taken  slugs
}

func clothes(r *rand.Rand, texts fs.FS, tree catalog.Tree, count int) []draft {
	c := rail{r: r, lists: words.ReadLists(texts, "clothes.txt"), decks: map[string]*chance.Deck[string]{},
		taken: slugs{}}
	for section, lines := range c.lists {
		c.decks[section] = chance.NewDeck(r, lines)
	}
	c.lines = chance.NewDeck(r, c.lists.Rows("lines"))
	for _, row := range words.ReadLists(texts, "brands.txt").Rows("labels") {
		c.labels = append(c.labels, row[0])
	}
	cloth := c.lists.Rows("cloth")
	var out []draft
	for i := range count {
		row := cloth[i%len(cloth)]
		out = append(out, c.piece(tree, row[0], row[1]))
	}
	return out
}

func (c rail) piece(tree catalog.Tree, category, fabrics string) draft {
	root := tree.Root(category)
	for {
		garment, line := words.Cells(c.decks[category].Deal(), "|"), c.lines.Deal()
		if garment.Cell(3) != "" {
			fabrics = garment[3]
		}
		fabric := c.fabric(chance.Pick(c.r, words.Cells(fabrics, ",")))
		en := strings.Join([]string{line[0], fabric[1], garment[0]}, " ")
		if strings.Contains(garment[0], "Jeans") {
			en = line[0] + " " + garment[0]
		}
		slug, ok := c.taken.free(root + " " + en)
		if !ok {
			continue
		}
		d := draft{variations: []catalog.Variation{sizes(root), c.colours()}, cents: price(garment[2], fabric[4]),
			least: 3, most: 6}
		d.Slug, d.TitleEn, d.TitleFa = slug, bundle.Text(en), persian(garment[1], fabric[2], tree.Get(root).NameFa,
			line[1])
		d.Category, d.Brand, d.Status = bundle.Text(category), bundle.Text(c.label(root)), "published"
		story, closing := "story", "closing"
		if root == "kids" {
			story, closing = "story kids", "closing kids"
		}
		fill := func(section string) string {
			return words.Fill(c.decks[section].Deal(), "fabric", strings.ToLower(fabric[1]), "garment",
				strings.ToLower(garment[0]), "line", en)
		}
		d.Summary = bundle.Text(fill(story))
		d.Description = bundle.Text(fill(story) + " " + fill(story) + "\n\n" + fill(closing))
		d.Tags = append([]string{root, strings.ToLower(fabric[1])}, chance.Some(c.r,
			[]string{"new", "gift", "organic"}, c.r.IntN(2))...)
		d.Values = c.facts(tree.Form(category), fabric)
		return d
	}
}

func (c rail) fabric(value string) words.Row {
	rows := c.lists.Rows("fabrics")
	return rows[slices.IndexFunc(rows, func(row words.Row) bool { return row[0] == value })]
}

// label is one of the two children's labels for children and one of the others for grown-ups.
func (c rail) label(root string) string {
	kids := []string{"bramble", "little-acre"}
	if root == "kids" {
		return chance.Pick(c.r, kids)
	}
	for {
		if label := chance.Pick(c.r, c.labels); !slices.Contains(kids, label) {
			return label
		}
	}
}

// persian is the title as a Persian shop writes it: garment, cloth, for whom, model.
func persian(garment, fabric, root, line string) string {
	parts := []string{garment, fabric, root, "مدل", line}
	if strings.Contains(garment, fabric) {
		parts = slices.Delete(parts, 1, 2)
	}
	return strings.Join(parts, " ")
}

func price(dollars, percent string) int64 {
	d, err := strconv.ParseInt(dollars, 10, 64)
	if err != nil {
		panic(err)
	}
	p, err := strconv.ParseInt(percent, 10, 64)
	if err != nil {
		panic(err)
	}
	return d * p
}

func sizes(root string) catalog.Variation {
	list := []string{"S", "M", "L", "XL"}
	names := []string{"کوچک", "متوسط", "بزرگ", "خیلی بزرگ"}
	if root == "kids" {
		list = []string{"2-3 years", "4-5 years", "6-7 years", "8-9 years"}
		names = []string{"۲ تا ۳ سال", "۴ تا ۵ سال", "۶ تا ۷ سال", "۸ تا ۹ سال"}
	}
	v := catalog.Variation{Variation: bundle.Variation{Key: "size", Name: "Size", NameFa: "اندازه"}}
	for i, label := range list {
		v.Values = append(v.Values, bundle.VariationValue{Key: words.Slug(label), Label: label, LabelFa: names[i]})
	}
	return v
}

// colours is two or three colours.
func (c rail) colours() catalog.Variation {
	v := catalog.Variation{Variation: bundle.Variation{Key: "colour", Name: "Colour", NameFa: "رنگ"}}
	for _, row := range chance.Some(c.r, c.lists.Rows("colours"), chance.Between(c.r, 2, 3)) {
		v.Values = append(v.Values, bundle.VariationValue{Key: row[0], Label: row[1], LabelFa: row[2],
			ColorHex: row[3]})
	}
	return v
}

func (c rail) facts(form *bundle.Form, fabric words.Row) map[string]any {
	care := map[string]string{"wool": "hand, dry", "merino": "hand, noiron", "silk": "hand, iron"}[fabric[0]]
	if care == "" {
		care = chance.Pick(c.r, []string{"machine30, iron", "machine30"})
	}
	out := map[string]any{}
	for key, text := range map[string]string{
		"fabric": fabric[0], "weight": fabric[3], "fit": chance.Pick(c.r, []string{"slim", "regular", "regular",
			"relaxed"}), "care": care,
		"organic": chance.Pick(c.r, []string{"yes", "no"}), "made": chance.Pick(c.r,
			[]string{"Portugal", "Italy", "Scotland", "Türkiye", "India"}),
	} {
		out[key] = catalog.Value(form, key, text)
	}
	return out
}
