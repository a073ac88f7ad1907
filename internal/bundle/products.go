package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// takeProducts reads products with their variants.
func (im *importer) takeProducts(ctx context.Context, batch []*object) error {
	if err := im.loadMovedCategories(ctx, record.Product, slugsOf(batch, "category")); err != nil {
		return err
	}
	if err := im.index("brands").load(ctx, slugsOf(batch, "brand")); err != nil {
		return err
	}
	offered, err := im.findVariants(ctx, batch)
	if err != nil {
		return err
	}
	_, err = take(ctx, im, "products", batch, func(o *object, id uuid.UUID, slug string) *ent.Product {
		o.requireTitle()
		return &ent.Product{ID: id, Slug: slug, Tags: []string{}, TagKeys: []string{},
			Images: []record.Media{}, Variations: []record.Variation{}, Values: record.Values{},
			Status: record.Published, CreatedAt: im.now, PublishedAt: im.now}
	}, func(o *object, row *ent.Product, isThere bool) {
		im.productWithVariants(o, row, isThere, offered)
	})
	if err != nil {
		return err
	}
	save(im, variantTable, offered.counted)
	save(im, uncountedTable, offered.others)
	return im.checkBeside(ctx)
}

// productWithVariants reads a product and its variants, except its slug.
func (im *importer) productWithVariants(o *object, row *ent.Product, isThere bool, offered *offered) {
	had, was := row.Variations, row.Status
	im.product(o, row)
	if im.mustAnswer(o, isThere && was == record.Published, row.Status == record.Published) {
		o.requireValues(row.Values, im.categories.form(row.CategoryID))
	}
	if isThere && o.changed {
		im.noteChanged(row.ID)
	}
	before := offered.changed()
	variants := im.takeVariants(o, row, !isThere, offered)
	im.checkOptions(offeredProduct{of: o, product: row, variants: variants, found: offered,
		lacks: takeAway(had, row.Variations)}, !isThere)
	if im.edit != nil && im.edit.Section == "products" && offered.changed() != before {
		o.changed = true // an edit of variants changes the product's version too
	}
	if !isThere {
		derive.Product(row, variants)
		im.list(listing.KindProduct, row.Status == record.Published, row.ID, row.PublishedAt,
			row.CategoryID, row.TagKeys)
	}
}

// product reads a product's own members.
func (im *importer) product(o *object, row *ent.Product) {
	im.content(o, content{titleFa: &row.TitleFa, titleEn: &row.TitleEn, summary: &row.Summary,
		summaryFa: &row.SummaryFa, tags: &row.Tags, images: &row.Images, seo: &row.Seo, status: &row.Status,
		createdAt: row.CreatedAt, publishedAt: &row.PublishedAt, searchText: &row.SearchText})
	putDeep(o, &row.TagKeys, derive.TagKeys(row.Tags))
	o.optionalText("description", &row.Description, bodyLimit)
	o.optionalText("descriptionFa", &row.DescriptionFa, bodyLimit)
	o.reference("category", &row.CategoryID, fault.Say("category of a product"), im.categories.finder(record.Product))
	o.reference("brand", &row.BrandID, fault.Say("brand"), im.index("brands").id)
	o.values(&row.Values, im.categories.form(row.CategoryID), im.sheet)
	o.variations(&row.Variations)
	im.addChoices(o, &row.Variations)
}

// variations reads the properties that distinguish a product's variants. Variations and values with known
// keys keep their ids.
func (o *object) variations(dst *[]record.Variation) {
	items, ok := o.objects("variations", mostVariations)
	if !ok {
		return
	}
	before := map[string]record.Variation{}
	for _, one := range *dst {
		before[one.Key] = one
	}
	variations := make([]record.Variation, 0, len(items))
	keys := map[string]bool{}
	for _, item := range items {
		var one record.Variation
		item.require("key", "name", "nameFa", "values")
		item.key("key", &one.Key, keys, checkKey)
		item.text("name", &one.Name, titleLimit)
		item.text("nameFa", &one.NameFa, titleLimit)
		one.ID, one.Values = before[one.Key].ID, item.variationValues(before[one.Key].Values)
		if one.ID == "" {
			one.ID = record.NewID().String()
		}
		item.refuseUnknown()
		variations = append(variations, one)
	}
	putDeep(o, dst, variations)
}

func (o *object) variationValues(before []record.VariationValue) []record.VariationValue {
	items, _ := o.objects("values", mostChoices)
	ids := map[string]string{}
	for _, one := range before {
		ids[one.Key] = one.ID
	}
	values := make([]record.VariationValue, 0, len(items))
	keys := map[string]bool{}
	for _, item := range items {
		var one record.VariationValue
		item.require("key", "label", "labelFa")
		item.key("key", &one.Key, keys, checkKey)
		item.text("label", &one.Label, titleLimit)
		item.text("labelFa", &one.LabelFa, titleLimit)
		item.optionalText("colorHex", &one.ColorHex, keyLimit, checkColour)
		item.refuseUnknown()
		if one.ID = ids[one.Key]; one.ID == "" {
			one.ID = record.NewID().String()
		}
		values = append(values, one)
	}
	return values
}
