package bundle

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
)

func (e *exporter) profile(ctx context.Context) error {
	row, err := e.client.BusinessProfile.Query().Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	e.member("profile", profileContent(row))
	return e.err
}

func profileContent(row *ent.BusinessProfile) BusinessProfileContent {
	version := VersionOf(row.UpdatedAt)
	return BusinessProfileContent{
		Version:        &version,
		About:          row.About,
		AboutFa:        row.AboutFa,
		Phones:         row.Phones,
		Emails:         row.Emails,
		Addresses:      row.Addresses,
		SocialLinks:    row.SocialLinks,
		WorkingHours:   row.WorkingHours,
		WorkingHoursFa: row.WorkingHoursFa,
	}
}

func shopContent(row *ent.Tenant) ShopContent {
	return ShopContent{
		versioned:     versionedAs(row.ID, row.UpdatedAt),
		Domain:        row.Domain,
		Slug:          row.Slug,
		Name:          row.Name,
		NameFa:        row.NameFa,
		PrimaryColor:  row.PrimaryColor,
		DefaultLocale: row.DefaultLocale,
		TimeZone:      row.TimeZone,
		LogoURL:       row.LogoURL,
		FaviconURL:    row.FaviconURL,
		Pages:         row.Pages,
	}
}

func (e *exporter) brands(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Brand, error) {
		return e.client.Brand.Query().Where(e.narrowed, brand.IDGT(after)).Order(brand.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.Brand) uuid.UUID { return row.ID }, func(rows []*ent.Brand) error {
		for _, row := range rows {
			if err := e.take(BrandContent{versioned: versionedAs(row.ID, row.UpdatedAt), Slug: row.Slug, Name: row.Name,
				NameFa: row.NameFa, LogoURL: row.LogoURL}); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadCategories reads all categories: other records show their slugs and need their forms.
func (e *exporter) loadCategories(ctx context.Context) ([]*ent.Category, error) {
	e.categories = newCategories()
	rows, err := e.client.Category.Query().All(ctx)
	for _, row := range rows {
		e.categories.add(&categoryEntry{row: row})
	}
	return rows, err
}

// allCategories writes all categories, parents before children.
func (e *exporter) allCategories(ctx context.Context) error {
	rows, err := e.loadCategories(ctx)
	if err != nil {
		return err
	}
	levels := map[uuid.UUID]int{}
	for _, row := range rows {
		levels[row.ID] = e.categories.level(e.categories.byID[row.ID])
	}
	slices.SortFunc(rows, func(a, b *ent.Category) int {
		return cmp.Or(cmp.Compare(levels[a.ID], levels[b.ID]), slices.Compare(a.ID[:], b.ID[:]))
	})
	for _, row := range rows {
		if err := e.take(e.category(row)); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) category(row *ent.Category) CategoryContent {
	out := CategoryContent{
		versioned:     versionedAs(row.ID, row.UpdatedAt),
		EntityType:    row.EntityType,
		Slug:          row.Slug,
		ParentSlug:    e.categorySlug(row.ParentID),
		Name:          row.Name,
		NameFa:        row.NameFa,
		ImageURL:      row.ImageURL,
		Description:   row.Description,
		DescriptionFa: row.DescriptionFa,
		Position:      row.Position,
	}
	if row.Form != nil {
		out.Form = &FormContent{row.Form.Title, row.Form.TitleFa, row.Form.Fields}
	}
	return out
}

// categorySlug returns a category's slug, or nil if id is nil.
func (e *exporter) categorySlug(id *uuid.UUID) *string {
	if id == nil || e.categories.byID[*id] == nil {
		return nil
	}
	return &e.categories.byID[*id].row.Slug
}
