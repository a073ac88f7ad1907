package catalog_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"storefront/internal/contract/shoptest"
)

// madeShop is the domain of the shop of random products.
const madeShop = "made.example"

// madeProduct is a random product.
type madeProduct struct {
	slug, titleFa, titleEn, category, brand, status string
	publishedAt                                     time.Time
	tags                                            []string
	values                                          map[string]any // answers to the form of its category
	rates                                           []int          // of its reviews
	variants                                        []madeVariant
}

// madeVariant is a variant of a random product. Prices are in thousandths of the unit; -1: none.
type madeVariant struct {
	sku, currency      string
	options            map[string]string
	price, before      int64
	stock              int
	onSale, isFestival bool
}

func oneOf[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// someOf returns one or two of some values.
func someOf(r *rand.Rand, from ...string) []string {
	some := []string{oneOf(r, from...), oneOf(r, from...)}
	slices.Sort(some)
	return slices.Compact(some)
}

// The words of titles, and options, categories, forms, brands and currencies of the shop.
var (
	madeWords      = []string{"red", "cotton", "shirt", "wool", "shirting", "tea"}
	madeOptions    = map[string][]string{"fit": {"s", "m", "xl"}, "hue": {"red", "blue"}}
	madeCategories = []string{"clothes", "shirts", "socks", "pots", "none"}
	madeParents    = map[string]string{"shirts": "clothes", "socks": "clothes"}
	madeForms      = map[string][]string{
		"clothes": {"power", "washable", "finish", "uses"}, "pots": {"power", "washable"},
	}
	madeFields = map[string]string{
		"power": "number", "washable": "boolean", "finish": "select", "uses": "multiselect",
	}
	madeChoices = map[string][]string{
		"washable": {"true", "false"}, "finish": {"matt", "gloss"}, "uses": {"home", "work"},
	}
	madeBrands     = []string{"acme", "kiln", "ronix"}
	madeCurrencies = map[string]int64{"IRT": 1000, "USD": 250} // and the step of their prices
)

// madeForm returns the keys of the form of a category.
func madeForm(category string) []string {
	return madeForms[cmp.Or(madeParents[category], category)]
}

// makeProducts returns random products. The last of each ten is not public.
func makeProducts(r *rand.Rand, n int) []*madeProduct {
	all := make([]*madeProduct, n)
	for i := range all {
		p := &madeProduct{
			slug: fmt.Sprintf("made-%d", i), titleFa: strings.Join(someOf(r, madeWords...), " "),
			titleEn:  strings.Join(someOf(r, madeWords...), " "),
			category: oneOf(r, append(madeCategories, "")...), brand: oneOf(r, append(madeBrands, "")...),
			status: "published", publishedAt: shoptest.Today.Add(-time.Duration(60+i*7919%n) * time.Minute),
			tags: someOf(r, "new", "sale", "gift"), values: map[string]any{},
		}
		if i%10 == 9 {
			if p.status = "draft"; i%20 == 9 {
				p.status, p.publishedAt = "published", shoptest.Today.Add(time.Hour)
			}
		}
		for _, key := range madeForm(p.category) {
			if r.IntN(3) == 0 {
				continue
			}
			p.values[key] = map[string]any{
				"number": float64(r.IntN(9)) / 2, "boolean": r.IntN(2) == 0,
				"select": oneOf(r, madeChoices["finish"]...), "multiselect": someOf(r, madeChoices["uses"]...),
			}[madeFields[key]]
		}
		for range r.IntN(4) {
			p.rates = append(p.rates, 1+r.IntN(10))
		}
		var forms []map[string]string // of its variants
		switch r.IntN(5) {
		case 0:
			forms = []map[string]string{{}, {}}[:r.IntN(3)]
		default:
			for _, fit := range madeOptions["fit"] {
				for _, hue := range madeOptions["hue"] {
					if r.IntN(3) == 0 {
						forms = append(forms, map[string]string{"fit": fit, "hue": hue})
					}
				}
			}
		}
		currency := oneOf(r, slices.Sorted(maps.Keys(madeCurrencies))...)
		for k, form := range forms {
			v := madeVariant{
				sku: fmt.Sprintf("V%d-%d", i, k), currency: currency, options: form, price: -1, before: -1,
				stock: max(r.IntN(4)-1, 0), onSale: r.IntN(5) > 0, isFestival: r.IntN(3) == 0,
			}
			if r.IntN(6) > 0 {
				v.price = r.Int64N(48) * madeCurrencies[currency] * oneOf[int64](r, 1, 1, 1, 1, 1, 1, 1, 400)
			}
			if r.IntN(2) == 0 {
				v.before = max(v.price, 0) + oneOf[int64](r, 0, 1, 40, 8000)*madeCurrencies[currency]
			}
			p.variants = append(p.variants, v)
		}
		all[i] = p
	}
	return all
}

func amount(milli int64) string { return strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64) }

// madeBundle returns the bundle of the shop of products.
func madeBundle(products []*madeProduct) []byte {
	type object = map[string]any
	shop := object{"format": "storefront-bundle/1", "tenant": object{
		"domain": madeShop, "slug": "made", "name": "Made", "nameFa": "ساخته", "defaultLocale": "fa",
	}}
	var brands, categories, elements, reviews []object
	for _, slug := range madeBrands {
		brands = append(brands, object{"slug": slug, "name": slug, "nameFa": slug})
	}
	for _, slug := range madeCategories {
		c := object{"entityType": "product", "slug": slug, "name": slug, "nameFa": slug}
		if parent := madeParents[slug]; parent != "" {
			c["parentSlug"] = parent
		}
		var fields []object
		for _, key := range madeForms[slug] {
			field := object{"key": key, "label": key, "labelFa": key, "type": madeFields[key]}
			if kind := madeFields[key]; kind == "select" || kind == "multiselect" {
				var options []object
				for _, value := range madeChoices[key] {
					options = append(options, object{"value": value, "label": value, "labelFa": value})
				}
				field["options"] = options
			}
			fields = append(fields, field)
		}
		if fields != nil {
			c["form"] = object{"title": slug, "titleFa": slug, "fields": fields}
		}
		categories = append(categories, c)
	}
	for _, p := range products {
		e := object{
			"slug": p.slug, "titleFa": p.titleFa, "titleEn": p.titleEn, "tags": p.tags, "status": p.status,
			"publishedAt": p.publishedAt, "values": p.values,
		}
		if p.category != "" {
			e["category"] = p.category
		}
		if p.brand != "" {
			e["brand"] = p.brand
		}
		if p.category == "none" { // has no form, so that this is hidden
			e["otherValues"] = object{"power": 2, "finish": "matt"}
		}
		var variations, variants []object
		for _, v := range p.variants {
			one := object{"sku": v.sku, "options": v.options, "priceCurrency": v.currency, "stock": v.stock,
				"onSale": v.onSale, "isFestival": v.isFestival}
			for member, price := range map[string]int64{"price": v.price, "compareAtPrice": v.before} {
				if price >= 0 {
					one[member] = json.Number(amount(price))
				}
			}
			variants = append(variants, one)
		}
		if len(p.variants) > 0 && len(p.variants[0].options) > 0 {
			for _, key := range []string{"fit", "hue"} {
				var values []object
				for _, value := range madeOptions[key] {
					values = append(values, object{"key": value, "label": value, "labelFa": value})
				}
				variations = append(variations,
					object{"key": key, "name": key, "nameFa": key, "values": values})
			}
		}
		e["variations"], e["variants"] = variations, variants
		if variants == nil {
			delete(e, "variants")
		}
		if variations == nil {
			delete(e, "variations")
		}
		for k, rate := range p.rates {
			reviews = append(reviews, object{
				"product": p.slug, "authorName": fmt.Sprint("Visitor ", k), "rate": rate, "text": "Good",
				"positivePoints": []string{}, "negativePoints": []string{}, "createdAt": p.publishedAt,
			})
		}
		elements = append(elements, e)
	}
	shop["brands"], shop["categories"] = brands, categories
	shop["products"], shop["expertReviews"] = elements, reviews
	text, err := json.Marshal(shop)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return text
}
