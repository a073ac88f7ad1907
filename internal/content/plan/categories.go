package plan

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"storefront/ent/listing"
	"storefront/internal/content/moves"
	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// Categories are all categories of a shop: those of the database, changed and completed by those of the file.
type Categories struct {
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

// LoadCategories reads the categories of the context's shop.
func LoadCategories(ctx context.Context, client *ent.Client) (*Categories, error) {
	c := &Categories{bySlug: map[categorySlug]*categoryEntry{}, byID: map[uuid.UUID]*categoryEntry{},
		moved: map[categorySlug]uuid.UUID{}}
	rows, err := client.Category.Query().All(ctx)
	for _, row := range rows {
		c.add(&categoryEntry{row: row})
	}
	return c, err
}

// ByID returns a category, or nil if there is none.
func (c *Categories) ByID(id uuid.UUID) *ent.Category {
	if e := c.byID[id]; e != nil {
		return e.row
	}
	return nil
}

// BySlug returns the category that has a slug now, or nil if there is none.
func (c *Categories) BySlug(of record.EntityType, slug string) *ent.Category {
	if e := c.bySlug[categorySlug{of, slug}]; e != nil {
		return e.row
	}
	return nil
}

// InOrder returns all categories, parents before children.
func (c *Categories) InOrder() []*ent.Category {
	levels := map[uuid.UUID]int{}
	rows := make([]*ent.Category, 0, len(c.byID))
	for id, e := range c.byID {
		levels[id] = c.level(e)
		rows = append(rows, e.row)
	}
	slices.SortFunc(rows, func(a, b *ent.Category) int {
		return cmp.Or(cmp.Compare(levels[a.ID], levels[b.ID]), slices.Compare(a.ID[:], b.ID[:]))
	})
	return rows
}

func (c *Categories) add(e *categoryEntry) {
	c.bySlug[categorySlug{e.row.EntityType, e.row.Slug}] = e
	c.byID[e.row.ID] = e
}

// isMoving reports whether records of a category are not in their new lists yet.
func (c *Categories) isMoving() bool {
	for _, e := range c.byID {
		if e.row.Moving {
			return true
		}
	}
	return false
}

// named returns the category with a slug, or one that had it before and was looked up, or nil.
func (c *Categories) named(key categorySlug) *categoryEntry {
	if e := c.bySlug[key]; e != nil {
		return e
	}
	return c.byID[c.moved[key]]
}

// categoriesOf are the kinds of categories that the records of a section have.
var categoriesOf = map[string]record.EntityType{"products": record.Product, "userProducts": record.Product,
	"blogs": record.Blog, "portfolios": record.Portfolio}

// CheckCategory adds a fault to an element of a section if it names a category that does not exist.
func (p *Planner) CheckCategory(ctx context.Context, section string, element *document.Node) error {
	batch := p.objects([]*document.Node{element})
	var err error
	if p.categories, err = LoadCategories(ctx, p.Client); err == nil {
		err = p.loadMovedCategories(ctx, categoriesOf[section], document.SlugsOf(batch, "category"))
	}
	p.category(batch[0], section, new(*uuid.UUID))
	return err
}

// category reads the category of a record. Former slugs must have been looked up (loadMovedCategories).
func (p *Planner) category(o *document.Object, section string, dst **uuid.UUID) {
	of := categoriesOf[section]
	readReference(o, "category", dst, categoryWords[of], p.categories.finder(of))
}

var categoryWords = map[record.EntityType]fault.Text{
	record.Product: fault.Say("category of a product"), record.Blog: fault.Say("category of a blog"),
	record.Portfolio: fault.Say("category of a portfolio"),
}

// finder returns a function that finds the categories of a kind of content by slug.
func (c *Categories) finder(of record.EntityType) func(slug string) (uuid.UUID, bool) {
	return func(text string) (uuid.UUID, bool) {
		if e := c.named(categorySlug{of, document.TrimSlug(text)}); e != nil {
			return e.row.ID, true
		}
		return uuid.Nil, false
	}
}

// up yields a category and its ancestors, from below.
func (c *Categories) up(id *uuid.UUID) iter.Seq[*categoryEntry] {
	return func(yield func(*categoryEntry) bool) {
		for range mostLevels + 1 { // cycles are refused
			if id == nil || c.byID[*id] == nil || !yield(c.byID[*id]) {
				return
			}
			id = c.byID[*id].row.ParentID
		}
	}
}

// Form returns the form of a category, or of the nearest ancestor that has one, or nil.
func (c *Categories) Form(id *uuid.UUID) *record.Form {
	for e := range c.up(id) {
		if e.row.Form != nil {
			return e.row.Form
		}
	}
	return nil
}

// takeCategories reads categories, and plans their writing. The check of a bundle calls saveCategories
// itself, once all are known.
func (p *Planner) takeCategories(ctx context.Context, batch []*document.Object) error {
	for _, of := range record.EntityType("").Values() {
		ofType := slices.DeleteFunc(slices.Clone(batch), func(o *document.Object) bool {
			m := o.Member("entityType")
			return m == nil || m.Text != of
		})
		slugs := slices.Concat(document.SlugsOf(ofType, "slug"), document.SlugsOf(ofType, "parentSlug"))
		if err := p.loadMovedCategories(ctx, record.EntityType(of), slugs); err != nil {
			return err
		}
	}
	for _, o := range batch {
		key := categorySlug{slug: o.Slug()}
		o.Require("entityType")
		document.Choose(o, "entityType", &key.entityType, key.entityType.Values())
		o.Changed = false
		e := p.categories.bySlug[key]
		if !p.Terms.Edit {
			e = p.categories.named(key)
		}
		switch {
		case e == nil:
			id, ok := p.Memory.categories[key] // the id from the check
			if !ok {
				id = p.Memory.NewID(string(key.entityType)+" category", key.slug)
				p.Memory.categories[key] = id
			}
			e = &categoryEntry{row: &ent.Category{ID: id, EntityType: key.entityType, Slug: key.slug}, isNew: true}
			o.Require("name", "nameFa")
			if key.entityType != "" && key.slug != "" {
				p.categories.add(e)
			}
			if _, ok := p.categories.moved[key]; ok {
				p.forgetMoved(record.SlugCategory(key.entityType), key.slug)
			}
		case e.object != nil:
			o.Faults.Add(o.Member("slug"), "is the slug of %s already", e.object.Path())
			continue
		}
		p.noteRecord("category", e.row, e.row.ID, e.row.UpdatedAt, !e.isNew)
		e.object = o
		p.categories.taken = append(p.categories.taken, e)
		o.Bilingual("name", &e.row.Name, &e.row.NameFa, document.TitleLimit)
		o.OptionalText("imageUrl", &e.row.ImageURL, urlLimit, p.imageURL(record.TextOf(e.row.ImageURL)))
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
	return p.saveCategories(ctx)
}

// saveCategories sets the parents of the file's categories and plans to write them. During the check it only
// notes those that differ, parents first.
func (p *Planner) saveCategories(ctx context.Context) error {
	c := p.categories
	for _, e := range c.taken {
		if e.newAbove == "" {
			continue
		}
		above := c.named(categorySlug{e.row.EntityType, document.TrimSlug(e.newAbove)})
		if above == nil {
			p.Faults.Add(e.object.Member("parentSlug"), "names no category of a %s", e.row.EntityType)
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
			p.Faults.Add(cmp.Or(e.object.Member("parentSlug"), e.object.Node),
				"is in a circle, or more than %d levels deep", mostLevels)
		}
	}
	slices.SortStableFunc(c.taken, func(a, b *categoryEntry) int { return cmp.Compare(levels[a], levels[b]) })
	for _, e := range c.taken {
		if p.note(e.object, "categories", stored.FateOf(e.isNew, e.object.Changed)) {
			rows = append(rows, e.row)
		}
	}
	c.taken = nil
	if p.Faults.Any() {
		return nil
	}
	save(p, stored.CategoryTable, rows)
	return p.moveBelow(ctx, c.belowMoved())
}

// belowMoved returns the categories that moved and all their descendants.
func (c *Categories) belowMoved() (ids []uuid.UUID) {
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
func (c *Categories) level(e *categoryEntry) int {
	level := 1
	for range c.up(e.row.ParentID) {
		level++
	}
	return level
}

// moveBelow updates the lists of the records of moved categories and of those below them. If there are many records,
// it marks the categories instead (package moves).
func (p *Planner) moveBelow(ctx context.Context, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	facets := make([]string, len(ids))
	var kinds []listing.Kind // a bundle may move categories of several types
	for i, id := range ids {
		facets[i] = moves.FacetOf(id)
		kinds = append(kinds, moves.KindsOf(p.categories.byID[id].row.EntityType)...)
	}
	rows, err := p.Client.Listing.Query().Where(listing.KindIn(kinds...), stored.Among(listing.FieldFacet, facets)).
		Limit(p.Terms.AtOnce + 1).Select(listing.FieldEntityID).All(ctx)
	if err != nil {
		return err
	}
	if len(rows) > p.Terms.AtOnce {
		p.Moving = true
		p.unit.Do(func(ctx context.Context, tx *ent.Tx) error { return moves.Mark(ctx, tx, ids) })
		return nil
	}
	for _, row := range rows {
		p.unit.Change.Listed = append(p.unit.Change.Listed, row.EntityID)
	}
	return nil
}
