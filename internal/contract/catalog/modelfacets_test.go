package catalog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// modelFacets are the facets of a list.
type modelFacets struct {
	Categories []struct {
		Category struct{ Slug string }
		Count    int
	}
	Brands []struct {
		Brand struct{ Slug string }
		Count int
	}
	Prices []struct {
		Currency string
		Count    int
		Min, Max json.Number
		Buckets  []struct {
			Min, Max json.Number
			Count    int
		}
	}
	Options []struct {
		Key    string
		Values []struct {
			Value string
			Count int
		}
	}
	Fields []struct {
		Key     string
		Count   int
		Options []struct {
			Value string
			Count int
		}
		Min, Max *float64
	}
}

const facetFields = `facets { categories { category { slug } count } brands { brand { slug } count }
	prices { currency count min max buckets { min max count } } options { key values { value count } } `

// lines returns the facets as sorted lines.
func (m modelFacets) lines() (all []string) {
	add := func(of ...any) { all = append(all, fmt.Sprintln(of...)) }
	for _, c := range m.Categories {
		add("category", c.Category.Slug, c.Count)
	}
	for _, b := range m.Brands {
		add("brand", b.Brand.Slug, b.Count)
	}
	for _, p := range m.Prices {
		add("prices", p.Currency, p.Count, amount(milliOf(p.Min)), amount(milliOf(p.Max)))
		for _, b := range p.Buckets {
			add("prices", p.Currency, "from", b.Min, "to", b.Max, b.Count)
		}
	}
	for _, o := range m.Options {
		for _, v := range o.Values {
			add("option", o.Key, v.Value, v.Count)
		}
	}
	for _, f := range m.Fields {
		add("field", f.Key, f.Count)
		for _, o := range f.Options {
			add("field", f.Key, o.Value, o.Count)
		}
		if f.Min != nil {
			add("field", f.Key, "from", *f.Min, "to", *f.Max)
		}
	}
	slices.Sort(all)
	return all
}

// facets returns the lines of the facets of a list. It takes the bounds of the price buckets from got.
func (f modelFilter) facets(list string, all []*listed, got modelFacets) (lines []string) {
	add := func(of ...any) { lines = append(lines, fmt.Sprintln(of...)) }
	without := f
	without.category, without.categories = "", nil
	for _, slug := range madeCategories {
		without.category = slug
		if n := len(without.found(all)); n > 0 {
			add("category", slug, n)
		}
	}
	without = f
	for _, slug := range madeBrands {
		without.brands = []string{slug}
		if n := len(without.found(all)); n > 0 {
			add("brand", slug, n)
		}
	}
	without = f
	without.lowest, without.highest = -1, -1
	for currency := range madeCurrencies {
		var own []*listed
		var variants []madeVariant
		for _, one := range without.found(all) {
			priced := slices.DeleteFunc(without.meeting(one),
				func(v madeVariant) bool { return v.price < 0 || v.currency != currency })
			if len(priced) > 0 {
				own, variants = append(own, one), append(variants, priced...)
			}
		}
		if len(own) == 0 {
			continue
		}
		lowest, highest := priceBounds(variants)
		add("prices", currency, len(own), amount(lowest), amount(highest))
		covered := 0
		for _, p := range got.Prices {
			for _, b := range p.Buckets {
				if p.Currency != currency {
					continue
				}
				within := without
				within.lowest, within.highest = milliOf(b.Min), milliOf(b.Max)
				add("prices", currency, "from", b.Min, "to", b.Max, len(within.found(own)))
				for _, v := range variants {
					if v.price >= within.lowest && v.price <= within.highest {
						covered++
					}
				}
			}
		}
		if covered != len(variants) {
			add("buckets for", len(variants), "prices, not", covered)
		}
	}
	for key, values := range madeOptions {
		without = f
		without.options = maps.Clone(f.options)
		for _, value := range values {
			without.options[key] = []string{value}
			if n := len(without.found(all)); n > 0 {
				add("option", key, value, n)
			}
		}
	}
	if list == "products" && f.category != "" {
		for _, key := range madeForm(f.category) {
			without = f
			without.values = maps.Clone(f.values)
			without.values[key] = valueCondition{}
			answered := without.found(all)
			add("field", key, len(answered))
			for _, value := range madeChoices[key] {
				without.values[key] = valueCondition{anyOf: []string{value}}
				add("field", key, value, len(without.found(all)))
			}
			var numbers []float64
			for _, one := range answered {
				if number, ok := one.of.values[key].(float64); ok {
					numbers = append(numbers, number)
				}
			}
			if numbers != nil {
				add("field", key, "from", slices.Min(numbers), "to", slices.Max(numbers))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func milliOf(price json.Number) int64 {
	number, _ := price.Float64() // the service writes numbers
	return int64(number*1000 + 0.5)
}
