package bundle

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// A variant on sale has values of its product's variations alone, and no other variant on sale has the same ones:
// customers choose by them. One off sale keeps what it had, whatever becomes of the variations. The rules are looked at
// where an element touches what they are about, so that a shop of before they were there can still be edited.

// options reads which values of its product's variations a variant has. They are replaced as a whole, but by a sheet.
func (o *object) options(row *ent.Variant, variations []record.Variation, sheet *Sheet) {
	given, _ := o.object("options")
	if given == nil {
		return
	}
	options := map[string]string{}
	if sheet != nil {
		maps.Copy(options, row.Options)
	} else if len(given.children) > mostVariations {
		o.faults.add(given.node, "must have at most %d items", mostVariations)
		return
	}
	for _, m := range given.children {
		if m.kind == 'n' {
			delete(options, m.name)
			continue
		}
		text, ok := o.string(m, 0, keyLimit, checkKey)
		if !ok {
			continue
		}
		if sheet != nil {
			text = cmp.Or(choiceOf(variations, m.name, text), text)
		}
		had, found := row.Options[m.name]
		switch value, ok := optionOf(variations, m.name, text); {
		case value == nil && row.OnSale && (!found || had != text):
			if ok {
				o.faults.add(m, "is not a value of the product's variation")
			} else {
				o.faults.add(m, "is not a variation of the product")
			}
		case o.checkName(m):
			options[m.name] = text
		}
	}
	putDeep(o, &row.Options, options)
}

// optionOf finds a value by the keys of a variation and its own; ok reports whether there is such a variation.
func optionOf(variations []record.Variation, key, value string) (found *record.VariationValue, ok bool) {
	for _, variation := range variations {
		if variation.Key != key {
			continue
		}
		for i := range variation.Values {
			if variation.Values[i].Key == value {
				return &variation.Values[i], true
			}
		}
		return nil, true
	}
	return nil, false
}

// areOf reports whether options are values of some variations.
func areOf(options map[string]string, variations []record.Variation) bool {
	for key, value := range options {
		if found, _ := optionOf(variations, key, value); found == nil {
			return false
		}
	}
	return true
}

// takeAway reports whether variations lack a value that they had.
func takeAway(before, after []record.Variation) bool {
	for _, variation := range before {
		for _, value := range variation.Values {
			if found, _ := optionOf(after, variation.Key, value.Key); found == nil {
				return true
			}
		}
	}
	return false
}

// choice is a product whose variants are to be compared with those that the tenant has of it beside them.
type choice struct {
	of       *object
	product  *ent.Product
	variants []*ent.Variant // of the file
	found    *offered
	lacks    bool // a value of its variations is taken away
}

// checkOptions notes what is wrong with the options of a product's variants in the file, and that those beside them are
// to be looked at.
func (im *importer) checkOptions(c choice, isNew bool) {
	touched := false
	for i, one := range c.variants {
		if !one.OnSale {
			continue
		}
		o := c.found.offers[one]
		touched = touched || o != nil && len(one.Options) > 0
		if !areOf(one.Options, c.product.Variations) {
			if o != nil {
				o.faults.add(cmp.Or(o.member("options"), o.member("onSale"), o.node),
					"must be of the product's variations while the variant is on sale")
				c.found.slip(o, one)(o.faults)
			} else if c.lacks {
				im.refuseToTake(c, one.Sku)
			}
		}
		for _, other := range c.variants[:i] {
			if twins(one, other) && (o != nil || c.found.offers[other] != nil) {
				at, twin := one, other
				if o == nil {
					at, twin = other, one
				}
				c.noteTwin(at, twin.Sku)(c.of.faults)
				break
			}
		}
	}
	if !isNew && (touched || c.lacks) {
		im.choices = append(im.choices, c)
	}
}

// noteTwin returns a function that records that a variant of the file has the same options as another one. It holds
// their places in the file rather than the element.
func (c choice) noteTwin(one *ent.Variant, sku string) func(*Faults) {
	o := c.found.offers[one]
	at, slipped := cmp.Or(o.member("options"), o.member("onSale"), o.node).placeInFile(), c.found.slip(o, one)
	return func(faults *Faults) {
		faults.addAt(at, "are those of the variant %s, which is on sale too", sku)
		slipped(faults)
	}
}

// twins reports whether customers could not tell two variants apart by their options.
func twins(a, b *ent.Variant) bool {
	return a.OnSale && b.OnSale && len(a.Options) > 0 && maps.Equal(a.Options, b.Options)
}

// refuseToTake refuses to take away a value that a variant on sale has.
func (im *importer) refuseToTake(c choice, sku string) {
	if im.edit != nil {
		im.refuse(fault.New(fault.Conflict,
			"the variant %s is on sale with an option that is taken away; take it off sale first", sku))
		return
	}
	c.of.faults.add(cmp.Or(c.of.member("variations"), c.of.node),
		"takes an option away that the variant %s has, which is on sale", sku)
}

// checkChoices compares the variants of the file with those that their products have beside them.
func (im *importer) checkChoices(ctx context.Context) error {
	all := im.choices
	im.choices = nil
	if im.writing && im.edit == nil && im.variants.found == nil || im.fresh || len(all) == 0 {
		return nil // they were checked, and nobody has changed the shop since
	}
	byID := map[uuid.UUID]choice{}
	var ids []uuid.UUID
	for _, c := range all {
		byID[c.product.ID] = c
		ids = append(ids, c.product.ID)
	}
	beside, err := im.client.Variant.Query().Where(im.amongIDs(variant.FieldProductID, ids), variant.OnSale(true)).
		Select(variant.FieldProductID, variant.FieldSku, variant.FieldOptions, variant.FieldOnSale).All(ctx)
	for _, other := range beside {
		c := byID[other.ProductID]
		if slices.ContainsFunc(c.variants, func(v *ent.Variant) bool { return v.Sku == other.Sku }) {
			continue
		}
		if c.lacks && !areOf(other.Options, c.product.Variations) {
			im.leftOver = append(im.leftOver, leftOver{other.Sku, func() { im.refuseToTake(c, other.Sku) }})
		}
		for _, one := range c.variants {
			if o := c.found.offers[one]; o != nil && twins(one, other) {
				note := c.noteTwin(one, other.Sku)
				im.leftOver = append(im.leftOver, leftOver{other.Sku, func() { note(&im.faults) }})
			}
		}
	}
	return err
}

// leftOver is a variant that stands in the way of a product in the file, unless the file gives it to another product.
type leftOver struct {
	sku    string
	refuse func()
}

// finishChoices notes the variants that stand in the way once the whole file is read.
func (im *importer) finishChoices() {
	if im.faults.any() {
		return // among them may be the cause
	}
	for _, one := range im.leftOver {
		if !im.variants.known[one.sku].inFile() {
			one.refuse()
		}
	}
}
