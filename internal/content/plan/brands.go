package plan

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/document"
	"storefront/internal/record"
)

func (p *Planner) takeBrands(ctx context.Context, batch []*document.Object) error {
	return takeKeyed(ctx, p, "brands", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Brand {
		o.Require("name", "nameFa")
		return &ent.Brand{ID: id, Slug: slug}
	}, func(o *document.Object, row *ent.Brand, _ bool) {
		o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
		o.OptionalText("logoUrl", &row.LogoURL, urlLimit, p.imageURL(record.TextOf(row.LogoURL)))
	})
}
