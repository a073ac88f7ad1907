package bundle

import (
	"context"
	"maps"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// keyed describes how the records of a section are found by slug or key, made and read.
type keyed[R interface{ Row() []any }] struct {
	section string // of the bundle
	kind    string // in the audit log
	name    string // in the ids of new records, for kinds that others do not refer to
	index   *index // nil: the index with the name
	table   *table
	moved   record.SlugKind // of records with slugs, which may have changed; empty if they have keys
	column  string          // of the slug or key
	find    func(ctx context.Context, which func(*sql.Selector), columns ...string) ([]R, error)
	of      func(R) (id uuid.UUID, key string, updatedAt time.Time)
	make    func(o *object, id uuid.UUID, key string) R // a new record
	read    func(o *object, row R, isThere bool)        // reads all members except the key
}

// take reads the elements of a section and saves the records that differ. It returns the existing records by
// key.
func take[R interface{ Row() []any }](ctx context.Context, im *importer, batch []*object, k keyed[R]) (
	map[string]R, error,
) {
	texts, word := textsOf(batch, "key"), keyWord
	if k.moved != "" {
		texts, word = slugsOf(batch, "slug"), slugWord
	}
	found, err := stored(ctx, im, func(ctx context.Context) ([]R, error) {
		return k.find(ctx, im.among(k.column, texts))
	})
	if err != nil {
		return nil, err
	}
	rows := map[string]R{}
	for _, row := range found {
		_, key, _ := k.of(row)
		rows[key] = row
	}
	if k.moved != "" {
		if err := follow(ctx, im, k, batch, rows); err != nil {
			return nil, err
		}
	}
	keys := k.index
	if keys == nil {
		keys = im.indexOf(k.name, word)
	}
	var changed []R
	for _, o := range batch {
		member, key := "key", ""
		if k.moved != "" {
			member, key = "slug", o.slug()
		} else {
			key = o.groupKey()
		}
		row, isThere := rows[key]
		if !isThere {
			row = k.make(o, keys.newID(key), key)
		}
		id, _, updatedAt := k.of(row)
		im.noteRecord(k.kind, row, id, updatedAt, isThere)
		keys.add(o, member, key, id)
		k.read(o, row, isThere)
		o.refuseUnknown()
		if im.countFate(o, k.section, fateOf(!isThere, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, k.table, changed)
	return rows, nil
}

// groupKey reads the key of a slider or group.
func (o *object) groupKey() string {
	key := ""
	o.require("key")
	o.text("key", &key, keyLimit, checkKey)
	o.changed = false
	return key
}

// lookUp returns a function for an index that looks up records by slugs, including former ones.
func lookUp[R interface{ Row() []any }](im *importer, k keyed[R]) func(
	ctx context.Context, slugs []string, found func(string, uuid.UUID)) error {
	return func(ctx context.Context, slugs []string, found func(string, uuid.UUID)) error {
		rows, err := stored(ctx, im, func(ctx context.Context) ([]R, error) {
			return k.find(ctx, im.among(k.column, slugs), "id", k.column)
		})
		if err != nil {
			return err
		}
		isThere := map[string]bool{}
		for _, row := range rows {
			id, slug, _ := k.of(row)
			isThere[slug] = true
			found(slug, id)
		}
		moved, err := im.moved(ctx, k.moved, slices.DeleteFunc(slices.Clone(slugs),
			func(slug string) bool { return isThere[slug] }))
		if err != nil || len(moved) == 0 {
			return err
		}
		there, err := k.find(ctx, im.amongIDs("id", slices.Collect(maps.Values(moved))), "id")
		for _, row := range there {
			id, _, _ := k.of(row)
			for slug, was := range moved {
				if was == id {
					found(slug, id)
				}
			}
		}
		return err
	}
}
