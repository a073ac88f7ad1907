package bundle

import (
	"context"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/record"
)

func (im *importer) takeBrands(ctx context.Context, batch []*document.Object) error {
	return take(ctx, im, "brands", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Brand {
		o.Require("name", "nameFa")
		return &ent.Brand{ID: id, Slug: slug}
	}, func(o *document.Object, row *ent.Brand, _ bool) {
		o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
		o.OptionalText("logoUrl", &row.LogoURL, urlLimit, im.imageURL(record.TextOf(row.LogoURL)))
	})
}
