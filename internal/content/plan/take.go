package plan

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/content/document"
	"storefront/internal/content/stored"
)

// takeKeyed reads the elements of a section whose records have natural keys, and saves the records that differ. make
// returns a new record, read reads all members except the key.
func takeKeyed[R stored.Row](ctx context.Context, p *Planner, section string, batch []*document.Object,
	make func(o *document.Object, id uuid.UUID, key string) R, read func(o *document.Object, row R, isThere bool),
) error {
	if of, ok := stored.CategoriesOf[section]; ok {
		if err := p.loadMovedCategories(ctx, of, document.SlugsOf(batch, "category")); err != nil {
			return err
		}
	}
	kind := stored.Kinds[section]
	texts := document.TextsOf(batch, "key")
	if kind.Slug != "" {
		texts = document.SlugsOf(batch, "slug")
	}
	rows := map[string]stored.Record{}
	if !p.IsNew {
		all, err := kind.Find(ctx, p.Client, stored.Among(kind.Table.Key, texts))
		if err != nil {
			return err
		}
		for _, one := range all {
			rows[one.Key] = one
		}
	}
	if kind.Slug != "" {
		if err := p.follow(ctx, kind, batch, rows); err != nil {
			return err
		}
	}
	keys := p.index(section)
	var changed []R
	for _, o := range batch {
		key := ""
		if kind.Slug != "" {
			key = o.Slug()
		} else {
			o.Require("key")
			o.Text("key", &key, document.KeyLimit, checkKey)
			o.Changed = false
		}
		one, isThere := rows[key]
		if !isThere {
			one.ID = keys.newID(key)
			one.Row = make(o, one.ID, key)
		}
		row := one.Row.(R)
		p.noteRecord(kind.Name, row, one.ID, one.UpdatedAt, isThere)
		keys.add(o, key, one.ID, isThere)
		read(o, row, isThere)
		o.RefuseUnknown()
		if p.note(o, section, stored.FateOf(!isThere, o.Changed)) {
			changed = append(changed, row)
		}
	}
	save(p, kind.Table, changed)
	return nil
}
