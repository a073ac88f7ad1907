package bundle

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/internal/record"
)

func (im *importer) takeBrands(ctx context.Context, batch []*object) error {
	_, err := take(ctx, im, batch, im.keyedBrands())
	return err
}

func (im *importer) keyedBrands() keyed[*ent.Brand] {
	return keyed[*ent.Brand]{
		section: "brands", kind: "brand", index: &im.brands, table: brandTable, moved: record.SlugBrand,
		column: brand.FieldSlug,
		find: func(ctx context.Context, which func(*sql.Selector), columns ...string) ([]*ent.Brand, error) {
			return im.client.Brand.Query().Where(which).Select(columns...).All(ctx)
		},
		of: func(row *ent.Brand) (uuid.UUID, string, time.Time) { return row.ID, row.Slug, row.UpdatedAt },
		make: func(o *object, id uuid.UUID, slug string) *ent.Brand {
			o.require("name", "nameFa")
			return &ent.Brand{ID: id, Slug: slug}
		},
		read: func(o *object, row *ent.Brand, _ bool) {
			o.text("name", &row.Name, titleLimit)
			o.text("nameFa", &row.NameFa, titleLimit)
			o.optionalText("logoUrl", &row.LogoURL, urlLimit, o.imageURL(record.TextOf(row.LogoURL)))
		},
	}
}
