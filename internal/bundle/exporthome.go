package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent/brand"
	"storefront/ent/brandgroup"
	"storefront/ent/categorygroup"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/ent/variant"
	"storefront/internal/record"
)

func (e *exporter) sliders(ctx context.Context) error {
	rows, err := e.client.Slider.Query().Order(slider.ByID()).All(ctx)
	for _, row := range rows {
		out := SliderContent{versioned: versionedAs(row.ID, row.UpdatedAt), Key: row.Key, Title: row.Title,
			TitleFa: row.TitleFa, Position: row.Position}
		for _, one := range row.Slides {
			out.Slides = append(out.Slides, SlideContent{
				Title:        one.Title,
				TitleFa:      one.TitleFa,
				Subtitle:     one.Subtitle,
				SubtitleFa:   one.SubtitleFa,
				ImageURL:     one.ImageURL,
				LinkURL:      one.LinkURL,
				ButtonText:   one.ButtonText,
				ButtonTextFa: one.ButtonTextFa,
				Position:     one.Position,

				Alt: one.Alt, AltFa: one.AltFa, Width: one.Width, Height: one.Height,
				PlaceholderColor: one.PlaceholderColor,
			})
		}
		if err := e.take(out); err != nil {
			return err
		}
	}
	return err
}

func (e *exporter) categoryGroups(ctx context.Context) error {
	rows, err := e.client.CategoryGroup.Query().Order(categorygroup.ByID()).All(ctx)
	for _, row := range rows {
		out := CategoryGroupContent{versioned: versionedAs(row.ID, row.UpdatedAt), Key: row.Key, Title: row.Title,
			TitleFa: row.TitleFa}
		for _, id := range row.ItemIds {
			if one := e.categories.byID[id]; one != nil && one.row.EntityType == record.Product {
				out.Categories = append(out.Categories, one.row.Slug)
			}
		}
		if err := e.take(out); err != nil {
			return err
		}
	}
	return err
}

func (e *exporter) brandGroups(ctx context.Context) error {
	rows, err := e.client.BrandGroup.Query().Order(brandgroup.ByID()).All(ctx)
	for _, row := range rows {
		brands, err := e.client.Brand.Query().Where(e.among(brand.FieldID, row.ItemIds)).All(ctx)
		if err != nil {
			return err
		}
		slugs := map[uuid.UUID]string{}
		for _, one := range brands {
			slugs[one.ID] = one.Slug
		}
		if err := e.take(BrandGroupContent{versioned: versionedAs(row.ID, row.UpdatedAt), Key: row.Key,
			Title: row.Title, TitleFa: row.TitleFa, Brands: inOrder(row.ItemIds, slugs)}); err != nil {
			return err
		}
	}
	return err
}

func (e *exporter) specials(ctx context.Context) error {
	rows, err := e.client.StoreSpecial.Query().Order(storespecial.ByID()).All(ctx)
	for _, row := range rows {
		variants, err := e.client.Variant.Query().Where(e.among(variant.FieldID, row.ItemIds)).Select(variant.FieldSku).
			All(ctx)
		if err != nil {
			return err
		}
		skus := map[uuid.UUID]string{}
		for _, one := range variants {
			skus[one.ID] = one.Sku
		}
		if err := e.take(StoreSpecialContent{
			versioned: versionedAs(row.ID, row.UpdatedAt),
			Key:       row.Key,
			Title:     row.Title,
			TitleFa:   row.TitleFa,
			StartsAt:  utc(row.StartsAt),
			EndsAt:    utc(row.EndsAt),
			Variants:  inOrder(row.ItemIds, skus),
		}); err != nil {
			return err
		}
	}
	return err
}

// inOrder returns the keys of those records that exist.
func inOrder(ids []uuid.UUID, keys map[uuid.UUID]string) []string {
	var found []string
	for _, id := range ids {
		if key, ok := keys[id]; ok {
			found = append(found, key)
		}
	}
	return found
}
