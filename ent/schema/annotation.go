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

// Derived names the columns that internal/content/derive writes, so that whole records are written without them.
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

// listed adds what is computed for the records of public lists (internal/catalog/scope.go).
func listed(more Computed) Computed {
	more["tenant_version"] = "int64"
	return more
}

// Name is the key under which the templates find the annotation.
func (Computed) Name() string { return "Computed" }

// Personal says what of a table is a person's: whose its rows are, what an export shows of them, and what an erasure
// of the person does to them. Exports and erasures (internal/customer/personal) and a shop's file
// (internal/content/shopfile) read it in ent.Tables. Rows that an erasure neither deletes nor changes go with the
// row that they belong to, or stay.
type Personal struct {
	// Of is the column that leads to the person: it has the id of the account, the id of a row of a table that leads
	// there, or the cell number.
	Of string
	// Signed is a column with an e-mail address that the writer typed. Nobody proved it, so that what only this
	// column says of a person is erased only after somebody has looked at it.
	Signed string
	Where  string // which rows are the person's: SQL; empty: all
	// As names the list in an export: that of the shop, or of the account if OfAccount is set or the table has no
	// shop. A list of a table that belongs to another one stands in the objects of that one. Empty: it is left out.
	As        string
	OfAccount bool
	Withheld  []string          // columns that are left out, besides ids, search texts and times of change
	Named     map[string]string // columns by their names in an export, where these differ
	Shown     map[string]string // columns with an id, by the column of the other row that is shown instead
	// Amounts are the columns with amounts of money, by the columns that have the currency, the first that is not
	// null. One of another row is written after the column with its id: order_id.price_currency.
	Amounts map[string]string

	Deleted   bool                // erasing deletes the rows
	Cleared   []string            // columns that erasing empties
	Nameless  string              // the column with a name that erasing replaces by a general one
	Reduced   map[string][]string // columns of JSON, of which erasing leaves these members
	Kept      []string            // columns with text that stay: the books, and what the public has read
	Travelled []string            // the columns that are in a shop's file; empty: all
}

// Name is the key under which the templates find the annotation.
func (Personal) Name() string { return "Personal" }
