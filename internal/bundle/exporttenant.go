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
	row, err := e.tx.BusinessProfile.Query().Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	e.member("profile", profileOut{
		About:        row.About,
		AboutFa:      row.AboutFa,
		Phones:       row.Phones,
		Emails:       row.Emails,
		Addresses:    row.Addresses,
		SocialLinks:  row.SocialLinks,
		WorkingHours: row.WorkingHours,
	})
	return e.err
}

func (e *exporter) brands(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Brand, error) {
		return e.tx.Brand.Query().Where(brand.IDGT(after)).Order(brand.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.Brand) uuid.UUID { return row.ID }, func(rows []*ent.Brand) error {
		for _, row := range rows {
			if err := e.element(brandOut{Slug: row.Slug, Name: row.Name, NameFa: row.NameFa,
				LogoURL: row.LogoURL}); err != nil {
				return err
			}
		}
		return nil
	})
}

// allCategories writes parents before what is below them. They are kept: other records show their slugs and
// need their forms.
func (e *exporter) allCategories(ctx context.Context) error {
	e.categories = newCategories()
	rows, err := e.tx.Category.Query().All(ctx)
	if err != nil {
		return err
	}
	levels := map[uuid.UUID]int{}
	for _, row := range rows {
		e.categories.add(&categoryEntry{row: row})
	}
	for _, row := range rows {
		levels[row.ID] = e.categories.level(e.categories.byID[row.ID])
	}
	slices.SortFunc(rows, func(a, b *ent.Category) int {
		return cmp.Or(cmp.Compare(levels[a.ID], levels[b.ID]), slices.Compare(a.ID[:], b.ID[:]))
	})
	for _, row := range rows {
		out := categoryOut{
			EntityType:  row.EntityType,
			Slug:        row.Slug,
			ParentSlug:  e.categorySlug(row.ParentID),
			Name:        row.Name,
			NameFa:      row.NameFa,
			ImageURL:    row.ImageURL,
			Description: row.Description,
			Position:    row.Position,
			Form:        nil,
		}
		if row.Form != nil {
			out.Form = &formOut{row.Form.Title, row.Form.TitleFa, row.Form.Fields}
		}
		if err := e.element(out); err != nil {
			return err
		}
	}
	return nil
}

// categorySlug returns a category's slug, nil for none.
func (e *exporter) categorySlug(id *uuid.UUID) *string {
	if id == nil || e.categories.byID[*id] == nil {
		return nil
	}
	return &e.categories.byID[*id].row.Slug
}
