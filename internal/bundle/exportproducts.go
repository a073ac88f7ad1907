package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/record"
)

func (e *exporter) products(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Product, error) {
		return e.tx.Product.Query().Where(product.IDGT(after)).Order(product.ByID()).Limit(pageSize).
			WithBrand(func(q *ent.BrandQuery) { q.Select(brand.FieldSlug) }).All(ctx)
	}, func(row *ent.Product) uuid.UUID { return row.ID }, func(rows []*ent.Product) error {
		ids := make([]uuid.UUID, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
		}
		all, err := e.tx.Variant.Query().Where(e.among(variant.FieldProductID, ids)).Order(variant.ByID()).All(ctx)
		if err != nil {
			return err
		}
		variants := map[uuid.UUID][]*ent.Variant{}
		for _, one := range all {
			variants[one.ProductID] = append(variants[one.ProductID], one)
		}
		for _, row := range rows {
			if err := e.element(e.product(row, variants[row.ID])); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *exporter) product(row *ent.Product, variants []*ent.Variant) productOut {
	out := productOut{
		contentOut: contentOut{row.Slug, row.TitleFa, row.TitleEn, row.Summary, e.categorySlug(row.CategoryID), row.Tags, row.Images,
			seoOut(row.Seo), row.Status, row.PublishedAt.UTC()},
		Description: row.Description,
		Values:      fitting(row.Values, e.categories.form(row.CategoryID)),
	}
	if row.Edges.Brand != nil {
		out.Brand = &row.Edges.Brand.Slug
	}
	for _, one := range row.Variations {
		values := make([]variationValueOut, len(one.Values))
		for i, value := range one.Values {
			values[i] = variationValueOut{value.Key, value.Label, value.LabelFa, value.ColorHex}
		}
		out.Variations = append(out.Variations, variationOut{one.Key, one.Name, one.NameFa, values})
	}
	for _, one := range variants {
		out.Variants = append(out.Variants, variantOut{one.Sku, known(one.Options, row.Variations),
			priceOut(one.Price, one.PriceCurrency), priceOut(one.CompareAtPrice, one.PriceCurrency), one.PriceCurrency,
			one.Stock, one.IsFestival, one.MaxOrderQuantity, one.ImageURL, one.OnSale})
	}
	return out
}

// known gives those options that the product's variations have.
func known(options map[string]string, variations []record.Variation) map[string]string {
	known := map[string]string{}
	for key, value := range options {
		if found, _ := optionOf(variations, key, value); found != nil {
			known[key] = value
		}
	}
	return known
}

func (e *exporter) userProducts(ctx context.Context) error {
	slugs := map[uuid.UUID]*string{}
	places, err := e.tx.Location.Query().All(ctx)
	if err != nil {
		return err
	}
	for _, one := range places {
		slugs[one.ID] = &one.Slug
	}
	slug := func(id *uuid.UUID) *string {
		if id == nil {
			return nil
		}
		return slugs[*id]
	}
	return pages(func(after uuid.UUID) ([]*ent.UserProduct, error) {
		return e.tx.UserProduct.Query().Where(userproduct.IDGT(after)).Order(userproduct.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.UserProduct) uuid.UUID { return row.ID }, func(rows []*ent.UserProduct) error {
		for _, row := range rows {
			if err := e.element(userProductOut{row.Slug, row.TitleFa, row.TitleEn, row.Description,
				priceOut(row.Price, row.PriceCurrency), row.PriceCurrency, row.Condition, e.categorySlug(row.CategoryID),
				slug(row.CityID), slug(row.ProvinceID), slug(row.CountryID), row.Images, row.Promoted, string(row.Status),
				row.PublishedAt.UTC(), fitting(row.Values, e.categories.form(row.CategoryID)), row.DeliveryNotes, row.TechnicalNotes}); err != nil {
				return err
			}
		}
		return nil
	})
}
