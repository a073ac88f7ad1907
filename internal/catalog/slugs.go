package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent/movedslug"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// LookupSlug returns the stored form of a slug that came from outside, so that a link typed with Arabic
// letters still works.
func LookupSlug(slug string) string { return search.Slug(slug) }

// formerly returns the ids of the records that had slugs before.
func (r *Catalog) formerly(ctx context.Context, kind record.SlugKind, slugs ...string) (ids []uuid.UUID, err error) {
	err = r.Store.MovedSlug.Query().Where(movedslug.Kind(string(kind)), movedslug.SlugIn(slugs...)).
		Select(movedslug.FieldRecordID).Scan(ctx, &ids)
	return ids, err
}
