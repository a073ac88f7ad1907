package plan

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/moves"
	"storefront/internal/content/stored"
	"storefront/internal/record"
)

// readCategoryReference reads the category of a record. Former slugs must have been looked up (loadMovedCategories).
func (p *Planner) readCategoryReference(o *document.Object, section string, dst **uuid.UUID) {
	of := stored.CategoriesOf[section]
	readReference(o, "category", dst, categoryWords[of], p.categories.finder(of))
}

// takenCategory is a category that an element has.
type takenCategory struct {
	*document.Object
	row   *ent.Category
	isNew bool
	had   uuid.UUID // its parent before; uuid.Nil: none
	above string    // the slug of the parent that the element names
}

// takeCategories reads categories. Each may refer to later ones, so that those of a file are read together.
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
	taken := make([]*takenCategory, 0, len(batch))
	elements := map[*ent.Category]*document.Object{}
	for _, o := range batch {
		t := p.categoryOf(o)
		if before := elements[t.row]; before != nil {
			o.Faults.Add(o.Member("slug"), "is the slug of %s already", before.Path())
			continue
		}
		elements[t.row] = o
		taken = append(taken, t)
		p.readCategory(t)
	}
	return p.saveCategories(ctx, taken)
}

// categoryOf returns the category that an element names, or a new one.
func (p *Planner) categoryOf(o *document.Object) *takenCategory {
	key := categorySlug{slug: o.Slug()}
	o.Require("entityType")
	document.Choose(o, "entityType", &key.entityType, key.entityType.Values())
	o.Changed = false
	row := p.categories.bySlug[key]
	if !p.Terms.Edit {
		row = p.categories.named(key)
	}
	if row != nil {
		return &takenCategory{Object: o, row: row, had: ParentOf(row)}
	}
	id, ok := p.Memory.categories[key] // the id from the check
	if !ok {
		id = p.Memory.NewID(string(key.entityType)+" category", key.slug)
		p.Memory.categories[key] = id
	}
	row = &ent.Category{ID: id, EntityType: key.entityType, Slug: key.slug}
	o.Require("name", "nameFa")
	if key.entityType != "" && key.slug != "" {
		p.categories.add(row)
	}
	if _, ok := p.categories.moved[key]; ok {
		p.forgetMoved(record.SlugCategory(key.entityType), key.slug)
	}
	return &takenCategory{Object: o, row: row, isNew: true}
}

// readCategory reads the members of a category, except those that identify it.
func (p *Planner) readCategory(t *takenCategory) {
	o, row := t.Object, t.row
	p.noteRecord("category", row, row.ID, row.UpdatedAt, !t.isNew)
	o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
	o.OptionalText("imageUrl", &row.ImageURL, urlLimit, p.imageURL(record.TextOf(row.ImageURL)))
	o.OptionalBilingual("description", &row.Description, &row.DescriptionFa, bodyLimit)
	o.Integer("position", &row.Position, -mostPosition, mostPosition)
	readForm(o, &row.Form)
	if m := o.Find("parentSlug"); m != nil && m.Kind == 'n' {
		document.PutPointer(o, &row.ParentID, nil)
	} else if m != nil {
		t.above, _ = o.TextOf(m, 1, document.KeyLimit)
	}
	o.RefuseUnknown()
}

// saveCategories sets the parents of categories and saves those that differ, parents first.
func (p *Planner) saveCategories(ctx context.Context, taken []*takenCategory) error {
	for _, t := range taken {
		if t.above == "" {
			continue
		}
		above := p.categories.named(categorySlug{t.row.EntityType, document.TrimSlug(t.above)})
		if above == nil {
			t.Faults.Add(t.Member("parentSlug"), "names no category of a %s", t.row.EntityType)
			continue
		}
		document.PutPointer(t.Object, &t.row.ParentID, &above.ID)
	}
	levels, moved := map[*takenCategory]int{}, map[uuid.UUID]bool{}
	for _, t := range taken {
		if levels[t] = p.categories.level(t.row); levels[t] > mostLevels {
			t.Faults.Add(cmp.Or(t.Member("parentSlug"), t.Node),
				"is in a circle, or more than %d levels deep", mostLevels)
		}
		if !t.isNew && t.had != ParentOf(t.row) {
			moved[t.row.ID] = true
		}
	}
	slices.SortStableFunc(taken, func(a, b *takenCategory) int { return cmp.Compare(levels[a], levels[b]) })
	var rows []*ent.Category
	for _, t := range taken {
		if p.note(t.Object, "categories", stored.FateOf(t.isNew, t.Changed)) {
			rows = append(rows, t.row)
		}
	}
	if p.Faults.Any() {
		return nil
	}
	save(p, stored.CategoryTable, rows)
	return p.moveBelow(ctx, p.categories.below(moved))
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
		facets[i] = derive.CategoryFacet(id)
		kinds = append(kinds, moves.KindsOf(p.categories.byID[id].EntityType)...)
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
