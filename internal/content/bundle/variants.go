package bundle

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// offered holds the variants of some products while these are read.
type offered struct {
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
func (f *offered) changed() int { return len(f.counted) + len(f.others) }

// findVariants looks up the variants that some products of the file name.
func (im *importer) findVariants(ctx context.Context, batch []*document.Object) (*offered, error) {
	var named []*document.Object
	for _, o := range batch {
		if m := o.Member("variants"); m != nil {
			for _, item := range m.Children {
				named = append(named, &document.Object{Node: item})
			}
		}
	}
	found := &offered{bySKU: map[string]*ent.Variant{}, offers: map[*ent.Variant]*document.Object{},
		left: map[*ent.Variant]*ent.Product{}, gone: map[*document.Object]uuid.UUID{}}
	query := im.client.Variant.Query().Where(stored.Among(variant.FieldSku, document.TextsOf(named, "sku")))
	if im.sheet != nil {
		query.WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) })
	}
	if im.fresh {
		return found, nil
	}
	rows, err := query.All(ctx)
	for _, row := range rows {
		found.bySKU[row.Sku] = row
	}
	return found, err
}

// takeVariants reads the variants of a product, which may be new, and returns them.
func (im *importer) takeVariants(of *document.Object, p *ent.Product, isNew bool, found *offered) []*ent.Variant {
	items, _ := of.Objects("variants", mostVariants)
	all := make([]*ent.Variant, 0, len(items))
	currency := ""
	for _, o := range items {
		sku := ""
		o.Require("sku")
		o.Text("sku", &sku, document.KeyLimit, checkKey)
		o.Changed = false
		row, ok := found.bySKU[sku]
		if im.sheet != nil && im.sheet.Offers && (!ok || row.ProductID != p.ID) { // since the sheet was read
			o.Faults.Add(cmp.Or(o.Member("sku"), o.Node), "names no variant")
			continue
		}
		if ok && row.ProductID != p.ID {
			if im.edit != nil { // only a file may move variants: it names the product of each
				im.refuse(fault.New(fault.Conflict, "the SKU %s is that of another product's variant", sku))
				continue
			}
			im.noteChanged(row.ProductID) // the variant leaves it
		}
		if !ok {
			id := im.index("variants").newID(sku)
			row = &ent.Variant{ID: id, Sku: sku, Options: map[string]string{}, OnSale: true}
			o.Require("priceCurrency")
		}
		im.noteRecord("variant", row, row.ID, row.UpdatedAt, ok)
		if sku != "" {
			im.index("variants").add(o, "sku", sku, row.ID)
		}
		if !ok && !im.index("variants").noteNew(sku) {
			o.Faults.Add(o.Node, "was deleted during the import")
		} else if !ok && (im.sheet != nil || im.edit != nil) && o.Value("expectedStock") != nil {
			found.gone[o] = p.ID
		}
		before, faultsBefore := *row, im.faults.Total()
		counted, expected := im.stock(o, row, ok)
		im.variant(o, row, p)
		if ok {
			im.noteStock(row, counted && o.Changed, expected)
		}
		all = append(all, row)
		if !ok || row.OnSale && !before.OnSale || row.ProductID != before.ProductID ||
			!maps.Equal(row.Options, before.Options) {
			found.offers[row] = o
		}
		o.RefuseUnknown()
		if currency != "" && row.PriceCurrency != "" && row.PriceCurrency != currency {
			o.Faults.Add(o.Node, "is in %s, but a product has one currency and others of its variants are in %s",
				row.PriceCurrency, currency)
		}
		currency = row.PriceCurrency
		moves := ok && before.ProductID != p.ID
		if of := row.Edges.Product; of != nil && moves && im.sheet != nil {
			found.left[row] = of
			if im.faults.Total() > faultsBefore {
				found.slip(o, row)(o.Faults)
			}
		}
		if !im.countFate(of, "variants", fateOf(!ok, o.Changed)) {
			continue
		}
		if moves {
			im.counts().move()
		}
		if !isNew {
			im.unit.change.Offered = append(im.unit.change.Offered, p.ID)
		}
		if ok {
			im.unit.variants = append(im.unit.variants, row.ID)
		}
		if ok && !counted {
			found.others = append(found.others, row)
		} else {
			found.counted = append(found.counted, row)
		}
	}
	return all
}

// refuseGone adds the faults of variants that do not exist any more. For a sheet it suggests the SKU of the product
// that the sheet does not name.
func (im *importer) refuseGone(ctx context.Context, found *offered) error {
	if len(found.gone) == 0 {
		return nil
	}
	beside, err := im.client.Variant.Query().
		Where(stored.Among(variant.FieldProductID, slices.Collect(maps.Values(found.gone)))).
		Order(variant.ByID()).Select(variant.FieldProductID, variant.FieldSku).All(ctx)
	if err != nil {
		return err
	}
	for o, product := range found.gone {
		maybe := ""
		for _, one := range beside {
			if one.ProductID == product && found.bySKU[one.Sku] == nil {
				maybe = cmp.Or(maybe, one.Sku)
			}
		}
		refuseUnknownKey(o, cmp.Or(o.Member("sku"), o.Node), maybe)
	}
	return nil
}

// slip returns a function that adds, once, which product a faulty variant leaves because of a sheet: its SKU
// may be a typing error.
func (f *offered) slip(o *document.Object, row *ent.Variant) func(*document.Faults) {
	of := f.left[row]
	if of == nil {
		return func(*document.Faults) {}
	}
	delete(f.left, row)
	at, slug := o.Member("sku").PositionInFile(), of.Slug
	return func(faults *document.Faults) { faults.AddAt(at, "belongs to the product %s", slug) }
}

// variant reads the members of a variant of a product.
func (im *importer) variant(o *document.Object, row *ent.Variant, p *ent.Product) {
	document.Put(o, &row.ProductID, p.ID)
	o.Boolean("onSale", &row.OnSale)
	readOptions(o, row, p.Variations, im.sheet)
	readCurrency(o, &row.PriceCurrency, member{"price", row.Price}, member{"compareAtPrice", row.CompareAtPrice})
	o.Price("price", &row.Price, row.PriceCurrency)
	o.Price("compareAtPrice", &row.CompareAtPrice, row.PriceCurrency)
	o.OptionalInteger("lowStockAt", &row.LowStockAt, 0, mostStock)
	o.Boolean("isFestival", &row.IsFestival)
	o.OptionalInteger("maxOrderQuantity", &row.MaxOrderQuantity, 1, mostStock)
	o.OptionalText("imageUrl", &row.ImageURL, urlLimit, im.imageURL(record.TextOf(row.ImageURL)))
	row.PriceMilli = nil
	if row.Price != nil {
		milli := money.Milli(*row.Price, row.PriceCurrency)
		row.PriceMilli = &milli
	}
	row.SkuText = derive.SKUText(row.Sku)
	derive.Variant(row, p)
}

// member is a price of a record with the name of its member.
type member struct {
	name  string
	price *int64
}

// currency reads priceCurrency. A new currency must come with new amounts.
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
