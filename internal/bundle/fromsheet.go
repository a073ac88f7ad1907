package bundle

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/record"
	"storefront/internal/search"
)

// Sheet describes to Import how to read the products of a sheet (package sheet). They name only some values and
// options of a record, and in words. They are resolved when the record is read for writing, so that
// concurrent changes by others are kept:
//
//   - values and options are added to those that are stored; null removes one.
//   - An option is the key of a choice, or a word for it; one that is unknown becomes a new choice.
//   - A stock beside expectedStock, which is that of when the sheet was written, is a change where the two differ. It
//     is refused if the stock is neither of them by now.
type Sheet struct {
	// Value returns the JSON of a technical value given as a cell.
	Value func(of record.FieldType, cell string) []byte
	// Offers makes Import refuse variants that do not exist or are another product's.
	Offers bool
}

// FromSheet makes Import read the products as rows of a sheet.
func FromSheet(s Sheet) Option { return func(im *importer) { im.sheet = &s } }

// value returns the node of a technical value.
func (s *Sheet) value(field record.FormField, m *node) *node {
	if s == nil || m.kind != '"' || field.Type == record.Text || field.Type == record.Select {
		return m
	}
	n := newTree(&Faults{}).parse(s.Value(field.Type, m.text), m.parent, m.name, -1, m.line, m.column)
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

// addChoices adds to a product the choices that its variants in the sheet name and that it lacks.
func (im *importer) addChoices(o *object, dst *[]record.Variation) {
	if im.sheet == nil || o.member("variants") == nil {
		return
	}
	variations := slices.Clone(*dst)
	for _, item := range o.member("variants").children {
		options := item.member("options")
		if options == nil {
			continue
		}
		for _, m := range options.children {
			if m.kind != '"' || !canBeKey(m.name) || !canBeKey(m.text) || choiceOf(variations, m.name, m.text) != "" {
				continue
			}
			i := slices.IndexFunc(variations, func(v record.Variation) bool { return v.Key == m.name })
			if i < 0 {
				i = len(variations)
				one := record.Variation{ID: record.NewID().String(), Key: m.name, Name: m.name, NameFa: m.name}
				variations = append(variations, one)
			}
			one := record.VariationValue{ID: record.NewID().String(), Key: m.text, Label: m.text, LabelFa: m.text}
			if slug := search.Slug(m.text); slug != "" && choiceOf(variations, m.name, slug) == "" {
				one.Key = slug
			}
			variations[i].Values = append(slices.Clone(variations[i].Values), one)
			if most := mostChoices; len(variations[i].Values) == most+1 {
				o.faults.add(m, "must have at most %d items", most)
			}
			if most := mostVariations; i == most && len(variations[i].Values) == 1 {
				o.faults.add(m, "must have at most %d items", most)
			}
		}
	}
	putDeep(o, dst, variations)
}

// canBeKey reports whether a text can be the key of a variation or a choice. The fault of an invalid key is
// added where it is read.
func canBeKey(text string) bool {
	return text != "" && utf8.RuneCountInString(text) <= keyLimit && checkKey(text) == nil
}

// sheetStock reads the stock of a variant in a sheet and reports whether it must be written.
func (im *importer) sheetStock(o *object, row *ent.Variant, isThere bool, found *offered) bool {
	expected, asExpected := 0, o.given("expectedStock")
	if asExpected != nil {
		var ok bool
		if expected, ok = o.number(asExpected, 0, mostStock); !ok {
			return false
		}
	}
	m := o.given("stock")
	if m == nil {
		return false
	}
	stock, ok := o.number(m, 0, mostStock)
	switch {
	case !ok:
		return false
	case !isThere || asExpected == nil:
		put(o, &row.Stock, stock)
		return true
	case stock == expected || stock == row.Stock:
		return false
	case row.Stock != expected:
		o.faults.add(m, "is %d by now, and no longer the expectedStock %d; look at it again, then decide", row.Stock,
			expected)
		return false
	}
	put(o, &row.Stock, stock)
	found.expected[row.ID] = expected
	return true
}

// errOvertaken ends a transaction that must be planned again: a checkout changed a stock before its row was
// locked.
var errOvertaken = errors.New("the stock of a variant was changed meanwhile")

// holdStock makes the transaction check, once the rows of variants are locked, that their stock has not
// changed since it was planned. On SQLite a transaction locks the whole file, so this is not needed.
//
// The audit log also takes the old stock from the locked rows, because checkouts may change it until then.
func (im *importer) holdStock(f *offered) {
	audited := im.unit.audited
	if len(f.expected)+len(audited) == 0 || len(f.counted) == 0 || im.dialect != dialect.Postgres {
		return
	}
	ids := make([]uuid.UUID, len(f.counted))
	for i, row := range f.counted {
		ids[i] = row.ID
	}
	im.do(func(ctx context.Context, tx *ent.Tx) error {
		rows, err := tx.Variant.Query().Where(im.amongIDs(variant.FieldID, ids)).
			Select(variant.FieldID, variant.FieldStock).All(ctx)
		locked := make(map[uuid.UUID]int, len(rows))
		for _, row := range rows {
			if stock, ok := f.expected[row.ID]; ok && row.Stock != stock {
				return errOvertaken
			}
			locked[row.ID] = row.Stock
		}
		setStockBefore(audited, locked)
		return err
	})
}
