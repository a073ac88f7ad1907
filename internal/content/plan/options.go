package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// The options of a variant on sale must be values of its product's variations, and no two variants on sale
// may have the same options, because customers choose by them. A variant that is not on sale keeps its
// options even if the variations change. The rules are checked only for what an element changes, so that
// older shops that break them can still be edited.

// readOptions reads a variant's values of its product's variations. They replace the former ones; a sheet only
// adds to them.
func readOptions(o *document.Object, row *ent.Variant, variations []record.Variation, sheet *Sheet) {
	given, _ := o.Inner("options")
	if given == nil {
		return
	}
	options := map[string]string{}
	if sheet != nil {
		maps.Copy(options, row.Options)
	} else if len(given.Children) > mostVariations {
		o.Faults.Add(given.Node, "must have at most %d items", mostVariations)
		return
	}
	for _, m := range given.Children {
		if m.Kind == 'n' {
			delete(options, m.Name)
			continue
		}
		text, ok := o.TextOf(m, 0, document.KeyLimit, checkKey)
		if !ok {
			continue
		}
		had, found := row.Options[m.Name]
		if sheet != nil && had != text {
			text = cmp.Or(choiceOf(variations, m.Name, text), text)
		}
		switch value, ok := optionOf(variations, m.Name, text); {
		case value == nil && sheet != nil && had != text && o.Value("expectedStock") != nil:
			refuseUnknownKey(o, m, had)
		case value == nil && row.OnSale && (!found || had != text):
			if ok {
				o.Faults.Add(m, "is not a value of the product's variation")
			} else {
				o.Faults.Add(m, "is not a variation of the product")
			}
		case checkName(o, m):
			options[m.Name] = text
		}
	}
	document.PutDeep(o, &row.Options, options)
}

// optionOf returns a value by the keys of its variation and its own, or nil. ok reports whether the variation
// exists.
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

// areOf reports whether all options are values of the variations.
func areOf(options map[string]string, variations []record.Variation) bool {
	for key, value := range options {
		if found, _ := optionOf(variations, key, value); found == nil {
			return false
		}
	}
	return true
}

// takeAway reports whether after lacks a value that before has.
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

// offeredProduct is a product whose variants in the file must be compared with its other variants.
type offeredProduct struct {
	of       *document.Object
	product  *ent.Product
	variants []*ent.Variant // of the file
	found    *variantSet
	lacks    bool // a value of its variations is removed
}

// checkOptions adds the faults in the options of a product's variants in the file. It notes that they must be
// compared with the product's other variants (checkBeside).
func (p *Planner) checkOptions(c offeredProduct, isNew bool) {
	for i, one := range c.variants {
		if !one.OnSale {
			continue
		}
		o := c.found.offers[one]
		if !areOf(one.Options, c.product.Variations) {
			if o != nil {
				o.Faults.Add(cmp.Or(o.Member("options"), o.Member("onSale"), o.Node),
					"must be of the product's variations while the variant is on sale")
				c.found.noteLeft(o, one)(o.Faults)
			} else if c.lacks {
				p.refuseToTake(c, one.Sku)
			}
		}
		for _, other := range c.variants[:i] {
			if twins(one, other) && (o != nil || c.found.offers[other] != nil) {
				at, twin := one, other
				if o == nil {
					at, twin = other, one
				}
				c.noteTwin(at, twin.Sku)(c.of.Faults)
				break
			}
		}
	}
	if !isNew && (len(c.variants) > 0 || c.lacks) {
		p.offered = append(p.offered, c)
	}
}

// noteTwin returns a function that adds the fault that a variant of the file has the same options as another
// one. It keeps the position in the file, not the element.
func (c offeredProduct) noteTwin(variant *ent.Variant, sku string) func(*document.Faults) {
	o := c.found.offers[variant]
	at := cmp.Or(o.Member("options"), o.Member("onSale"), o.Node).PositionInFile()
	noteLeft := c.found.noteLeft(o, variant)
	return func(faults *document.Faults) {
		faults.AddAt(at, "are those of the variant %s, which is on sale too", sku)
		noteLeft(faults)
	}
}

// twins reports whether two variants on sale have the same options.
func twins(a, b *ent.Variant) bool {
	return a.OnSale && b.OnSale && len(a.Options) > 0 && maps.Equal(a.Options, b.Options)
}

// refuseToTake refuses to remove a value that a variant on sale has.
func (p *Planner) refuseToTake(c offeredProduct, sku string) {
	if p.Terms.Edit {
		p.refuse(fault.New(fault.Conflict,
			"the variant %s is on sale with an option that is taken away; take it off sale first", sku))
		return
	}
	c.of.Faults.Add(cmp.Or(c.of.Member("variations"), c.of.Node),
		"takes an option away that the variant %s has, which is on sale", sku)
}

// checkBeside compares the variants of the file with the other variants of their products.
func (p *Planner) checkBeside(ctx context.Context) error {
	all := p.offered
	p.offered = nil
	if p.IsNew || len(all) == 0 {
		return nil
	}
	byID := map[uuid.UUID]offeredProduct{}
	for _, c := range all {
		byID[c.product.ID] = c
	}
	beside, err := p.Client.Variant.Query().
		Where(stored.Among(variant.FieldProductID, slices.Collect(maps.Keys(byID)))).
		Select(variant.FieldProductID, variant.FieldSku, variant.FieldOptions, variant.FieldOnSale,
			variant.FieldPriceCurrency).All(ctx)
	told := map[document.Position]bool{} // products for which a fault about two currencies was added
	for _, other := range beside {
		c := byID[other.ProductID]
		if slices.ContainsFunc(c.variants, func(v *ent.Variant) bool { return v.Sku == other.Sku }) {
			continue
		}
		if c.lacks && other.OnSale && !areOf(other.Options, c.product.Variations) {
			p.leftOver = append(p.leftOver, leftOver{other.Sku, func() { p.refuseToTake(c, other.Sku) }})
		}
		wants := ""
		for _, one := range c.variants {
			if o := c.found.offers[one]; o != nil && twins(one, other) {
				note := c.noteTwin(one, other.Sku)
				p.leftOver = append(p.leftOver, leftOver{other.Sku, func() { note(p.Faults) }})
			}
			wants = cmp.Or(one.PriceCurrency, wants)
		}
		if _, given := c.found.bySKU[other.Sku]; !given && wants != "" && wants != other.PriceCurrency {
			at, least, most := c.of.PositionInFile(), min(wants, other.PriceCurrency), max(wants, other.PriceCurrency)
			p.mixed = append(p.mixed, leftOver{other.Sku, func() {
				if !told[at] {
					told[at] = true
					p.Faults.AddAt(at, "would have variants in %s and %s; a product has one currency", least, most)
				}
			}})
		}
	}
	return err
}

// leftOver is a variant that conflicts with a product in the file, unless the file moves it to another
// product.
type leftOver struct {
	sku    string
	refuse func()
}

// Finish adds the faults of conflicting variants, once all elements are read. If the file moves a variant of another
// currency to another product, the two products must be written together. What is planned next has nothing to do with
// the elements before.
func (p *Planner) Finish() {
	leftOvers, mixed := p.leftOver, p.mixed
	p.leftOver, p.mixed = nil, nil
	for _, conflicts := range [][]leftOver{leftOvers, mixed} {
		if p.Faults.Any() {
			return // other faults may be the cause
		}
		for _, one := range conflicts {
			if !p.index("variants").entries[one.sku].inFile() {
				one.refuse()
			}
		}
	}
	p.Together = slices.ContainsFunc(mixed, func(one leftOver) bool {
		return p.index("variants").entries[one.sku].inFile()
	})
}
