package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
)

func (e *exporter) products(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]ProductContent, error) {
		return e.productsAfter(ctx, after, pageSize)
	}, func(p ProductContent) uuid.UUID { return p.ID }, func(found []ProductContent) error {
		for _, one := range found {
			if err := e.take(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// productsAfter reads up to most products with ids above after, in the order of their ids.
func (e *exporter) productsAfter(ctx context.Context, after uuid.UUID, most int) ([]ProductContent, error) {
	rows, err := e.client.Product.Query().Where(e.narrowed, product.IDGT(after)).Order(product.ByID()).Limit(most).
		WithBrand(func(q *ent.BrandQuery) { q.Select(brand.FieldSlug) }).All(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	all, err := e.client.Variant.Query().Where(e.among(variant.FieldProductID, ids)).Order(variant.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	variants := map[uuid.UUID][]*ent.Variant{}
	for _, one := range all {
		variants[one.ProductID] = append(variants[one.ProductID], one)
	}
	found := make([]ProductContent, len(rows))
	for i, row := range rows {
		found[i] = e.product(row, variants[row.ID])
	}
	return found, nil
}

func (e *exporter) product(row *ent.Product, variants []*ent.Variant) ProductContent {
	values, otherValues := splitValues(row.Values, e.categories.form(row.CategoryID))
	out := ProductContent{
		contentOut: contentOut{
			versioned:   versionedAs(row.ID, row.UpdatedAt),
			Slug:        row.Slug,
			TitleFa:     row.TitleFa,
			TitleEn:     row.TitleEn,
			Summary:     row.Summary,
			SummaryFa:   row.SummaryFa,
			Category:    e.categorySlug(row.CategoryID),
			Tags:        row.Tags,
			Images:      imagesOut(row.Images),
			SEO:         seoOut(row.Seo),
			Status:      row.Status,
			PublishedAt: e.dateOf(row.CreatedAt, row.PublishedAt, string(row.Status)),
		},
		Description:   row.Description,
		DescriptionFa: row.DescriptionFa,
		Values:        values,
		OtherValues:   otherValues,
	}
	if row.Edges.Brand != nil {
		out.Brand = &row.Edges.Brand.Slug
	}
	for _, one := range row.Variations {
		values := make([]VariationValueContent, len(one.Values))
		for i, value := range one.Values {
			values[i] = VariationValueContent{Key: value.Key, Label: value.Label, LabelFa: value.LabelFa,
				ColorHex: value.ColorHex}
		}
		out.Variations = append(out.Variations, VariationContent{Key: one.Key, Name: one.Name, NameFa: one.NameFa,
			Values: values})
	}
	for _, one := range variants {
		out.Variants = append(out.Variants, VariantContent{
			SKU:              one.Sku,
			Options:          one.Options,
			Price:            priceOut(one.Price, one.PriceCurrency),
			CompareAtPrice:   priceOut(one.CompareAtPrice, one.PriceCurrency),
			PriceCurrency:    one.PriceCurrency,
			Stock:            one.Stock,
			IsFestival:       one.IsFestival,
			MaxOrderQuantity: one.MaxOrderQuantity,
			LowStockAt:       one.LowStockAt,
			ImageURL:         one.ImageURL,
			OnSale:           one.OnSale,
		})
	}
	return out
}

func (e *exporter) userProducts(ctx context.Context) error {
	slugs := map[uuid.UUID]*string{}
	places, err := e.client.Location.Query().All(ctx)
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
		return e.client.UserProduct.Query().Where(e.narrowed, userproduct.IDGT(after)).Order(userproduct.ByID()).
			Limit(pageSize).All(ctx)
	}, func(row *ent.UserProduct) uuid.UUID { return row.ID }, func(rows []*ent.UserProduct) error {
		for _, row := range rows {
			values, otherValues := splitValues(row.Values, e.categories.form(row.CategoryID))
			if err := e.take(UserProductContent{
				versioned:       versionedAs(row.ID, row.UpdatedAt),
				Slug:            row.Slug,
				TitleFa:         row.TitleFa,
				TitleEn:         row.TitleEn,
				Description:     row.Description,
				DescriptionFa:   row.DescriptionFa,
				Price:           priceOut(row.Price, row.PriceCurrency),
				PriceCurrency:   row.PriceCurrency,
				Condition:       row.Condition,
				Category:        e.categorySlug(row.CategoryID),
				City:            slug(row.CityID),
				Province:        slug(row.ProvinceID),
				Country:         slug(row.CountryID),
				Images:          imagesOut(row.Images),
				Promoted:        row.Promoted,
				Status:          string(row.Status),
				RejectionReason: row.RejectionReason,
				PublishedAt:     e.dateOf(row.CreatedAt, row.PublishedAt, string(row.Status)),
				Values:          values,
				OtherValues:     otherValues,
				DeliveryNotes:   row.DeliveryNotes,
				TechnicalNotes:  row.TechnicalNotes,
			}); err != nil {
				return err
			}
		}
		return nil
	})
}
