package plan

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/document"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// Categories are all categories of a shop: those of the database, changed and completed by the elements that were read.
type Categories struct {
	bySlug map[categorySlug]*ent.Category
	byID   map[uuid.UUID]*ent.Category
	moved  map[categorySlug]uuid.UUID // by former slugs, as far as they were looked up
}

// categorySlug identifies a category.
type categorySlug struct {
	entityType record.EntityType
	slug       string
}

// LoadCategories reads the categories of the context's shop.
func LoadCategories(ctx context.Context, client *ent.Client) (*Categories, error) {
	c := &Categories{map[categorySlug]*ent.Category{}, map[uuid.UUID]*ent.Category{}, map[categorySlug]uuid.UUID{}}
	rows, err := client.Category.Query().All(ctx)
	for _, row := range rows {
		c.add(row)
	}
	return c, err
}

func (c *Categories) add(row *ent.Category) {
	c.bySlug[categorySlug{row.EntityType, row.Slug}] = row
	c.byID[row.ID] = row
}

// ByID returns a category, or nil if there is none.
func (c *Categories) ByID(id uuid.UUID) *ent.Category { return c.byID[id] }

// BySlug returns the category that has a slug now, or nil if there is none.
func (c *Categories) BySlug(entityType record.EntityType, slug string) *ent.Category {
	return c.bySlug[categorySlug{entityType, slug}]
}

// InOrder returns all categories, parents before children.
func (c *Categories) InOrder() []*ent.Category {
	levels := map[*ent.Category]int{}
	rows := make([]*ent.Category, 0, len(c.byID))
	for _, row := range c.byID {
		levels[row] = c.level(row)
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b *ent.Category) int {
		return cmp.Or(cmp.Compare(levels[a], levels[b]), slices.Compare(a.ID[:], b.ID[:]))
	})
	return rows
}

// ParentOf returns the id of the parent of a category, uuid.Nil if it has none.
func ParentOf(row *ent.Category) uuid.UUID {
	if row.ParentID == nil {
		return uuid.Nil
	}
	return *row.ParentID
}

// areMoving reports whether records of categories are not in their new lists yet.
func (c *Categories) areMoving() bool {
	for _, row := range c.byID {
		if row.Moving {
			return true
		}
	}
	return false
}

// named returns the category with a slug, or one that had it before and was looked up, or nil.
func (c *Categories) named(key categorySlug) *ent.Category {
	if row := c.bySlug[key]; row != nil {
		return row
	}
	return c.byID[c.moved[key]]
}

var categoryWords = map[record.EntityType]fault.Text{
	record.Product: fault.Say("category of a product"), record.Blog: fault.Say("category of a blog"),
	record.Portfolio: fault.Say("category of a portfolio"),
}

// finder returns a function that finds the categories of a kind of content by slug.
func (c *Categories) finder(entityType record.EntityType) func(slug string) (uuid.UUID, bool) {
	return func(text string) (uuid.UUID, bool) {
		if row := c.named(categorySlug{entityType, document.TrimSlug(text)}); row != nil {
			return row.ID, true
		}
		return uuid.Nil, false
	}
}

// up yields a category and its ancestors, from below.
func (c *Categories) up(id *uuid.UUID) iter.Seq[*ent.Category] {
	return func(yield func(*ent.Category) bool) {
		for range mostLevels + 1 { // cycles are refused
			if id == nil || c.byID[*id] == nil || !yield(c.byID[*id]) {
				return
			}
			id = c.byID[*id].ParentID
		}
	}
}

// Form returns the form of a category, or of the nearest ancestor that has one, or nil.
func (c *Categories) Form(id *uuid.UUID) *record.Form {
	for row := range c.up(id) {
		if row.Form != nil {
			return row.Form
		}
	}
	return nil
}

// below returns the ids of some categories and of all their descendants.
func (c *Categories) below(tops map[uuid.UUID]bool) (ids []uuid.UUID) {
	for id := range c.byID {
		for row := range c.up(&id) {
			if tops[row.ID] {
				ids = append(ids, id)
				break
			}
		}
	}
	return ids
}

// level returns the number of categories from the root down to one, or one above mostLevels.
func (c *Categories) level(row *ent.Category) int {
	level := 1
	for range c.up(row.ParentID) {
		level++
	}
	return level
}
