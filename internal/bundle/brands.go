package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/internal/record"
)

func (im *importer) takeBrands(ctx context.Context, batch []*object) error {
	rows := map[string]*ent.Brand{}
	found, err := stored(ctx, im, im.client.Brand.Query().Where(im.among(brand.FieldSlug, slugsOf(batch, "slug"))).All)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Slug] = row
	}
	err = follow(im, record.SlugBrand, batch, rows, func(ids []uuid.UUID) ([]*ent.Brand, error) {
		return im.client.Brand.Query().Where(im.amongIDs(brand.FieldID, ids)).All(ctx)
	}, func(row *ent.Brand) (uuid.UUID, string) { return row.ID, row.Slug })
	if err != nil {
		return err
	}
	var changed []*ent.Brand
	for _, o := range batch {
		slug := o.slug()
		row, ok := rows[slug]
		if !ok {
			row = &ent.Brand{ID: im.brands.newID(slug), Slug: slug}
			o.require("name", "nameFa")
		}
		im.meet("brand", row, row.ID, row.UpdatedAt, ok)
		im.brands.add(o, "slug", slug, row.ID)
		o.text("name", &row.Name, titleLimit)
		o.text("nameFa", &row.NameFa, titleLimit)
		o.optionalText("logoUrl", &row.LogoURL, urlLimit, checkURL)
		o.refuseUnknown()
		if im.countFate(o, "brands", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, brandTable, changed)
	return nil
}

// findBrands looks brands up by slug.
func (im *importer) findBrands(ctx context.Context, slugs []string, found func(string, uuid.UUID)) error {
	rows, err := stored(ctx, im, im.client.Brand.Query().Where(im.among(brand.FieldSlug, slugs)).
		Select(brand.FieldID, brand.FieldSlug).All)
	if err != nil {
		return err
	}
	isThere := map[string]bool{}
	for _, row := range rows {
		isThere[row.Slug] = true
		found(row.Slug, row.ID)
	}
	return im.foundMoved(record.SlugBrand, slugs, isThere, func(ids []uuid.UUID) ([]uuid.UUID, error) {
		return im.client.Brand.Query().Where(im.amongIDs(brand.FieldID, ids)).IDs(ctx)
	}, found)
}
