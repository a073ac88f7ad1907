package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/record"
)

// A file may be older than the slug of a record. Where no record has the slug that the file says, it means the one that
// had it before, which keeps the slug that it has now. So an old export makes no record twice.

// movedSlug is a slug that a record of a kind had.
type movedSlug struct {
	kind record.SlugKind
	slug string
}

// loadMovedSlugs reads those of the tenant.
func (im *importer) loadMovedSlugs(ctx context.Context) error {
	rows, err := im.client.MovedSlug.Query().All(ctx)
	im.movedSlugs = make(map[movedSlug]uuid.UUID, len(rows))
	for _, row := range rows {
		im.movedSlugs[movedSlug{record.SlugKind(row.Kind), row.Slug}] = row.RecordID
	}
	return err
}

// follow finds the records of a file's elements by slugs that they had before. rows are those that were found by the
// slugs that they have.
func follow[R interface{ Row() []any }](ctx context.Context, im *importer, k keyed[R], batch []*object,
	rows map[string]R) error {
	if im.edit != nil {
		return nil
	}
	moved := map[uuid.UUID][]*node{}
	var ids []uuid.UUID
	for _, o := range batch {
		m := o.member("slug")
		if m == nil {
			continue
		}
		slug := trimSlug(m.text)
		if _, isThere := rows[slug]; isThere {
			continue
		}
		if id, ok := im.movedSlugs[movedSlug{k.moved, slug}]; ok {
			moved[id] = append(moved[id], m)
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := k.find(ctx, im.amongIDs("id", ids))
	for _, row := range found {
		id, slug, _ := k.of(row)
		rows[slug] = row
		for _, m := range moved[id] {
			m.text = slug
		}
	}
	return err
}
