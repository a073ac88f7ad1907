package bundle

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// categories are all categories of a tenant: those of the database, changed and completed by those of the
// file.
type categories struct {
	bySlug map[categorySlug]*categoryEntry
	byID   map[uuid.UUID]*categoryEntry
	taken  []*categoryEntry           // of the file, in its order
	moved  map[categorySlug]uuid.UUID // by former slugs, as far as they were looked up
}

// categorySlug identifies a category.
type categorySlug struct {
	entityType record.EntityType
	slug       string
}

type categoryEntry struct {
	row      *ent.Category
	object   *document.Object // nil: not in the file, or no longer needed
	isNew    bool
	newAbove string // slug of the parent that the file names
	moved    bool   // it exists and has a new parent
}

func newCategories() *categories {
	return &categories{bySlug: map[categorySlug]*categoryEntry{}, byID: map[uuid.UUID]*categoryEntry{},
		moved: map[categorySlug]uuid.UUID{}}
}

// loadCategories reads the tenant's categories.
func (im *importer) loadCategories(ctx context.Context) error {
	im.categories = newCategories()
	rows, err := im.client.Category.Query().All(ctx)
	for _, row := range rows {
		im.categories.add(&categoryEntry{row: row})
		im.moving = im.moving || row.Moving
	}
	return err
}

func (c *categories) add(e *categoryEntry) {
	c.bySlug[categorySlug{e.row.EntityType, e.row.Slug}] = e
	c.byID[e.row.ID] = e
}

// named returns the category with a slug, or one that had it before and was looked up, or nil.
func (c *categories) named(key categorySlug) *categoryEntry {
	if e := c.bySlug[key]; e != nil {
		return e
	}
	return c.byID[c.moved[key]]
}

// categoriesOf are the kinds of categories that the records of a section have.
var categoriesOf = map[string]record.EntityType{"products": record.Product, "userProducts": record.Product,
	"blogs": record.Blog, "portfolios": record.Portfolio}

// category reads the category of a record. Former slugs must have been looked up (loadMovedCategories).
func (im *importer) category(o *document.Object, section string, dst **uuid.UUID) {
	of := categoriesOf[section]
	readReference(o, "category", dst, categoryWords[of], im.categories.finder(of))
}

var categoryWords = map[record.EntityType]fault.Text{
	record.Product: fault.Say("category of a product"), record.Blog: fault.Say("category of a blog"),
	record.Portfolio: fault.Say("category of a portfolio"),
}

// finder returns a function that finds the categories of a kind of content by slug.
func (c *categories) finder(of record.EntityType) func(slug string) (uuid.UUID, bool) {
	return func(text string) (uuid.UUID, bool) {
		if e := c.named(categorySlug{of, document.TrimSlug(text)}); e != nil {
			return e.row.ID, true
		}
		return uuid.Nil, false
	}
}

// up yields a category and its ancestors, from below.
func (c *categories) up(id *uuid.UUID) iter.Seq[*categoryEntry] {
	return func(yield func(*categoryEntry) bool) {
		for range mostLevels + 1 { // cycles are refused
			if id == nil || c.byID[*id] == nil || !yield(c.byID[*id]) {
				return
			}
			id = c.byID[*id].row.ParentID
		}
	}
}

// form returns the form of a category, or of the nearest ancestor that has one, or nil.
func (c *categories) form(id *uuid.UUID) *record.Form {
	for e := range c.up(id) {
		if e.row.Form != nil {
			return e.row.Form
		}
	}
	return nil
}

// takeCategories reads categories, and plans their writing. The check of a bundle calls saveCategories
// itself, once all are known.
func (im *importer) takeCategories(ctx context.Context, batch []*document.Object) error {
	if im.writing && im.edit == nil { // others may have changed them since the check
		if err := im.loadCategories(ctx); err != nil {
			return err
		}
	}
	for _, of := range record.EntityType("").Values() {
		ofType := slices.DeleteFunc(slices.Clone(batch), func(o *document.Object) bool {
			m := o.Member("entityType")
			return m == nil || m.Text != of
		})
		slugs := slices.Concat(document.SlugsOf(ofType, "slug"), document.SlugsOf(ofType, "parentSlug"))
		if err := im.loadMovedCategories(ctx, record.EntityType(of), slugs); err != nil {
			return err
		}
	}
	for _, o := range batch {
		key := categorySlug{slug: o.Slug()}
		o.Require("entityType")
		document.Choose(o, "entityType", &key.entityType, key.entityType.Values())
		o.Changed = false
		e := im.categories.bySlug[key]
		if im.edit == nil {
			e = im.categories.named(key)
		}
		switch {
		case e == nil:
			id, ok := im.newCategories[key] // the id from the check
			if !ok {
				id = im.newID(string(key.entityType)+" category", key.slug)
				im.newCategories[key] = id
			}
			e = &categoryEntry{row: &ent.Category{ID: id, EntityType: key.entityType, Slug: key.slug}, isNew: true}
			o.Require("name", "nameFa")
			if key.entityType != "" && key.slug != "" {
				im.categories.add(e)
			}
			if _, ok := im.categories.moved[key]; ok {
				im.forgetMoved(record.SlugCategory(key.entityType), key.slug)
			}
		case e.object != nil:
			o.Faults.Add(o.Member("slug"), "is the slug of %s already", e.object.Path())
			continue
		}
		im.noteRecord("category", e.row, e.row.ID, e.row.UpdatedAt, !e.isNew)
		e.object = o
		im.categories.taken = append(im.categories.taken, e)
		o.Bilingual("name", &e.row.Name, &e.row.NameFa, document.TitleLimit)
		o.OptionalText("imageUrl", &e.row.ImageURL, urlLimit, im.imageURL(record.TextOf(e.row.ImageURL)))
		o.OptionalBilingual("description", &e.row.Description, &e.row.DescriptionFa, bodyLimit)
		o.Integer("position", &e.row.Position, -mostPosition, mostPosition)
		readForm(o, &e.row.Form)
		if m := o.Find("parentSlug"); m != nil && m.Kind == 'n' {
			e.moved = e.row.ParentID != nil
			document.PutPointer(o, &e.row.ParentID, nil)
		} else if m != nil {
			e.newAbove, _ = o.TextOf(m, 1, document.KeyLimit)
		}
		o.RefuseUnknown()
	}
	if im.writing {
		return im.saveCategories(ctx)
	}
	return nil
}

// saveCategories sets the parents of the file's categories and plans to write them. During the check it only
// notes those that differ, parents first.
func (im *importer) saveCategories(ctx context.Context) error {
	c := im.categories
	for _, e := range c.taken {
		if e.newAbove == "" {
			continue
		}
		above := c.named(categorySlug{e.row.EntityType, document.TrimSlug(e.newAbove)})
		if above == nil {
			im.faults.Add(e.object.Member("parentSlug"), "names no category of a %s", e.row.EntityType)
			continue
		}
		before := e.object.Changed
		e.object.Changed = false
		document.PutPointer(e.object, &e.row.ParentID, &above.row.ID)
		e.moved = e.object.Changed && !e.isNew
		e.object.Changed = e.object.Changed || before
	}
	levels := map[*categoryEntry]int{}
	var rows []*ent.Category
	for _, e := range c.taken {
		if levels[e] = c.level(e); levels[e] > mostLevels {
			im.faults.Add(cmp.Or(e.object.Member("parentSlug"), e.object.Node),
				"is in a circle, or more than %d levels deep", mostLevels)
		}
	}
	slices.SortStableFunc(c.taken, func(a, b *categoryEntry) int { return cmp.Compare(levels[a], levels[b]) })
	for _, e := range c.taken {
		if im.countFate(e.object, "categories", fateOf(e.isNew, e.object.Changed)) {
			rows = append(rows, e.row)
			if !im.writing {
				im.categoryNodes = append(im.categoryNodes, e.object.Node)
			}
		}
	}
	c.taken = nil
	if !im.writing || im.faults.Any() {
		return nil
	}
	save(im, stored.CategoryTable, rows)
	return im.moveBelow(ctx, c.belowMoved())
}

// belowMoved returns the categories that moved and all their descendants.
func (c *categories) belowMoved() (ids []uuid.UUID) {
	for id := range c.byID {
		for e := range c.up(&id) {
			if e.moved {
				ids = append(ids, id)
				break
			}
		}
	}
	return ids
}

// level returns the number of categories from the root down to e, or one above mostLevels.
func (c *categories) level(e *categoryEntry) int {
	level := 1
	for range c.up(e.row.ParentID) {
		level++
	}
	return level
}
