package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/fault"
)

// index finds records of one kind by slug, SKU or key, which is what other records of a bundle refer to.
type index struct {
	word  fault.Text // what a key is called: "slug", "SKU" or "key"
	known map[string]entry
	paths numberedPaths
	// the file was read once and its keys are in known; it is read again to be written
	checked bool
	// what was looked up since others changed the shop, and whether it is there; nil: nobody has
	found map[string]bool
	find  func(ctx context.Context, keys []string, found func(key string, id uuid.UUID)) error
	make  func(key string) uuid.UUID // the id of a new record
}

// entry is what is known of a key. A bundle may have millions of keys, so it is small.
type entry struct {
	id    uuid.UUID    // uuid.Nil: no record has the key
	path  numberedPath // in the file; the zero value: only in the database, if at all
	isNew bool         // the file has it, and nothing was there when the file was checked
}

// inFile reports whether the file has the record.
func (e entry) inFile() bool { return e.path != numberedPath{} }

// place is where something stands in the file.
type place struct {
	path         string
	line, column int
}

// placeInFile returns the place of a value.
func (n *node) placeInFile() place { return place{n.path(), n.line, n.column} }

func (im *importer) newIndex(kind string, word fault.Text, find func(ctx context.Context, keys []string,
	found func(string, uuid.UUID)) error) index {
	return index{word: word, known: map[string]entry{}, find: find,
		make: func(key string) uuid.UUID { return im.newID(kind, key) }}
}

// load looks up the keys that nothing is known of yet.
func (x *index) load(ctx context.Context, keys []string) error {
	var unknown []string
	for _, key := range keys {
		if _, ok := x.known[key]; !ok {
			unknown = append(unknown, key)
			x.known[key] = entry{}
		} else if _, ok := x.found[key]; !ok && x.found != nil {
			unknown = append(unknown, key)
			x.found[key] = false
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return x.find(ctx, unknown, func(key string, id uuid.UUID) {
		known := x.known[key]
		known.id = id
		x.known[key] = known
		if x.found != nil {
			x.found[key] = true
		}
	})
}

// renew lets keys be looked up again: others have changed the shop.
func (x *index) renew() { x.found = map[string]bool{} }

// id returns the record of a key that was loaded or is in the file.
func (x *index) id(key string) (uuid.UUID, bool) {
	if x.word.String() == "slug" {
		key = trimSlug(key)
	}
	e := x.known[key]
	if isThere, ok := x.found[key]; ok && !isThere {
		return uuid.Nil, false
	}
	return e.id, e.id != uuid.Nil
}

// newID makes the id of a new record. It is the one that the record got when the file was checked, so that what
// refers to it does so by the same id.
func (x *index) newID(key string) uuid.UUID {
	if id := x.known[key].id; id != uuid.Nil {
		return id
	}
	return x.make(key)
}

// add notes that the file has the record of a key, and that the key must not come again.
func (x *index) add(o *object, member, key string, id uuid.UUID) {
	if key == "" {
		return // it is noted already why
	}
	before := x.known[key]
	if x.checked {
		before.id = id
		x.known[key] = before
		return
	}
	if before.inFile() {
		o.faults.add(o.member(member), "is the %s of %s already", x.word, x.paths.text(before.path))
		return
	}
	x.known[key] = entry{id: id, path: x.paths.add(o.path())}
}

// noteNew notes that nothing was there of a key when the file was checked. It reports false where there was.
func (x *index) noteNew(key string) bool {
	known := x.known[key]
	if x.checked {
		return known.isNew
	}
	known.isNew = true
	x.known[key] = known
	return true
}

// reference reads a member that names a record by its key and may be null.
func (o *object) reference(name string, dst **uuid.UUID, what fault.Text,
	find func(key string) (uuid.UUID, bool)) {
	m := o.find(name)
	switch {
	case m == nil:
	case m.kind == 'n':
		putPointer(o, dst, nil)
	default:
		if key, ok := o.string(m, 1, titleLimit); ok {
			if id, ok := find(key); ok {
				putPointer(o, dst, &id)
			} else {
				o.faults.add(m, "names no %s", what)
			}
		}
	}
}

// references reads a list of keys.
func (o *object) references(name string, dst *[]uuid.UUID, most int, what fault.Text,
	find func(key string) (uuid.UUID, bool)) {
	items, ok := o.list(name, most)
	if !ok {
		return
	}
	ids := make([]uuid.UUID, 0, len(items))
	seen := map[uuid.UUID]bool{}
	for _, item := range items {
		key, ok := o.string(item, 1, titleLimit)
		if !ok {
			continue
		}
		id, ok := find(key)
		switch {
		case !ok:
			o.faults.add(item, "names no %s", what)
		case seen[id]:
			o.faults.add(item, "is in the list already")
		default:
			seen[id] = true
			ids = append(ids, id)
		}
	}
	putDeep(o, dst, ids)
}
