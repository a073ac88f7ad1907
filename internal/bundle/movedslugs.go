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
// slugs that they have; read reads others by their ids.
func follow[R any](
	im *importer, kind record.SlugKind, batch []*object, rows map[string]R,
	read func(ids []uuid.UUID) ([]R, error), of func(R) (id uuid.UUID, slug string),
) error {
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
		if id, ok := im.movedSlugs[movedSlug{kind, slug}]; ok {
			moved[id] = append(moved[id], m)
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := read(ids)
	for _, row := range found {
		id, slug := of(row)
		rows[slug] = row
		for _, m := range moved[id] {
			m.text = slug
		}
	}
	return err
}

// foundMoved calls found for keys that are not slugs any more, with the record that had them. Those that are there
// were found before.
func (im *importer) foundMoved(
	kind record.SlugKind, keys []string, isThere map[string]bool, read func(ids []uuid.UUID) ([]uuid.UUID, error),
	found func(key string, id uuid.UUID),
) error {
	moved := map[uuid.UUID][]string{}
	var ids []uuid.UUID
	for _, key := range keys {
		if id, ok := im.movedSlugs[movedSlug{kind, key}]; ok && !isThere[key] {
			moved[id] = append(moved[id], key)
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	there, err := read(ids)
	for _, id := range there {
		for _, key := range moved[id] {
			found(key, id)
		}
	}
	return err
}
