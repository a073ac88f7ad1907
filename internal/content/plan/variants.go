package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// variantSet holds the variants of some products while these are read.
type variantSet struct {
	bySKU   map[string]*ent.Variant
	counted []*ent.Variant // written whole
	// written without the stock, which the file does not give and customers change meanwhile
	others []*ent.Variant
	// the elements of variants that are new, come on sale or have other options than before
	offers map[*ent.Variant]*document.Object
	// the products that variants leave because of a sheet
	left map[*ent.Variant]*ent.Product
	// the elements of variants that are gone by now, though they were read or exported, with their products
	gone map[*document.Object]uuid.UUID
}

// changed returns how many variants must be written.
func (f *variantSet) changed() int { return len(f.counted) + len(f.others) }

// findVariants looks up the variants that some products of the file name.
func (p *Planner) findVariants(ctx context.Context, batch []*document.Object) (*variantSet, error) {
	var named []*document.Object
	for _, o := range batch {
		if m := o.Member("variants"); m != nil {
			for _, item := range m.Children {
				named = append(named, &document.Object{Node: item})
			}
		}
	}
	found := &variantSet{bySKU: map[string]*ent.Variant{}, offers: map[*ent.Variant]*document.Object{},
		left: map[*ent.Variant]*ent.Product{}, gone: map[*document.Object]uuid.UUID{}}
	query := p.Client.Variant.Query().Where(stored.Among(variant.FieldSku, document.TextsOf(named, "sku")))
	if p.Terms.Sheet != nil {
		query.WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) })
	}
	if p.IsNew {
		return found, nil
	}
	rows, err := query.All(ctx)
	for _, row := range rows {
		found.bySKU[row.Sku] = row
	}
	return found, err
}

// takeVariants reads the variants of a product, which may be new, and returns them.
func (p *Planner) takeVariants(
	parent *document.Object, product *ent.Product, isNew bool, set *variantSet,
) []*ent.Variant {
	items, _ := parent.Objects("variants", mostVariants)
	all := make([]*ent.Variant, 0, len(items))
	currency := ""
	for _, o := range items {
		sku := ""
		o.Require("sku")
		o.Text("sku", &sku, document.KeyLimit, checkKey)
		o.Changed = false
		row, ok := set.bySKU[sku]
		if p.Terms.Sheet != nil && p.Terms.Sheet.Offers && (!ok || row.ProductID != product.ID) {
			o.Faults.Add(cmp.Or(o.Member("sku"), o.Node), "names no variant")
			continue
		}
		if ok && row.ProductID != product.ID {
			if p.Terms.Edit { // only a file may move variants: it names the product of each
				p.refuse(fault.New(fault.Conflict, "the SKU %s is that of another product's variant", sku))
				continue
			}
			p.noteChanged(row.ProductID) // the variant leaves it
		}
		if !ok {
			id := p.index("variants").newID(sku)
			row = &ent.Variant{ID: id, Sku: sku, Options: map[string]string{}, OnSale: true}
			o.Require("priceCurrency")
		}
		p.noteRecord("variant", row, row.ID, row.UpdatedAt, ok)
		if existed := p.index("variants").add(o, sku, row.ID, ok); existed && !ok {
			o.Faults.Add(o.Node, "was deleted during the import")
		} else if !ok && (p.Terms.Sheet != nil || p.Terms.Edit) && o.Value("expectedStock") != nil {
			set.gone[o] = product.ID
		}
		before, faultsBefore := *row, p.Faults.Total()
		counted, expected := p.readStock(o, row, ok)
		p.readVariant(o, row, product)
		if ok {
			p.noteStock(row, counted && o.Changed, expected)
		}
		all = append(all, row)
		if !ok || row.OnSale && !before.OnSale || row.ProductID != before.ProductID ||
			!maps.Equal(row.Options, before.Options) {
			set.offers[row] = o
		}
		o.RefuseUnknown()
		if currency != "" && row.PriceCurrency != "" && row.PriceCurrency != currency {
			o.Faults.Add(o.Node, "is in %s, but a product has one currency and others of its variants are in %s",
				row.PriceCurrency, currency)
		}
		currency = row.PriceCurrency
		moves := ok && before.ProductID != product.ID
		if moves && p.Terms.Sheet != nil && row.Edges.Product != nil {
			set.left[row] = row.Edges.Product
			if p.Faults.Total() > faultsBefore {
				set.noteLeft(o, row)(o.Faults)
			}
		}
		if !p.note(parent, "variants", stored.FateOf(!ok, o.Changed)) {
			continue
		}
		if moves {
			p.unit.Outcomes[len(p.unit.Outcomes)-1].Moved = true
		}
		if !isNew {
			p.unit.Change.Offered = append(p.unit.Change.Offered, product.ID)
		}
		if ok {
			p.unit.Variants = append(p.unit.Variants, row.ID)
		}
		if ok && !counted {
			set.others = append(set.others, row)
		} else {
			set.counted = append(set.counted, row)
		}
	}
	return all
}

// refuseGone adds the faults of variants that do not exist any more. For a sheet it suggests the SKU of the product
// that the sheet does not name.
func (p *Planner) refuseGone(ctx context.Context, set *variantSet) error {
	if len(set.gone) == 0 {
		return nil
	}
	beside, err := p.Client.Variant.Query().
		Where(stored.Among(variant.FieldProductID, slices.Collect(maps.Values(set.gone)))).
		Order(variant.ByID()).Select(variant.FieldProductID, variant.FieldSku).All(ctx)
	if err != nil {
		return err
	}
	for o, product := range set.gone {
		maybe := ""
		for _, one := range beside {
			if one.ProductID == product && set.bySKU[one.Sku] == nil {
				maybe = cmp.Or(maybe, one.Sku)
			}
		}
		refuseUnknownKey(o, cmp.Or(o.Member("sku"), o.Node), maybe)
	}
	return nil
}

// noteLeft returns a function that adds, once, which product a faulty variant leaves because of a sheet: its SKU
// may be a typing error.
func (f *variantSet) noteLeft(o *document.Object, row *ent.Variant) func(*document.Faults) {
	of := f.left[row]
	if of == nil {
		return func(*document.Faults) {}
	}
	delete(f.left, row)
	at, slug := o.Member("sku").PositionInFile(), of.Slug
	return func(faults *document.Faults) { faults.AddAt(at, "belongs to the product %s", slug) }
}

// readVariant reads the members of a variant of a product.
func (p *Planner) readVariant(o *document.Object, row *ent.Variant, product *ent.Product) {
	document.Put(o, &row.ProductID, product.ID)
	o.Boolean("onSale", &row.OnSale)
	readOptions(o, row, product.Variations, p.Terms.Sheet)
	readCurrency(o, &row.PriceCurrency, member{"price", row.Price}, member{"compareAtPrice", row.CompareAtPrice})
	o.Price("price", &row.Price, row.PriceCurrency)
	o.Price("compareAtPrice", &row.CompareAtPrice, row.PriceCurrency)
	o.OptionalInteger("lowStockAt", &row.LowStockAt, 0, mostStock)
	o.Boolean("isFestival", &row.IsFestival)
	o.OptionalInteger("maxOrderQuantity", &row.MaxOrderQuantity, 1, mostStock)
	o.OptionalInteger("weight", &row.Weight, 0, record.MostGrams)
	o.OptionalText("taxCategory", &row.TaxCategory, document.KeyLimit, checkKey)
	o.OptionalText("imageUrl", &row.ImageURL, urlLimit, p.imageURL(record.TextOf(row.ImageURL)))
	row.PriceMilli = nil
	if row.Price != nil {
		milli := money.Milli(*row.Price, row.PriceCurrency)
		row.PriceMilli = &milli
	}
	row.SkuText = derive.SKUText(row.Sku)
	derive.Variant(row, product)
}

// member is a price of a record with the name of its member.
type member struct {
	name  string
	price *int64
}

// readCurrency reads priceCurrency. A new currency must come with new amounts.
func readCurrency(o *document.Object, dst *string, prices ...member) {
	before := *dst
	o.Text("priceCurrency", dst, document.KeyLimit, checkCurrency)
	if *dst == before {
		return
	}
	for _, p := range prices {
		if p.price != nil && o.Find(p.name) == nil {
			o.Faults.Add(o.Find("priceCurrency"), "changes from %s to %s, so that %s must be given too", before, *dst,
				p.name)
		}
	}
}
