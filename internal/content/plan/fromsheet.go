package plan

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"storefront/internal/content/document"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// Sheet is how the products of a sheet are read (package sheet). They name only some values and options of a record,
// and in words. They are resolved when the record is read for writing, so that concurrent changes by others are kept:
//
//   - values and options are added to those that are stored; null removes one.
//   - An option is the key of a choice, or a word for it; one that is unknown becomes a new choice.
//   - An element with an expectedStock was exported before. If its slug, SKU or choices are unknown, they were deleted
//     or a spreadsheet has changed them, so they are not created. Products have the member exported.
type Sheet struct {
	// Value returns the JSON of a technical value given as a cell.
	Value func(of record.FieldType, cell string) []byte
	// Offers makes variants faulty that do not exist or are another product's.
	Offers bool
}

// value returns the node of a technical value.
func (s *Sheet) value(field record.FormField, m *document.Node) *document.Node {
	if s == nil || m.Kind != '"' || field.Type == record.Text || field.Type == record.Select {
		return m
	}
	n := document.NewTree(&document.Faults{}).Parse(s.Value(field.Type, m.Text), m.Parent, m.Name, -1, m.Line, m.Column)
	return cmp.Or(n, m)
}

// choiceOf returns the key of the choice that a word means, if any. It tries keys first, then names, then
// names in another spelling.
func choiceOf(variations []record.Variation, key, word string) string {
	i := slices.IndexFunc(variations, func(v record.Variation) bool { return v.Key == key })
	if i < 0 {
		return ""
	}
	alike := search.Tag(word)
	for _, means := range []func(record.VariationValue) bool{
		func(one record.VariationValue) bool { return one.Key == word },
		func(one record.VariationValue) bool { return one.Label == word || one.LabelFa == word },
		func(one record.VariationValue) bool {
			return alike != "" && (search.Tag(one.Key) == alike || search.Tag(one.Label) == alike ||
				search.Tag(one.LabelFa) == alike)
		},
	} {
		if n := slices.IndexFunc(variations[i].Values, means); n >= 0 {
			return variations[i].Values[n].Key
		}
	}
	return ""
}

// refuseUnknownKey adds the fault of an unknown key of an element that was read or exported. maybe suggests what the
// key of a sheet was before; empty: unknown.
func refuseUnknownKey(o *document.Object, key *document.Node, maybe string) {
	switch {
	case o.Strict:
		o.Faults.AddText(key.PositionInFile(), "names no variant", fault.Say("names no %s", fault.Say("variant")))
	case maybe != "":
		o.Faults.Add(key, "is not known, though the row was exported (it has an expectedStock); was it %s before a "+
			"spreadsheet changed it? Leave expectedStock empty in a new row", maybe)
	default:
		o.Faults.Add(key, "is not known, though the row was exported (it has an expectedStock): it was deleted since, "+
			"or a spreadsheet changed it; leave expectedStock empty in a new row")
	}
}

// slugOf returns the slug of the product of an element's variants, if that is known.
func (f *variantSet) slugOf(o *document.Object) string {
	if m := o.Member("variants"); m != nil {
		for _, item := range m.Children {
			if row := f.bySKU[cmp.Or(item.Member("sku"), item).Text]; row != nil && row.Edges.Product != nil {
				return row.Edges.Product.Slug
			}
		}
	}
	return ""
}

// addChoices adds to a product the choices that its variants in the sheet name and that it lacks. What a variant has
// already is not added: staff have taken it away.
func (p *Planner) addChoices(o *document.Object, dst *[]record.Variation, set *variantSet) {
	if o.Member("variants") == nil {
		return
	}
	variations := slices.Clone(*dst)
	for _, item := range o.Member("variants").Children {
		options := item.Member("options")
		if options == nil || item.Member("expectedStock") != nil {
			continue
		}
		had := map[string]string{}
		if row := set.bySKU[cmp.Or(item.Member("sku"), item).Text]; row != nil {
			had = row.Options
		}
		for _, m := range options.Children {
			if m.Kind != '"' || !canBeKey(m.Name) || !canBeKey(m.Text) || had[m.Name] == m.Text ||
				choiceOf(variations, m.Name, m.Text) != "" {
				continue
			}
			i := slices.IndexFunc(variations, func(v record.Variation) bool { return v.Key == m.Name })
			if i < 0 {
				i = len(variations)
				one := record.Variation{ID: record.NewID().String(), Key: m.Name, Name: m.Name, NameFa: m.Name}
				variations = append(variations, one)
			}
			one := record.VariationValue{ID: record.NewID().String(), Key: m.Text, Label: m.Text, LabelFa: m.Text}
			if slug := search.Slug(m.Text); slug != "" && choiceOf(variations, m.Name, slug) == "" {
				one.Key = slug
			}
			variations[i].Values = append(slices.Clone(variations[i].Values), one)
			if most := mostChoices; len(variations[i].Values) == most+1 {
				o.Faults.Add(m, "must have at most %d items", most)
			}
			if most := mostVariations; i == most && len(variations[i].Values) == 1 {
				o.Faults.Add(m, "must have at most %d items", most)
			}
		}
	}
	document.PutDeep(o, dst, variations)
}

// canBeKey reports whether a text can be the key of a variation or a choice. The fault of an invalid key is
// added where it is read.
func canBeKey(text string) bool {
	return text != "" && utf8.RuneCountInString(text) <= document.KeyLimit && checkKey(text) == nil
}
