// Package catalog makes a shop of any size as a tenant bundle. It is written from a fixed seed and is the
// same in every run: three levels of categories, 200 brands, titles in Persian and English, three variants
// to every two products.
package catalog

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"
)

// Domain is the shop's.
const Domain = "bench.example"

const (
	seed          = 20261101
	brands        = 200
	roots         = 8  // categories of the first level
	below         = 5  // categories below each of the first and of the second level
	inSeries      = 10 // products that share the rare word of their titles
	lowest        = 50_000
	highest       = 50_000_000 // tomans
	draftOneIn    = 50
	twoVariantsOf = 2 // every second product has two variants
)

// began is the publication of the first product; each is published some minutes after the one before it.
var began = time.Date(2023, 1, 1, 6, 0, 0, 0, time.UTC)

const step = 10 * time.Minute

// Write writes the bundle of a shop with so many products, one record at a time.
func Write(w io.Writer, products int) error {
	out := &writer{to: bufio.NewWriterSize(w, 1<<16)}
	out.text(`{"format":"storefront-bundle/1","tenant":`)
	out.value(map[string]any{"domain": Domain, "slug": "bench", "name": "Bench", "nameFa": "فروشگاه آزمون",
		"defaultLocale": "fa"})
	out.list("brands", brands, func(i int) any { return brandAt(i) })
	tree := categories()
	out.list("categories", len(tree), func(i int) any { return tree[i] })
	r := rand.New(rand.NewPCG(seed, 0))
	out.list("products", products, func(i int) any { return productAt(r, i) })
	out.text("}\n")
	if out.err == nil {
		out.err = out.to.Flush()
	}
	return out.err
}

// writer writes JSON until something fails.
type writer struct {
	to  *bufio.Writer
	err error
}

func (w *writer) text(s string) {
	if w.err == nil {
		_, w.err = w.to.WriteString(s)
	}
}

func (w *writer) value(v any) {
	body, err := json.Marshal(v)
	if w.err == nil {
		w.err = err
	}
	w.text(string(body))
}

func (w *writer) list(section string, n int, at func(i int) any) {
	w.text(`,"` + section + `":[`)
	for i := 0; i < n && w.err == nil; i++ {
		if i > 0 {
			w.text(",")
		}
		w.value(at(i))
	}
	w.text("]")
}

type brand struct {
	Slug   string `json:"slug"`
	Name   string `json:"name"`
	NameFa string `json:"nameFa"`
}

func brandAt(i int) brand {
	en, fa := syllables(i*53 + 7) // apart from the series of products
	return brand{fmt.Sprintf("brand-%d", i), "House of " + en, "خانه " + fa}
}

type category struct {
	EntityType string  `json:"entityType"`
	Slug       string  `json:"slug"`
	ParentSlug *string `json:"parentSlug,omitempty"`
	Name       string  `json:"name"`
	NameFa     string  `json:"nameFa"`
	Position   int     `json:"position"`
	Form       *form   `json:"form,omitempty"`
}

// categories are the tree, parents first: c-1, c-1-1, c-1-1-1.
func categories() (all []category) {
	level := []category{}
	for i := range roots {
		level = append(level, categoryAt(nil, i))
	}
	all = append(all, level...)
	for range 2 {
		var next []category
		for _, parent := range level {
			for i := range below {
				next = append(next, categoryAt(&parent.Slug, i))
			}
		}
		all, level = append(all, next...), next
	}
	return all
}

func categoryAt(parent *string, i int) category {
	slug := fmt.Sprintf("c-%d", i+1)
	if parent != nil {
		slug = fmt.Sprintf("%s-%d", *parent, i+1)
	}
	w := things[i%len(things)]
	c := category{
		EntityType: "product",
		Slug:       slug,
		ParentSlug: parent,
		Name:       w.en + " " + slug,
		NameFa:     w.fa + " " + slug,
		Position:   i,
		Form:       nil,
	}
	if parent == nil {
		c.Form = &technical // which holds for all below
	}
	return c
}

type product struct {
	Slug        string      `json:"slug"`
	TitleFa     string      `json:"titleFa"`
	TitleEn     string      `json:"titleEn"`
	Summary     string      `json:"summary"`
	Description string      `json:"description"`
	Category    string      `json:"category"`
	Brand       string      `json:"brand"`
	Tags        []string    `json:"tags"`
	Images      []image     `json:"images"`
	Status      string      `json:"status"`
	PublishedAt time.Time   `json:"publishedAt"`
	Values      values      `json:"values"`
	Variations  []variation `json:"variations"`
	Variants    []variant   `json:"variants"`
}

type image struct {
	MediaID string `json:"mediaId"`
	URL     string `json:"url"`
	Alt     string `json:"alt"`
}

type variation struct {
	Key    string   `json:"key"`
	Name   string   `json:"name"`
	NameFa string   `json:"nameFa"`
	Values []choice `json:"values"`
}

type choice struct {
	Key     string `json:"key"`
	Label   string `json:"label"`
	LabelFa string `json:"labelFa"`
}

type variant struct {
	SKU            string            `json:"sku"`
	Options        map[string]string `json:"options"`
	Price          int64             `json:"price"`
	CompareAtPrice *int64            `json:"compareAtPrice"`
	PriceCurrency  string            `json:"priceCurrency"`
	Stock          int               `json:"stock"`
	IsFestival     bool              `json:"isFestival"`
}

var sizes = variation{Key: "size", Name: "Size", NameFa: "اندازه",
	Values: []choice{{"small", "Small", "کوچک"},
		{"large", "Large", "بزرگ"}}}

func productAt(r *rand.Rand, i int) product {
	thing, quality := things[r.IntN(len(things))], qualities[r.IntN(len(qualities))]
	seriesEn, seriesFa := syllables(i / inSeries * 7919) // neighbours have unlike names
	p := product{
		Slug:    fmt.Sprintf("product-%d", i),
		TitleFa: fmt.Sprintf("%s %s %s مدل %d", thing.fa, quality.fa, seriesFa, i),
		TitleEn: fmt.Sprintf("%s %s %s model %d", quality.en, thing.en, seriesEn, i),
		Summary: fmt.Sprintf("%s «%s» برای کارگاه و خانه، با یک سال ضمانت", thing.fa, quality.fa),
		Description: fmt.Sprintf("<p>The %s %s of the %s series is made for daily work.</p>\n<p>این %s از ردهٔ "+
			"%s برای کار روزانه ساخته شده است.</p>",
			quality.en, thing.en, seriesEn, thing.fa, seriesFa),
		Category:    fmt.Sprintf("c-%d-%d-%d", 1+r.IntN(roots), 1+r.IntN(below), 1+r.IntN(below)),
		Brand:       fmt.Sprintf("brand-%d", r.IntN(brands)),
		Tags:        []string{quality.en, thing.fa},
		Images:      images(i, thing.en, 1+r.IntN(3)),
		Status:      "published",
		PublishedAt: began.Add(time.Duration(i) * step),
	}
	if r.IntN(draftOneIn) == 0 {
		p.Status = "draft"
	}
	p.Values = valuesOf(r)
	price := priceOf(r)
	p.Variants = []variant{variantOf(r, fmt.Sprintf("P%d-S", i), price)}
	if i%twoVariantsOf == 0 {
		p.Variations = []variation{sizes}
		p.Variants = append(p.Variants, variantOf(r, fmt.Sprintf("P%d-L", i), price+price/10))
		p.Variants[0].Options = map[string]string{"size": "small"}
		p.Variants[1].Options = map[string]string{"size": "large"}
	}
	return p
}

func images(i int, alt string, n int) []image {
	all := make([]image, n)
	for k := range all {
		all[k] = image{fmt.Sprintf("m-%d-%d", i, k), fmt.Sprintf("https://media.bench.example/products/%d/%d.jpg",
			i, k), alt}
	}
	return all
}

// priceOf spreads prices evenly by their logarithm.
func priceOf(r *rand.Rand) int64 {
	exact := lowest * math.Pow(float64(highest)/lowest, r.Float64())
	return int64(exact) / 100 * 100
}

func variantOf(r *rand.Rand, sku string, price int64) variant {
	v := variant{
		SKU:           sku,
		Options:       map[string]string{},
		Price:         price,
		PriceCurrency: "IRT",
		IsFestival:    r.IntN(20) == 0,
	}
	if r.IntN(10) > 0 {
		v.Stock = 1 + r.IntN(200)
	}
	if r.IntN(4) == 0 {
		before := price + price/5
		v.CompareAtPrice = &before
	}
	return v
}
