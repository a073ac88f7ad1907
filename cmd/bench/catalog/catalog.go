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
	"strings"
	"time"
)

// Domain is the shop's domain.
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

// Write writes the bundle of a shop with the given number of products, one record at a time.
func Write(w io.Writer, products int) error {
	out := bufio.NewWriterSize(w, 1<<16) // Flush returns the first error
	fmt.Fprintf(out, `{"format":"storefront-bundle/1","tenant":{"domain":%q,"slug":"bench","name":"Bench",`+
		`"nameFa":"فروشگاه آزمون","defaultLocale":"fa"}`, Domain)
	list(out, "brands", brands, brandAt)
	tree := categories()
	list(out, "categories", len(tree), func(i int) record { return tree[i] })
	r := rand.New(rand.NewPCG(seed, 0))
	list(out, "products", products, func(i int) record { return productAt(r, i) })
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// Text returns the bundle of a shop with the given number of products.
func Text(products int) string {
	var text strings.Builder
	_ = Write(&text, products) // never fails
	return text.String()
}

// Retitled returns the bundle with another title for every product.
func Retitled(bundle string) string {
	return strings.ReplaceAll(bundle, `"titleFa":"`, `"titleFa":"نو `)
}

func list(out *bufio.Writer, section string, n int, at func(i int) record) {
	fmt.Fprintf(out, `,%q:`, section)
	for i := range n {
		text, _ := json.Marshal(at(i)) // cannot fail: maps, strings and numbers
		fmt.Fprintf(out, "%s%s", []string{"[", ","}[min(i, 1)], text)
	}
	out.WriteString("]")
}

// record is an element of the bundle.
type record = map[string]any

func brandAt(i int) record {
	en, fa := syllables(i*53 + 7) // unlike the names of series
	return record{"slug": fmt.Sprintf("brand-%d", i), "name": "House of " + en, "nameFa": "خانه " + fa}
}

// categories returns the tree, parents first: c-1, c-1-1, c-1-1-1. The form of a root applies to its
// descendants.
func categories() (all []record) {
	level := []string{"c"}
	for depth, n := range []int{roots, below, below} {
		var next []string
		for _, parent := range level {
			for i := range n {
				slug, thing := fmt.Sprintf("%s-%d", parent, i+1), things[i%len(things)]
				c := record{"entityType": "product", "slug": slug, "name": thing.en + " " + slug,
					"nameFa": thing.fa + " " + slug, "position": i}
				if depth == 0 {
					c["form"] = technical
				} else {
					c["parentSlug"] = parent
				}
				all, next = append(all, c), append(next, slug)
			}
		}
		level = next
	}
	return all
}

var sizes = record{"key": "size", "name": "Size", "nameFa": "اندازه", "values": []record{
	{"key": "small", "label": "Small", "labelFa": "کوچک"},
	{"key": "large", "label": "Large", "labelFa": "بزرگ"}}}

func productAt(r *rand.Rand, i int) record {
	thing, quality := things[r.IntN(len(things))], qualities[r.IntN(len(qualities))]
	seriesEn, seriesFa := syllables(i / inSeries * 7919) // neighbours have different names
	p := record{
		"slug":    fmt.Sprintf("product-%d", i),
		"titleFa": fmt.Sprintf("%s %s %s مدل %d", thing.fa, quality.fa, seriesFa, i),
		"titleEn": fmt.Sprintf("%s %s %s model %d", quality.en, thing.en, seriesEn, i),
		"summary": fmt.Sprintf("%s «%s» برای کارگاه و خانه، با یک سال ضمانت",
			thing.fa, quality.fa),
		"description": fmt.Sprintf("<p>The %s %s of the %s series is made for daily work.</p>\n"+
			"<p>این %s از ردهٔ %s برای کار روزانه ساخته شده است.</p>",
			quality.en, thing.en, seriesEn, thing.fa, seriesFa),
		"category":    fmt.Sprintf("c-%d-%d-%d", 1+r.IntN(roots), 1+r.IntN(below), 1+r.IntN(below)),
		"brand":       fmt.Sprintf("brand-%d", r.IntN(brands)),
		"tags":        []string{quality.en, thing.fa},
		"images":      images(i, thing.en, 1+r.IntN(3)),
		"status":      "published",
		"publishedAt": began.Add(time.Duration(i) * step),
	}
	if r.IntN(draftOneIn) == 0 {
		p["status"] = "draft"
	}
	p["values"] = valuesOf(r)
	price := priceOf(r)
	variants := []record{variantOf(r, fmt.Sprintf("P%d-S", i), price)}
	if i%twoVariantsOf == 0 {
		p["variations"] = []record{sizes}
		variants = append(variants, variantOf(r, fmt.Sprintf("P%d-L", i), price+price/10))
		variants[0]["options"], variants[1]["options"] = record{"size": "small"}, record{"size": "large"}
	}
	p["variants"] = variants
	return p
}

func images(i int, alt string, n int) []record {
	all := make([]record, n)
	for k := range all {
		all[k] = record{"mediaId": fmt.Sprintf("m-%d-%d", i, k), "alt": alt,
			"url": fmt.Sprintf("https://media.bench.example/products/%d/%d.jpg", i, k)}
	}
	return all
}

// priceOf spreads prices evenly by their logarithm.
func priceOf(r *rand.Rand) int64 {
	exact := lowest * math.Pow(float64(highest)/lowest, r.Float64())
	return int64(exact) / 100 * 100
}

func variantOf(r *rand.Rand, sku string, price int64) record {
	v := record{"sku": sku, "price": price, "priceCurrency": "IRT", "stock": 0, "isFestival": r.IntN(20) == 0}
	if r.IntN(10) > 0 {
		v["stock"] = 1 + r.IntN(200)
	}
	if r.IntN(4) == 0 {
		v["compareAtPrice"] = price + price/5
	}
	return v
}

var (
	materials = []string{"steel", "iron", "brass", "wood", "plastic"}
	uses      = []string{"workshop", "home", "garden", "site"}
	technical = record{"title": "Properties", "titleFa": "ویژگی\u200cها", "fields": []record{
		{"key": "material", "label": "Material", "labelFa": "جنس", "type": "select",
			"options": options(materials)},
		{"key": "uses", "label": "Uses", "labelFa": "کاربرد", "type": "multiselect", "options": options(uses)},
		{"key": "power", "label": "Power", "labelFa": "توان", "type": "number"},
		{"key": "warranty", "label": "Warranty", "labelFa": "ضمانت", "type": "boolean"},
	}}
)

func options(values []string) (all []record) {
	for _, v := range values {
		all = append(all, record{"value": v, "label": v, "labelFa": v})
	}
	return all
}

// valuesOf returns a product's technical values.
func valuesOf(r *rand.Rand) record {
	first := r.IntN(len(uses) - 1)
	return record{"material": materials[r.IntN(len(materials))], "uses": uses[first : first+1+r.IntN(2)],
		"power": 100 * (1 + r.IntN(50)), "warranty": r.IntN(3) > 0}
}

// word is a word in both languages.
type word struct{ en, fa string }

// Series returns the rare word of ten products' English titles, such as "Rolavi"; the n-th ten products of
// the shop.
func Series(n int) string {
	en, _ := syllables(n * 7919)
	return en
}

// Frequent is a word in about half of all English titles.
const Frequent = "industrial"

// Middling is a word in about one of 30 English titles.
const Middling = "gearbox"

// syllables returns a name of four syllables for a number. The first 160,000 names are distinct.
func syllables(n int) (en, fa string) {
	n %= 160_000
	for range 4 {
		s := sounds[n%len(sounds)]
		en, fa, n = en+s.en, fa+s.fa, n/len(sounds)
	}
	return strings.ToUpper(en[:1]) + en[1:], fa
}

var sounds = []word{
	{"ro", "رو"}, {"la", "لا"}, {"vi", "وی"}, {"ta", "تا"}, {"so", "سو"}, {"ne", "نی"}, {"ka", "کا"},
	{"mu", "مو"}, {"di", "دی"}, {"ba", "با"}, {"fe", "فی"}, {"gu", "گو"}, {"ha", "ها"}, {"jo", "جو"},
	{"pi", "پی"}, {"shu", "شو"}, {"za", "زا"}, {"che", "چی"}, {"yu", "یو"}, {"mo", "ما"},
}

// qualities are picked evenly, so that the industrial are half of all.
var qualities = []word{
	{"Industrial steel", "صنعتی فولادی"}, {"Industrial compact", "صنعتی جمع\u200cوجور"},
	{"Industrial silent", "صنعتی بی\u200cصدا"}, {"Industrial heavy", "صنعتی سنگین"},
	{"Industrial light", "صنعتی سبک"}, {"Home", "خانگی"}, {"Portable", "همراه"},
	{"Cordless", "شارژی"}, {"Classic", "کلاسیک"}, {"Precision", "دقیق"},
}

var things = []word{
	{"drill", "دریل"}, {"lathe", "دستگاه تراش"}, {"bearing", "بلبرینگ"}, {"gearbox", "گیربکس"},
	{"pump", "پمپ"}, {"compressor", "کمپرسور"}, {"saw", "اره"}, {"press", "پرس"},
	{"welder", "دستگاه جوش"}, {"lamp", "چراغ"}, {"kettle", "کتری"}, {"table", "میز"},
	{"chair", "صندلی"}, {"cable", "کابل"}, {"valve", "شیر"}, {"hammer", "چکش"}, {"wrench", "آچار"},
	{"grinder", "سنگ فرز"}, {"scale", "ترازو"}, {"motor", "موتور"}, {"heater", "بخاری"},
	{"fan", "پنکه"}, {"ladder", "نردبان"}, {"shelf", "قفسه"}, {"clock", "ساعت"},
	{"filter", "فیلتر"}, {"hose", "شیلنگ"}, {"switch", "کلید"},
	{"sensor", "حسگر"}, {"inverter", "اینورتر"},
}
