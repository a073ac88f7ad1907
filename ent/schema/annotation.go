package schema

import (
	"maps"

	"entgo.io/ent/schema"
)

// Flat names GraphQL fields that show a column of a record's neighbour: {"brandName": "brand.name"}. The
// path runs over unique edges to a column. ent/template/collect.tmpl makes an accessor of each and joins
// the neighbour when it is asked for.
type Flat map[string]string

// Name is the key under which the templates find the annotation.
func (Flat) Name() string { return "Flat" }

// Merge joins the annotations of a schema and its mixins.
func (f Flat) Merge(other schema.Annotation) schema.Annotation {
	merged := Flat{}
	for _, one := range []Flat{f, other.(Flat)} {
		for name, path := range one {
			merged[name] = path
		}
	}
	return merged
}

// flatCategory shows the category behind an edge path ("category" or "product.category") on a card.
func flatCategory(path string) Flat {
	return Flat{
		"categorySlug":   path + ".slug",
		"categoryName":   path + ".name",
		"categoryNameFa": path + ".name_fa",
	}
}

// Reads names GraphQL fields that are computed from a row, and what of it each needs: columns, or columns
// of neighbours by path. A computed field that is not named here makes the whole row be read: slower, never
// wrong.
type Reads map[string][]string

// Name is the key under which the templates find the annotation.
func (Reads) Name() string { return "Reads" }

// Derived names the columns that internal/derive writes, so that whole records are written without them.
type Derived []string

// Name is the key under which the templates find the annotation.
func (Derived) Name() string { return "Derived" }

// media is how the images of a record are shown.
func media() Reads {
	return Reads{"imageUrl": {"images"}, "image": {"images"}, "featuredMediaId": {"images"},
		"galleryMediaIds": {"images"}}
}

// with adds to what is read.
func (r Reads) with(more Reads) Reads {
	maps.Copy(r, more)
	return r
}

// Computed names what a statement computes for a record where it is asked for it, and its Go type, which a
// pointer makes nil where it was not asked for: {"in_stock": "*bool"}. The record gets a field for it.
type Computed map[string]string

// listed is computed for the records of public lists: graph/scope.go.
func listed(more Computed) Computed {
	more["tenant_version"] = "int64"
	return more
}

// Name is the key under which the templates find the annotation.
func (Computed) Name() string { return "Computed" }
