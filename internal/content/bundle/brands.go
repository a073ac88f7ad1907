package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/record"
)

func (im *importer) takeBrands(ctx context.Context, batch []*object) error {
	return take(ctx, im, "brands", batch, func(o *object, id uuid.UUID, slug string) *ent.Brand {
		o.require("name", "nameFa")
		return &ent.Brand{ID: id, Slug: slug}
	}, func(o *object, row *ent.Brand, _ bool) {
		o.bilingual("name", &row.Name, &row.NameFa, titleLimit)
		o.optionalText("logoUrl", &row.LogoURL, urlLimit, im.imageURL(record.TextOf(row.LogoURL)))
	})
}
