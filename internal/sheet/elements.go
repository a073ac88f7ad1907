package sheet

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"storefront/ent"
	"storefront/internal/record"
	"storefront/internal/search"
)

// product makes the element of a product, which is known to the shop or nil, and notes where it comes from.
func (m *maker) product(rows []row, known *ent.Product) map[string]any {
	made := map[string]any{}
	first := rows[0]
	for _, name := range m.rows.header {
		c, fixed := columnNamed(name)
		if !fixed || c.variant {
			continue
		}
		for _, other := range rows[1:] {
			if cell := other.cells[name]; cell != "" && cell != first.cells[name] {
				m.faults.add(other.number, name, "is not as in row %d, the first of the product", first.number)
			}
		}
		value, given := c.member(first.cells[name])
		if of, member, nested := strings.Cut(name, "."); nested { // of seo
			inner, _ := made[of].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				made[of] = inner
			}
			inner[member] = value
		} else if given {
			made[name] = value
		}
	}
	made["slug"] = first.cells["slug"] // a sheet of offers has no column of it
	if len(m.values) > 0 {
		made["values"] = m.technical(first, known)
	}
	var place []int32
	variants := []map[string]any{}
	var variations []record.Variation
	if known != nil {
		variations = slices.Clone(known.Variations)
	}
	more := false
	for _, one := range rows {
		made := m.variant(one)
		if made == nil {
			continue
		}
		if len(m.options) > 0 {
			options := map[string]string{}
			for key, choice := range m.had[one.cells["sku"]] {
				if !slices.Contains(m.options, key) {
					options[key] = choice
				}
			}
			for _, key := range m.options {
				if cell := one.cells[optionColumn+key]; cell != "" {
					var added bool
					options[key], added = choose(&variations, key, cell)
					more = more || added
				}
			}
			made["options"] = options
		}
		variants, place = append(variants, made), append(place, int32(one.number))
	}
	if len(variants) > 0 {
		made["variants"] = variants
	} else {
		place = []int32{int32(first.number)}
	}
	if more {
		made["variations"] = variationsOf(variations)
	}
	m.places = append(m.places, place)
	return made
}

// variant makes the element of a row's variant; nil: the row is of the product alone.
func (m *maker) variant(one row) map[string]any {
	made, says := map[string]any{}, false
	for _, name := range m.rows.header {
		c, fixed := columnNamed(name)
		if !fixed || !c.variant {
			says = says || strings.HasPrefix(name, optionColumn) && one.cells[name] != ""
			continue
		}
		says = says || one.cells[name] != "" && c.kind != ignored
		if value, given := c.member(one.cells[name]); given {
			made[name] = value
		}
	}
	if !says {
		return nil
	}
	return made
}

// technical makes the values of a product's technical form.
func (m *maker) technical(one row, known *ent.Product) map[string]json.RawMessage {
	category := m.bySlug[one.cells["category"]]
	if category == nil && !m.has("category") && known != nil && known.CategoryID != nil {
		category = m.byID[*known.CategoryID]
	}
	values := map[string]json.RawMessage{}
	form := m.formOf(category)
	if known != nil {
		for key, value := range known.Values {
			if !slices.Contains(m.values, key) && form.Asks(key, value) {
				values[key] = value
			}
		}
	}
	for _, key := range m.values {
		cell := one.cells[valueColumn+key]
		if cell == "" {
			continue
		}
		values[key] = text(cell)
		if form == nil {
			continue
		}
		i := slices.IndexFunc(form.Fields, func(f record.FormField) bool { return f.Key == key })
		if i < 0 {
			continue
		}
		switch form.Fields[i].Type {
		case record.Number:
			values[key] = number(cell)
		case record.Boolean:
			values[key] = boolean(cell)
		case record.Multiselect:
			values[key] = encoded(list(cell))
		}
	}
	return values
}

// choose finds the choice of a variation by its key or a word for it, and reports whether it had to be added.
func choose(variations *[]record.Variation, key, word string) (choice string, added bool) {
	i := slices.IndexFunc(*variations, func(v record.Variation) bool { return v.Key == key })
	if i < 0 {
		i = len(*variations)
		*variations = append(*variations, record.Variation{Key: key, Name: key, NameFa: key})
	}
	of := &(*variations)[i]
	for _, one := range of.Values {
		if one.Key == word || one.Label == word || one.LabelFa == word {
			return one.Key, false
		}
	}
	one := record.VariationValue{Key: cmp.Or(search.Slug(word), word), Label: word, LabelFa: word}
	of.Values = append(slices.Clone(of.Values), one)
	return one.Key, true
}

// variationsOf makes the element of a product's variations.
func variationsOf(variations []record.Variation) []map[string]any {
	made := make([]map[string]any, len(variations))
	for i, v := range variations {
		values := make([]map[string]any, len(v.Values))
		for n, one := range v.Values {
			values[n] = map[string]any{
				"key": one.Key, "label": one.Label, "labelFa": one.LabelFa, "colorHex": one.ColorHex,
			}
		}
		made[i] = map[string]any{"key": v.Key, "name": v.Name, "nameFa": v.NameFa, "values": values}
	}
	return made
}
