package catalog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"storefront/internal/contract/shoptest"
)

// listed is a record of a public list: a product with its variants on sale, or a single variant.
type listed struct {
	name, text string // slug or SKU; the text that searches match
	id         string
	of         *madeProduct
	variants   []madeVariant
}

// listedIn returns the records of a public list.
func listedIn(list string, products []*madeProduct) (all []*listed) {
	for _, p := range products {
		if p.status != "published" || p.publishedAt.After(shoptest.Today) {
			continue
		}
		text := strings.ReplaceAll(p.titleFa, " ", "") + " " + strings.ReplaceAll(p.titleEn, " ", "")
		one := &listed{name: p.slug, text: text, of: p}
		for _, v := range p.variants {
			if !v.onSale {
				continue
			}
			one.variants = append(one.variants, v)
			if list == "storeItems" {
				all = append(all, &listed{name: v.sku, of: p, variants: []madeVariant{v},
					text: text + " " + strings.ToLower(strings.ReplaceAll(v.sku, "-", ""))})
			}
		}
		if list == "products" {
			all = append(all, one)
		}
	}
	return all
}

// modelFilter holds the arguments of a list. Prices are in thousandths of the unit; -1: none.
type modelFilter struct {
	words, category              string
	categories, brands, tags     []string
	options                      map[string][]string
	lowest, highest              int64
	values                       map[string]valueCondition
	inStore, inStock, isFestival *bool
}

// valueCondition is a condition on an answer; without members any answer meets it.
type valueCondition struct {
	anyOf           []string
	least, greatest *float64
}

// randomFilter returns a filter of a list.
func randomFilter(r *rand.Rand, list string) modelFilter {
	f := modelFilter{lowest: -1, highest: -1}
	f.options, f.values = map[string][]string{}, map[string]valueCondition{}
	some := func() bool { return r.IntN(4) == 0 }
	if some() {
		f.words = oneOf(r, "red", "shirt", "cot", "red wool", "shirt red", "teac", "v1")
	}
	switch r.IntN(6) {
	case 0, 1:
		f.category = oneOf(r, "clothes", "shirts", "pots", "none")
	case 2:
		f.categories = []string{"shirts", "pots"}
	}
	if some() {
		f.brands = someOf(r, madeBrands...)
	}
	for _, key := range []string{"fit", "hue"} {
		if r.IntN(3) == 0 {
			f.options[key] = someOf(r, madeOptions[key]...)
		}
	}
	if r.IntN(3) == 0 {
		f.lowest = r.Int64N(24) * 500
	}
	if r.IntN(3) == 0 {
		f.highest = max(f.lowest, 0) + r.Int64N(48)*250
	}
	yes := r.IntN(2) == 0
	if list == "storeItems" {
		switch r.IntN(4) {
		case 0:
			f.inStock = &yes
		case 1:
			f.isFestival = &yes
		}
		return f
	}
	if some() {
		f.tags = someOf(r, "new", "sale", "gift")
	}
	if r.IntN(6) == 0 {
		f.inStore = &yes
	}
	for _, key := range slices.Sorted(maps.Keys(madeFields)) {
		if r.IntN(8) > 0 {
			continue
		}
		var c valueCondition
		switch low, high := float64(r.IntN(5))/2, 2+float64(r.IntN(5))/2; {
		case r.IntN(4) == 0:
		case key == "power":
			c.least, c.greatest = &low, &high
		default:
			c.anyOf = someOf(r, madeChoices[key]...)
		}
		f.values[key] = c
	}
	return f
}

// arguments writes the filter as arguments in GraphQL.
func (f modelFilter) arguments(ids map[string]string) string {
	given := map[string]any{}
	if f.words != "" {
		given["name"] = f.words
	}
	if f.category != "" {
		given["categoryId"] = ids[f.category]
	}
	for name, values := range map[string][]string{
		"categories": f.categories, "brands": f.brands, "tags": f.tags,
	} {
		if values != nil {
			given[name] = values
		}
	}
	for name, price := range map[string]int64{"minPrice": f.lowest, "maxPrice": f.highest} {
		if price >= 0 {
			given[name] = json.Number(amount(price))
		}
	}
	for name, value := range f.flags() {
		if value != nil {
			given[name] = *value
		}
	}
	var text []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value, _ := json.Marshal(given[name]) // texts, numbers and lists are written as in JSON
		text = append(text, name+": "+string(value))
	}
	lists := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(f.options)) {
		values, _ := json.Marshal(f.options[key])
		lists["options"] = append(lists["options"], fmt.Sprintf("{key: %q, anyOf: %s}", key, values))
	}
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		one := fmt.Sprintf("{key: %q", key)
		if c := f.values[key]; c.least != nil {
			one += fmt.Sprintf(", min: %v, max: %v", *c.least, *c.greatest)
		} else if c.anyOf != nil {
			values, _ := json.Marshal(c.anyOf)
			one += ", anyOf: " + string(values)
		}
		lists["values"] = append(lists["values"], one+"}")
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		text = append(text, name+": ["+strings.Join(lists[name], ", ")+"]")
	}
	return strings.Join(text, ", ")
}

// flags returns the arguments that are true or false, by name.
func (f modelFilter) flags() map[string]*bool {
	return map[string]*bool{"inStore": f.inStore, "inStock": f.inStock, "isFestival": f.isFestival}
}

// inREST returns what the route of a list can ask for of a filter, and the query string for that.
func (f modelFilter) inREST(list string, ids map[string]string) (modelFilter, url.Values) {
	f.categories, f.options, f.values = nil, nil, nil
	query := url.Values{"pageSize": {"100"}}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("name", f.words)
	set("categoryId", ids[f.category])
	if f.brands != nil {
		f.brands = f.brands[:1]
		set("brandId", ids[f.brands[0]])
	}
	if f.tags != nil {
		f.tags = f.tags[:1]
		set("tag", f.tags[0])
	}
	if list == "products" {
		f.lowest, f.highest = -1, -1
	}
	for name, price := range map[string]int64{"minPrice": f.lowest, "maxPrice": f.highest} {
		if price >= 0 {
			set(name, amount(price))
		}
	}
	for name, value := range f.flags() {
		if value != nil {
			set(name, fmt.Sprint(*value))
		}
	}
	return f, query
}
