package sanat

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

const (
	productCount = 250
	variantCount = 400
)

// offer is a machine that will be a product.
type offer struct {
	model
	year int // 0 for new machines
}

// products makes the ordinary products: every new model once, every used model once or twice with different
// years. The odd ones complete the counts.
func products(texts fs.FS, p park, odd []bundle.Product) []bundle.Product {
	r := chance.New("sanat/products")
	offers := chance.Shuffled(r, offers(r, p, productCount-len(odd)))
	rest := variantCount
	for _, o := range odd {
		rest -= len(o.Variants)
	}
	limits := variantLimits(r, p, offers, texts, rest)
	times := chance.Times(r, len(offers), time.Date(2025, 2, 3, 6, 0, 0, 0, time.UTC), chance.Now)
	text := newWriter(r, texts, p)
	var out []bundle.Product
	for i, o := range offers {
		number := fmt.Sprintf("SM-%04d", 1000+i)
		product := text.describe(o, number)
		product.PublishedAt = times[i]
		product.Variations, product.Variants = variants(r, p, texts, o, number, limits[i])
		if o.name == "D6R" { // a dozer of which nothing is on sale any more
			product.Variants[0].OnSale = false
		}
		out = append(out, product)
	}
	return out
}

func offers(r *rand.Rand, p park, count int) []offer {
	var out []offer
	var used []model
	for _, m := range p.models {
		if m.used {
			used = append(used, m)
			out = append(out, offer{m, chance.Between(r, 2006, 2015)})
		} else {
			out = append(out, offer{m, 0})
		}
	}
	for _, m := range chance.Shuffled(r, used)[:count-len(out)] {
		out = append(out, offer{m, chance.Between(r, 2016, 2021)})
	}
	return out
}

// writer puts titles, texts and values on offers.
type writer struct {
	r     *rand.Rand
	park  park
	lists words.Lists
	decks map[string]*chance.Deck[string]
}

func newWriter(r *rand.Rand, texts fs.FS, p park) writer {
	w := writer{r: r, park: p, lists: words.ReadLists(texts, "descriptions.txt"),
		decks: map[string]*chance.Deck[string]{}}
	for section, lines := range w.lists {
		w.decks[section] = chance.NewDeck(r, lines)
	}
	return w
}

func (w writer) describe(o offer, number string) bundle.Product {
	hours := chance.Between(w.r, 38, 190) * 100
	fill := func(section string) string {
		return o.fill(w.decks[section].Deal(), "year", words.Digits(strconv.Itoa(o.year)), "hours",
			words.Digits(strconv.Itoa(hours)))
	}
	out := bundle.Product{
		Slug:    words.Slug(o.brandedEn() + " " + o.item.En),
		TitleFa: fmt.Sprintf("%s %s", o.item.Fa, o.brandedFa()),
		TitleEn: bundle.Text(o.brandedEn() + " " + o.item.En),
		Brand:   bundle.Text(o.brand.Slug), Category: bundle.Text(o.category),
		Tags:   w.tags(o),
		Images: images("products", number, o.item.Fa, chance.Between(w.r, 1, 4)),
		Status: "published",
		Values: o.with(w.extras(o)),
	}
	state := "new"
	if o.year > 0 {
		state = "used"
		year := strconv.Itoa(o.year)
		out.Slug += "-" + year
		out.TitleFa += " مدل " + words.Digits(year)
		out.TitleEn += bundle.Text(" (" + year + ")")
		out.Values = o.with(map[string]string{"year": year, "hours": strconv.Itoa(hours)})
	}
	out.Summary = bundle.Text(fill("summary " + state))
	group := w.group(o)
	out.Description = bundle.Text(fill(group) + " " + fill(group) + "\n\n" + fill("closing"))
	if w.r.IntN(4) == 0 {
		out.SEO = &bundle.SEO{Title: "خرید " + out.TitleFa, Description: string(out.Summary)}
	}
	return out
}

// groups is the section of descriptions.txt that fits a category and what is below it.
var groups = map[string]string{
	"turning": "used cutting", "milling": "used cutting", "laser-cutting": "used sheet", "presses": "used sheet",
	"excavators": "used digging", "loaders": "used digging", "road-construction": "used levelling",
	"packaging": "new packaging", "woodworking": "new wood", "generators": "new power", "compressors": "new air",
}

func (w writer) group(o offer) string {
	for _, slug := range w.park.tree.Path(o.category) {
		if g := groups[slug]; g != "" && strings.HasPrefix(g, "used") == o.used {
			return g
		}
	}
	return "new metal"
}

// extras is values that models.txt leaves open.
func (w writer) extras(o offer) map[string]string {
	return map[string]string{
		"gases": chance.Pick(w.r, []string{"oxygen, nitrogen", "oxygen, nitrogen, air", "nitrogen, air"}),
		"guard": chance.Pick(w.r, []string{"yes", "no"}),
	}
}

func (w writer) tags(o offer) []string {
	first, more := "نو", "tags new"
	if o.used {
		first, more = "کارکرده", "tags used"
	}
	return append([]string{first}, chance.Some(w.r, w.lists.Get(more), w.r.IntN(3))...)
}

func images(kind, number, alt string, n int) []bundle.Image {
	var out []bundle.Image
	for i := range n {
		id := fmt.Sprintf("%s-%d", number, i+1)
		out = append(out, bundle.Image{MediaID: id, URL: media + kind + "/" + id + ".svg", Alt: alt})
	}
	return out
}
