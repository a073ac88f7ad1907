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

// Reads names GraphQL fields that are computed from a row, and what each of them needs: columns of the row, or
// columns of its neighbours by path. For a computed field that is not named here the whole row is read, which
// is correct but slower.
type Reads map[string][]string

// Name is the key under which the templates find the annotation.
func (Reads) Name() string { return "Reads" }

// Derived names the columns that internal/derive writes, so that whole records are written without them.
type Derived []string

// Name is the key under which the templates find the annotation.
func (Derived) Name() string { return "Derived" }

// media names the columns from which the images of a record are shown.
func media() Reads {
	return Reads{"imageUrl": {"images"}, "image": {"images"}, "featuredMediaId": {"images"},
		"galleryMediaIds": {"images"}}
}

// with returns the entries of r and of more.
func (r Reads) with(more Reads) Reads {
	maps.Copy(r, more)
	return r
}

// Computed names values that a statement computes for a record on request, each with the Go type of the field
// that the record gets for it: {"in_stock": "*bool"}. A pointer is nil where the value was not requested.
type Computed map[string]string

// listed adds what is computed for the records of public lists (graph/scope.go).
func listed(more Computed) Computed {
	more["tenant_version"] = "int64"
	return more
}

// Name is the key under which the templates find the annotation.
func (Computed) Name() string { return "Computed" }
