package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/stored"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

// Previews of records that need not be published (contract 3.6): how staff make them, and what their holders see.

func (m mutationResolver) PreviewContent(
	ctx context.Context, arguments map[string]any, _ uuid.UUID,
) (*api.PreviewPayload, error) {
	_, section := contentField(ctx)
	kind := stored.SlugKind(section, nil)
	slug := search.Slug(arguments["slug"].(string))
	scan, _ := m.r.staffRows(api.StaffRecordKind(kind), sql.FieldEQ("slug", slug))
	var found []*staffRow
	if err := scan(ctx, &found); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "there is no such record")
	}
	of := staff.PreviewOf{
		Kind: kind, ID: found[0].ID, Name: found[0].TitleFa, NameEn: found[0].TitleEn, Customer: found[0].UserID,
	}
	life := time.Duration(arguments["expiresInSeconds"].(int)) * time.Second
	text, expires, err := m.r.Links.Preview(ctx, of, life)
	return &api.PreviewPayload{Preview: text, ExpiresAt: expires}, err
}

// shownPreview is a preview that somebody opens.
type shownPreview struct {
	kind       record.SlugKind
	slug, text string // of the record; the preview itself
}

// previewed returns the record that a preview shows, if slug is its present or a former slug.
func previewed[R any](
	ctx context.Context, r *Resolver, t *ent.Tenant, shown shownPreview,
	read func(ctx context.Context, id uuid.UUID, asked *selection.Set) (R, error), slugOf func(R) string,
) (found R, err error) {
	id, err := r.Links.Previewed(ctx, t.ID, shown.kind, shown.text)
	if err != nil {
		return found, err
	}
	found, err = read(tenancy.In(ctx, t.ID), id, selection.Of(ctx).And("slug", "tenant_id"))
	if ent.IsNotFound(err) {
		return found, staff.NoPreview()
	}
	if err != nil {
		return found, err
	}
	is, err := r.Catalog.WasCalled(ctx, t, shown.kind, id, slugOf(found), shown.slug)
	if err == nil && !is {
		err = staff.NoPreview()
	}
	return found, err
}
