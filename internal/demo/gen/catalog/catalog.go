// Package catalog reads the category tree of a shop and the technical forms that hang in it.
package catalog

import (
	"fmt"
	"slices"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/words"
)

// Tree is the product categories of a shop.
type Tree struct {
	list  []bundle.Category
	index map[string]int
	items map[string]Item
}

// Item is what one thing of a category is called.
type Item struct{ En, Fa string }

// Categories reads one kind of categories ("product", "blog", "portfolio"), parents before children. A line
// is: slug | parent | name | Persian name | form | one of it | one of it in Persian | description. media is
// the address of the shop's images.
func Categories(lists, forms words.Lists, entityType, media string) Tree {
	t := Tree{index: map[string]int{}, items: map[string]Item{}}
	siblings := map[string]int{}
	for i, row := range lists.Rows(entityType) {
		c := bundle.Category{
			EntityType:  entityType,
			Slug:        row[0],
			ParentSlug:  row[1],
			Name:        row[2],
			NameFa:      row[3],
			Description: row.Cell(7),
			Position:    siblings[row[1]],
		}
		if _, known := t.index[c.ParentSlug]; c.ParentSlug != "" && !known {
			panic("category before its parent: " + c.Slug)
		}
		if name := row.Cell(4); name != "" {
			c.Form = readForm(forms, name)
		}
		if entityType == "product" && media != "" {
			c.ImageURL = fmt.Sprintf("%scategories/c%02d.svg", media, i+1)
		}
		siblings[row[1]]++
		t.index[c.Slug] = i
		t.list = append(t.list, c)
		t.items[c.Slug] = Item{En: row.Cell(5), Fa: row.Cell(6)}
	}
	return t
}

// List is all categories, parents before children.
func (t Tree) List() []bundle.Category { return t.list }

// Get is the category of a slug, which must be there.
func (t Tree) Get(slug string) bundle.Category { return t.list[t.place(slug)] }

// Item is what one thing of the category is called.
func (t Tree) Item(slug string) Item { return t.items[t.Get(slug).Slug] }

// Path is the slug and those above it, the root last.
func (t Tree) Path(slug string) []string {
	var path []string
	for slug != "" {
		path = append(path, slug)
		slug = t.Get(slug).ParentSlug
	}
	return path
}

// Root is the topmost category above slug.
func (t Tree) Root(slug string) string {
	path := t.Path(slug)
	return path[len(path)-1]
}

// Form is the category's own form or that of its nearest ancestor; nil where none has one.
func (t Tree) Form(slug string) *bundle.Form {
	for _, s := range t.Path(slug) {
		if f := t.Get(s).Form; f != nil {
			return f
		}
	}
	return nil
}

func (t Tree) place(slug string) int {
	i, ok := t.index[slug]
	if !ok {
		panic("no category " + slug)
	}
	return i
}

// Value reads the text of a word list as a value of the form's field: yes and no are booleans, commas part
// many choices.
func Value(form *bundle.Form, key, text string) any {
	i := slices.IndexFunc(form.Fields, func(f bundle.Field) bool { return f.Key == key })
	if i < 0 {
		panic(fmt.Sprintf("form %q has no field %q", form.Title, key))
	}
	switch field := form.Fields[i]; field.Type {
	case "number":
		return bundle.Amount(text)
	case "boolean":
		return text == "yes"
	case "multiselect":
		return []string(words.Cells(text, ","))
	default:
		return text
	}
}
