package catalog_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// meets reports whether an answer meets a condition.
func (c valueCondition) meets(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case float64:
		return c.anyOf == nil && (c.least == nil || *c.least <= value && value <= *c.greatest)
	case []string:
		return c.least == nil && (c.anyOf == nil ||
			slices.ContainsFunc(value, func(one string) bool { return slices.Contains(c.anyOf, one) }))
	default:
		return c.least == nil && (c.anyOf == nil || slices.Contains(c.anyOf, fmt.Sprint(value)))
	}
}

// meeting returns the variants of a record that meet the conditions on variants.
func (f modelFilter) meeting(of *listed) (all []madeVariant) {
	for _, v := range of.variants {
		ok := f.lowest < 0 && f.highest < 0 ||
			v.price >= max(f.lowest, 0) && (f.highest < 0 || v.price <= f.highest)
		for key, values := range f.options {
			ok = ok && slices.Contains(values, v.options[key])
		}
		if ok {
			all = append(all, v)
		}
	}
	return all
}

// finds reports whether a list with the filter has a record.
func (f modelFilter) finds(one *listed) bool {
	p := one.of
	for word := range strings.FieldsSeq(f.words) {
		if !strings.Contains(one.text, word) {
			return false
		}
	}
	within := func(above string) bool { return p.category == above || madeParents[p.category] == above }
	tagged := func(tag string) bool { return slices.Contains(p.tags, tag) }
	for key, c := range f.values {
		if !c.meets(p.values[key]) {
			return false
		}
	}
	return (f.category == "" || within(f.category)) &&
		(f.categories == nil || slices.ContainsFunc(f.categories, within)) &&
		(f.brands == nil || slices.Contains(f.brands, p.brand)) &&
		(f.tags == nil || slices.ContainsFunc(f.tags, tagged)) &&
		(f.inStore == nil || *f.inStore == (len(one.variants) > 0)) &&
		(f.inStock == nil || *f.inStock == (one.variants[0].stock > 0)) &&
		(f.isFestival == nil || *f.isFestival == one.variants[0].isFestival) &&
		(len(f.options) == 0 && f.lowest < 0 && f.highest < 0 || len(f.meeting(one)) > 0)
}

func (f modelFilter) found(all []*listed) (found []*listed) {
	for _, one := range all {
		if f.finds(one) {
			found = append(found, one)
		}
	}
	return found
}

// priceBounds returns the lowest and highest price of variants, -1 without one.
func priceBounds(variants []madeVariant) (lowest, highest int64) {
	lowest, highest = -1, -1
	for _, v := range variants {
		if v.price >= 0 && (lowest < 0 || v.price < lowest) {
			lowest = v.price
		}
		highest = max(highest, v.price)
	}
	return lowest, highest
}

// sorted sorts records as a list with the filter.
func (f modelFilter) sorted(found []*listed, sort string) {
	phrase := strings.ReplaceAll(f.words, " ", "")
	// rank returns what a record is sorted by, the greatest first, but for its title.
	rank := func(one *listed) int64 {
		lowest, _ := priceBounds(f.meeting(one))
		switch sort {
		case "price_asc":
			if lowest >= 0 {
				return -lowest
			}
			return -1 << 60
		case "price_desc":
			return lowest
		case "rating":
			sum := 0
			for _, rate := range one.of.rates {
				sum += rate
			}
			if n := len(one.of.rates); n > 0 {
				return int64(sum * 1_000_000 / n)
			}
			return -1
		case "discount":
			if v := one.variants[0]; v.price >= 0 && v.before > v.price {
				return (v.before - v.price) * 1000 / v.before
			}
			return -1
		case "relevance":
			switch {
			case phrase == "":
			case strings.Contains(" "+one.text, " "+phrase):
				return 3
			case strings.Contains(one.text, phrase):
				return 2
			}
		}
		return 0
	}
	slices.SortFunc(found, func(a, b *listed) int {
		if sort == "title" && a.text != b.text {
			return cmp.Compare(a.text, b.text)
		}
		return cmp.Or(cmp.Compare(rank(b), rank(a)), b.of.publishedAt.Compare(a.of.publishedAt),
			cmp.Compare(b.id, a.id))
	})
}

// shown is a record as a list shows it, in either API.
type shown struct {
	ID, Slug, SKU                   string
	Price, MaxPrice, CompareAtPrice *json.Number
	DiscountPercent                 *int
	PriceCurrency                   *string
	InStore, InStock                bool
}

const shownFields = "id price priceCurrency inStock "

func (s shown) String() string {
	text := s.Slug + s.SKU
	for _, price := range []*json.Number{s.Price, s.MaxPrice, s.CompareAtPrice} {
		if price == nil {
			text += " -"
		} else {
			text += " " + amount(milliOf(*price))
		}
	}
	if s.DiscountPercent != nil {
		text += fmt.Sprintf(" less %d%%", *s.DiscountPercent)
	}
	if s.PriceCurrency != nil {
		text += " " + *s.PriceCurrency
	}
	return text + fmt.Sprint(" ", s.InStore, " ", s.InStock)
}

// shows returns how a list shows a record.
func (one *listed) shows(list string) shown {
	price := func(milli int64) *json.Number {
		if milli < 0 {
			return nil
		}
		return new(json.Number(amount(milli)))
	}
	lowest, highest := priceBounds(one.variants)
	s := shown{Price: price(lowest)}
	for _, v := range one.variants {
		s.PriceCurrency, s.InStock = &v.currency, s.InStock || v.stock > 0
	}
	if list == "products" {
		s.Slug, s.MaxPrice, s.InStore = one.name, price(highest), len(one.variants) > 0
		return s
	}
	v := one.variants[0]
	s.SKU, s.CompareAtPrice = one.name, price(v.before)
	if v.price >= 0 && v.before > v.price {
		percent := int((v.before - v.price) * 1000 / v.before) // tenths
		percent = max((percent+5)/10, 1)
		if v.price > 0 {
			percent = min(percent, 99)
		}
		s.DiscountPercent = &percent
	}
	return s
}
