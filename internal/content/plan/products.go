package plan

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// takeProducts reads products with their variants.
func (p *Planner) takeProducts(ctx context.Context, batch []*document.Object) error {
	if err := p.index("brands").load(ctx, document.SlugsOf(batch, "brand")); err != nil {
		return err
	}
	found, err := p.findVariants(ctx, batch)
	if err != nil {
		return err
	}
	err = takeKeyed(ctx, p, "products", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Product {
		requireTitle(o)
		return &ent.Product{ID: id, Slug: slug, Tags: []string{}, TagKeys: []string{},
			Images: []record.Media{}, Variations: []record.Variation{}, Values: record.Values{},
			Status: record.Published, CreatedAt: p.Now, PublishedAt: p.Now}
	}, func(o *document.Object, row *ent.Product, isThere bool) {
		p.readProductWithVariants(o, row, isThere, found)
	})
	if err == nil {
		err = p.refuseGone(ctx, found)
	}
	if err != nil {
		return err
	}
	save(p, stored.VariantTable, found.counted)
	save(p, stored.UncountedTable, found.others)
	return p.checkBeside(ctx)
}

// readProductWithVariants reads a product and its variants, except its slug.
func (p *Planner) readProductWithVariants(o *document.Object, row *ent.Product, isThere bool, set *variantSet) {
	had, was := row.Variations, row.Status
	p.readProduct(o, row)
	if p.Terms.Sheet != nil {
		p.addChoices(o, &row.Variations, set)
		// A product that was deleted after the check is reported by its outcome.
		if o.Value("exported") != nil && !isThere && !p.Memory.Checked {
			refuseUnknownKey(o, cmp.Or(o.Member("slug"), o.Node), set.slugOf(o))
		}
	}
	if p.mustAnswer(o, isThere && was == record.Published, row.Status == record.Published) {
		requireValues(o, row.Values, p.categories.Form(row.CategoryID))
	}
	if isThere && o.Changed {
		p.noteChanged(row.ID)
	}
	before := set.changed()
	variants := p.takeVariants(o, row, !isThere, set)
	p.checkOptions(offeredProduct{of: o, product: row, variants: variants, found: set,
		lacks: takeAway(had, row.Variations)}, !isThere)
	if p.Terms.Edit && p.section == "products" && set.changed() != before {
		o.Changed = true // an edit of variants changes the product's version too
	}
	if !isThere {
		derive.Product(row, variants)
		p.addListings(listed{kind: listing.KindProduct, id: row.ID, published: row.Status == record.Published,
			publishedAt: row.PublishedAt, category: row.CategoryID, tagKeys: row.TagKeys})
	}
}

// readProduct reads a product's own members.
func (p *Planner) readProduct(o *document.Object, row *ent.Product) {
	p.readContent(o, content{titleFa: &row.TitleFa, titleEn: &row.TitleEn, summary: &row.Summary,
		summaryFa: &row.SummaryFa, tags: &row.Tags, images: &row.Images, seo: &row.Seo, status: &row.Status,
		createdAt: row.CreatedAt, publishedAt: &row.PublishedAt, searchText: &row.SearchText})
	document.PutDeep(o, &row.TagKeys, derive.TagKeys(row.Tags))
	o.OptionalBilingual("description", &row.Description, &row.DescriptionFa, bodyLimit)
	p.readCategoryReference(o, "products", &row.CategoryID)
	readReference(o, "brand", &row.BrandID, fault.Say("brand"), p.index("brands").id)
	readValues(o, &row.Values, p.categories.Form(row.CategoryID), p.Terms.Sheet)
	readVariations(o, &row.Variations)
}

// readVariations reads the properties that distinguish a product's variants. Variations and values with known
// keys keep their ids.
func readVariations(o *document.Object, dst *[]record.Variation) {
	before := map[string]record.Variation{}
	for _, one := range *dst {
		before[one.Key] = one
	}
	keys := map[string]bool{}
	document.ListOf(o, "variations", dst, mostVariations, func(o *document.Object) (one record.Variation) {
		o.Require("key", "name", "nameFa", "values")
		o.Key("key", &one.Key, keys, checkKey)
		o.Bilingual("name", &one.Name, &one.NameFa, document.TitleLimit)
		one.ID = cmp.Or(before[one.Key].ID, record.NewID().String())
		ids := map[string]string{}
		for _, value := range before[one.Key].Values {
			ids[value.Key] = value.ID
		}
		keys := map[string]bool{}
		document.ListOf(o, "values", &one.Values, mostChoices, func(o *document.Object) (value record.VariationValue) {
			o.Require("key", "label", "labelFa")
			o.Key("key", &value.Key, keys, checkKey)
			o.Bilingual("label", &value.Label, &value.LabelFa, document.TitleLimit)
			o.OptionalText("colorHex", &value.ColorHex, document.KeyLimit, checkColour)
			value.ID = cmp.Or(ids[value.Key], record.NewID().String())
			return value
		})
		return one
	})
}
