package plan

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
)

// index finds records of one kind by slug, SKU or key, by which other elements refer to them.
type index struct {
	p       *Planner
	kind    stored.Kind
	word    fault.Text           // the name of a key: "slug", "SKU" or "key"
	entries map[string]entry     // of the elements
	ids     map[string]uuid.UUID // of the records that were looked up; uuid.Nil: there is none
}

// entry is the state of a key. It is small, because a bundle may have millions of keys.
type entry struct {
	id    uuid.UUID // uuid.Nil: no record has the key
	place [2]uint32 // in the file: see placeOf; zero if the file does not have the record
	isNew bool      // the file has the record, and it did not exist when the file was checked
}

// inFile reports whether the file has the record.
func (e entry) inFile() bool { return e.place[0] > 0 }

// placeOf returns the numbers in the path of an element, from 1: that of products[12].variants[0] is 13 and
// 1.
func placeOf(n *document.Node) (place [2]uint32) {
	for ; n.Parent != nil; n = n.Parent {
		if n.Index >= 0 {
			place[0], place[1] = uint32(n.Index)+1, place[0]
		}
	}
	place[0] = max(place[0], 1) // the only element of an edit has no place
	return place
}

var numbers = regexp.MustCompile(`\[\d+\]`)

// path returns the path of the element, which is like that of another element of its kind.
func (e entry) path(like *document.Node) string {
	i := -1
	return numbers.ReplaceAllStringFunc(like.Path(), func(string) string {
		i++
		return fmt.Sprintf("[%d]", e.place[i]-1)
	})
}

// index returns the index of a section.
func (p *Planner) index(section string) *index {
	if p.indexes[section] == nil {
		if p.Memory.keys[section] == nil {
			p.Memory.keys[section] = map[string]entry{}
		}
		kind := stored.Kinds[section]
		p.indexes[section] = &index{p, kind, keyWords[kind.Table.Key], p.Memory.keys[section], map[string]uuid.UUID{}}
	}
	return p.indexes[section]
}

var keyWords = map[string]fault.Text{"slug": fault.Say("slug"), "sku": fault.Say("SKU"), "key": fault.Say("key")}

// find looks up records by their keys, including former slugs.
func (x *index) find(ctx context.Context, keys []string) (map[string]uuid.UUID, error) {
	ids := map[string]uuid.UUID{}
	if x.p.IsNew {
		return ids, nil
	}
	now, err := x.kind.Table.Keys(ctx, x.p.Client, stored.Among(x.kind.Table.Key, keys))
	for _, one := range now {
		ids[one.Key] = one.ID
	}
	if err != nil || x.kind.Slug == "" {
		return ids, err
	}
	moved, err := x.p.movedIDs(ctx, x.kind.Slug, slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		_, isThere := ids[key]
		return isThere
	}))
	if err != nil || len(moved) == 0 {
		return ids, err
	}
	there, err := x.kind.Table.KeysOf(ctx, x.p.Client, slices.Collect(maps.Values(moved)))
	for slug, id := range moved {
		if _, ok := there[id]; ok {
			ids[slug] = id
		}
	}
	return ids, err
}

// load looks up the keys that are not known yet.
func (x *index) load(ctx context.Context, keys []string) error {
	unknown := slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		_, known := x.ids[key]
		x.ids[key] = x.ids[key] // there is none unless it is found
		return known
	})
	if len(unknown) == 0 {
		return nil
	}
	ids, err := x.find(ctx, unknown)
	maps.Copy(x.ids, ids)
	return err
}

// id returns the id of the record of a key that was loaded, or that the file has and is still to be written.
func (x *index) id(key string) (uuid.UUID, bool) {
	if x.kind.Table.Key == "slug" {
		key = document.TrimSlug(key)
	}
	id := x.ids[key]
	if id == uuid.Nil && (x.p.IsNew || !x.p.Memory.Checked) {
		id = x.entries[key].id
	}
	return id, id != uuid.Nil
}

// newID returns the id of a new record. It is the id that the record got in the check, so that it is the same when the
// file is read again.
func (x *index) newID(key string) uuid.UUID {
	if id := x.entries[key].id; id != uuid.Nil {
		return id
	}
	return x.p.Memory.NewID(x.kind.NewID, key)
}

// add notes that the file has the record of a key, and adds a fault if it has the key twice. existed reports whether
// the record was there when the file was checked.
func (x *index) add(o *document.Object, key string, id uuid.UUID, isThere bool) (existed bool) {
	before := x.entries[key]
	switch {
	case key == "": // its fault has been added already
		return isThere
	case x.p.Memory.Checked:
		return !before.isNew
	case before.inFile():
		o.Faults.Add(o.Member(x.kind.Table.Key), "is the %s of %s already", x.word, before.path(o.Node))
	default:
		x.entries[key] = entry{id: id, place: placeOf(o.Node), isNew: !isThere}
	}
	return isThere
}

// readReference reads a member that refers to a record by its key and may be null.
func readReference(o *document.Object, name string, dst **uuid.UUID, what fault.Text,
	find func(key string) (uuid.UUID, bool)) {
	document.ReadOptional(o, name, dst, func(m *document.Node) (id uuid.UUID, ok bool) {
		key, ok := o.TextOf(m, 1, document.TitleLimit)
		if !ok {
			return id, false
		}
		if id, ok = find(key); !ok {
			o.Faults.Add(m, "names no %s", what)
		}
		return id, ok
	})
}

// readReferences reads a list of keys.
func readReferences(o *document.Object, name string, dst *[]uuid.UUID, most int, what fault.Text,
	find func(key string) (uuid.UUID, bool)) {
	items, ok := o.List(name, most)
	if !ok {
		return
	}
	ids := make([]uuid.UUID, 0, len(items))
	seen := map[uuid.UUID]bool{}
	for _, item := range items {
		key, ok := o.TextOf(item, 1, document.TitleLimit)
		if !ok {
			continue
		}
		id, ok := find(key)
		switch {
		case !ok:
			o.Faults.Add(item, "names no %s", what)
		case seen[id]:
			o.Faults.Add(item, "is in the list already")
		default:
			seen[id] = true
			ids = append(ids, id)
		}
	}
	document.PutDeep(o, dst, ids)
}
