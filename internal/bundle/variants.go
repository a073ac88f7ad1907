package bundle

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/derive"
	"storefront/internal/money"
	"storefront/internal/record"
)

// offered are the variants of some products while these are read.
type offered struct {
	bySKU   map[string]*ent.Variant
	counted []*ent.Variant // to be written whole
	// to be written but for the stock, which the file does not tell and customers change meanwhile
	others []*ent.Variant
}

// findVariants looks up the variants that some products of the file name.
func (im *importer) findVariants(ctx context.Context, batch []*object) (*offered, error) {
	var named []*object
	for _, o := range batch {
		if m := o.member("variants"); m != nil {
			for _, item := range m.children {
				named = append(named, &object{node: item})
			}
		}
	}
	found := &offered{bySKU: map[string]*ent.Variant{}}
	rows, err := im.tx.Variant.Query().Where(im.among(variant.FieldSku, textsOf(named, "sku"))).All(ctx)
	for _, row := range rows {
		found.bySKU[row.Sku] = row
	}
	return found, err
}

// takeVariants reads the variants of a product.
func (im *importer) takeVariants(of *object, p *ent.Product, found *offered) {
	items, _ := of.objects("variants", mostVariants)
	currency := ""
	for _, o := range items {
		sku := ""
		o.require("sku")
		o.text("sku", &sku, keyLimit, checkKey)
		o.changed = false
		row, ok := found.bySKU[sku]
		if ok && row.ProductID != p.ID {
			im.noteChanged(row.ProductID, updated) // the variant leaves it
		}
		if !ok {
			row = &ent.Variant{ID: newID(), Sku: sku, Options: map[string]string{}, OnSale: true}
			o.require("priceCurrency")
		}
		if sku != "" {
			im.variants.add(o, "sku", sku, row.ID)
		}
		im.variant(o, row, p)
		o.refuseUnknown()
		if currency != "" && row.PriceCurrency != "" && row.PriceCurrency != currency {
			o.faults.add(o.node, "is in %s, but a product has one currency and others of its variants are in %s",
				row.PriceCurrency, currency)
		}
		currency = row.PriceCurrency
		if !im.countFate("variants", fateOf(!ok, o.changed)) {
			continue
		}
		im.noteChanged(p.ID, updated)
		if ok && o.given("stock") == nil {
			found.others = append(found.others, row)
		} else {
			found.counted = append(found.counted, row)
		}
	}
}

// variant reads the members of a variant of a product.
func (im *importer) variant(o *object, row *ent.Variant, p *ent.Product) {
	put(o, &row.ProductID, p.ID)
	o.options(&row.Options, p.Variations)
	o.currency(&row.PriceCurrency, member{"price", row.Price}, member{"compareAtPrice", row.CompareAtPrice})
	o.price("price", &row.Price, row.PriceCurrency)
	o.price("compareAtPrice", &row.CompareAtPrice, row.PriceCurrency)
	o.integer("stock", &row.Stock, 0, mostStock)
	o.boolean("isFestival", &row.IsFestival)
	o.optionalInteger("maxOrderQuantity", &row.MaxOrderQuantity, 1, mostStock)
	o.optionalText("imageUrl", &row.ImageURL, urlLimit, checkURL)
	o.boolean("onSale", &row.OnSale)
	row.PriceMilli = nil
	if row.Price != nil {
		milli := money.Milli(*row.Price, row.PriceCurrency)
		row.PriceMilli = &milli
	}
	row.SkuText = derive.SKUText(row.Sku)
	row.SearchText = derive.VariantText(p.SearchText, row.SkuText)
	row.ListedAt = nil
	if row.OnSale && p.Status == record.Published {
		row.ListedAt = &p.PublishedAt
	}
}

// options reads which values of its product's variations a variant has. They are replaced as a whole.
func (o *object) options(dst *map[string]string, variations []record.Variation) {
	given, _ := o.object("options")
	if given == nil {
		return
	}
	options := map[string]string{}
	for _, m := range given.children {
		if m.kind == 'n' || !o.checkKind(m, m.kind == '"', "a string") {
			continue
		}
		switch value, ok := optionOf(variations, m.name, m.text); {
		case !ok:
			o.faults.add(m, "is not a variation of the product")
		case value == nil:
			o.faults.add(m, "is not a value of the product's variation")
		default:
			options[m.name] = m.text
		}
	}
	putDeep(o, dst, options)
}

// optionOf finds a value by the keys of a variation and its own; ok tells that there is the variation.
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

// member is a price that a record has already.
type member struct {
	name  string
	price *int64
}

// currency reads priceCurrency. An amount is nothing in another currency, so that must come with new amounts.
func (o *object) currency(dst *string, prices ...member) {
	before := *dst
	o.text("priceCurrency", dst, keyLimit, checkCurrency)
	if *dst == before {
		return
	}
	for _, p := range prices {
		if p.price != nil && o.find(p.name) == nil {
			o.faults.add(o.find("priceCurrency"), "changes from %s to %s, so that %s must be given too", before, *dst,
				p.name)
		}
	}
}

func (im *importer) saveVariants(ctx context.Context, found *offered) error {
	write := func(except ...string) func(rows []*ent.Variant) error {
		return func(rows []*ent.Variant) error {
			creates := make([]*ent.VariantCreate, len(rows))
			for i, r := range rows {
				creates[i] = im.tx.Variant.Create().SetID(r.ID).SetProductID(r.ProductID).SetSku(r.Sku).
					SetSkuText(r.SkuText).SetOptions(r.Options).
					SetNillablePrice(r.Price).SetNillablePriceMilli(r.PriceMilli).
					SetNillableCompareAtPrice(r.CompareAtPrice).
					SetPriceCurrency(r.PriceCurrency).SetStock(r.Stock).SetIsFestival(r.IsFestival).
					SetNillableMaxOrderQuantity(r.MaxOrderQuantity).SetNillableImageURL(r.ImageURL).SetOnSale(r.OnSale).
					SetSearchText(r.SearchText).SetNillableListedAt(r.ListedAt)
			}
			return im.tx.Variant.CreateBulk(creates...).OnConflict(overwrite(variant.Columns, except...)...).Exec(ctx)
		}
	}
	if err := saveInChunks(im, found.counted, write()); err != nil {
		return err
	}
	return saveInChunks(im, found.others, write(variant.FieldStock))
}

// findSKUs looks variants up by SKU.
func (im *importer) findSKUs(ctx context.Context, skus []string, found func(string, uuid.UUID)) error {
	rows, err := im.tx.Variant.Query().Where(im.among(variant.FieldSku, skus)).
		Select(variant.FieldID, variant.FieldSku).All(ctx)
	for _, row := range rows {
		found(row.Sku, row.ID)
	}
	return err
}

// checkCurrencies notes products whose variants, those that the file does not name included, are in several
// currencies.
func (im *importer) checkCurrencies(ctx context.Context) error {
	var mixed []struct {
		ProductID uuid.UUID `json:"product_id"`
		Least     string    `json:"least"`
		Most      string    `json:"most"`
	}
	err := im.tx.Variant.Query().Modify(func(s *sql.Selector) {
		least, most := sql.Min(s.C(variant.FieldPriceCurrency)), sql.Max(s.C(variant.FieldPriceCurrency))
		s.Select(s.C(variant.FieldProductID), sql.As(least, "least"), sql.As(most, "most")).
			GroupBy(s.C(variant.FieldProductID)).Having(sql.P(func(b *sql.Builder) {
			b.WriteString(least + " <> " +
				most)
		}))
	}).Scan(ctx, &mixed)
	if err != nil {
		return fmt.Errorf("check currencies: %w", err)
	}
	for _, one := range mixed {
		slug, err := im.tx.Product.Query().Where(product.ID(one.ProductID)).Select(product.FieldSlug).String(ctx)
		if err != nil {
			return fmt.Errorf("check currencies: %w", err)
		}
		at := im.products.known[slug].place
		if at == (place{}) {
			continue // the file has nothing to do with it
		}
		im.faults.addAt(at, "would have variants in %s and %s; a product has one currency", one.Least, one.Most)
	}
	return nil
}
