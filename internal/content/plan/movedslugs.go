package plan

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/movedslug"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/record"
)

// A file may have a former slug of a record. If no record has the slug now, the element means the record that
// had it before, which keeps its present slug. So an old export does not duplicate records.

// movedIDs returns the ids of records by their former slugs. A record may be deleted by now.
func (p *Planner) movedIDs(ctx context.Context, kind record.SlugKind, slugs []string) (map[string]uuid.UUID, error) {
	if p.IsNew || len(slugs) == 0 {
		return nil, nil
	}
	rows, err := p.Client.MovedSlug.Query().
		Where(movedslug.Kind(string(kind)), stored.Among(movedslug.FieldSlug, slugs)).
		Select(movedslug.FieldSlug, movedslug.FieldRecordID).All(ctx)
	moved := make(map[string]uuid.UUID, len(rows))
	for _, row := range rows {
		moved[row.Slug] = row.RecordID
	}
	return moved, err
}

// follow finds the records of elements by former slugs. rows are the records found by present slugs. An edit
// always uses the present slug. A slug that finds no record is that of a new record, and is no longer a
// former slug of another.
func (p *Planner) follow(
	ctx context.Context, kind stored.Kind, batch []*document.Object, rows map[string]stored.Record,
) error {
	moved, err := p.movedIDs(ctx, kind.Slug, slices.DeleteFunc(document.SlugsOf(batch, "slug"), func(slug string) bool {
		_, isThere := rows[slug]
		return isThere
	}))
	if err != nil || len(moved) == 0 {
		return err
	}
	now := map[uuid.UUID]stored.Record{}
	if !p.Terms.Edit {
		all, err := kind.Find(ctx, p.Client, stored.Among("id", slices.Collect(maps.Values(moved))))
		if err != nil {
			return err
		}
		for _, one := range all {
			now[one.ID] = one
		}
	}
	for _, o := range batch {
		m := o.Member("slug")
		if m == nil {
			continue
		}
		was := document.TrimSlug(m.Text)
		id, ok := moved[was]
		if !ok {
			continue
		}
		if one, ok := now[id]; ok {
			m.Text = one.Key
			rows[one.Key] = one
		} else {
			p.forgetMoved(kind.Slug, was)
		}
	}
	return nil
}

// forgetMoved plans to delete a former slug, because another record gets the slug.
func (p *Planner) forgetMoved(kind record.SlugKind, slug string) {
	p.unit.Do(func(ctx context.Context, tx *ent.Tx) error {
		_, err := tx.MovedSlug.Delete().Where(movedslug.Kind(string(kind)), movedslug.Slug(slug)).Exec(ctx)
		return err
	})
}

// loadMovedCategories looks up the categories of a type by former slugs, except slugs that other categories
// have now.
func (p *Planner) loadMovedCategories(ctx context.Context, entityType record.EntityType, slugs []string) error {
	c := p.categories
	moved, err := p.movedIDs(ctx, record.SlugCategory(entityType), slices.DeleteFunc(slugs, func(slug string) bool {
		return c.bySlug[categorySlug{entityType, slug}] != nil
	}))
	for slug, id := range moved {
		c.moved[categorySlug{entityType, slug}] = id
	}
	return err
}
