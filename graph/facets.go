package graph

import (
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/listing"
	"storefront/internal/search"
)

// facets narrow a list to the records that stand under all of them in the inverted index of listings.
type facets struct {
	kind   listing.Kind
	names  []string
	walked bool // the list is read along another index, and each record looked up in this one
}

// manyListed is how many records a list under facets has when its sorted order is walked by the index of that order: one of
// them then comes soon enough. Fewer are all found by the index of listings, and sorted.
const manyListed = 1000

func categoryFacet(id uuid.UUID) string { return "category:" + id.String() }
func tagFacet(tag string) string        { return "tag:" + search.Fold(tag) }

// under gives the facets of a list's filter.
func under(kind listing.Kind, category maybe[uuid.UUID], tag maybe[string]) facets {
	f := facets{kind: kind}
	if category.given {
		f.names = append(f.names, categoryFacet(category.value))
	}
	if tag.given {
		f.names = append(f.names, tagFacet(tag.value))
	}
	return f
}

// first is the listing that is joined to the list, and whose index gives its order. Each statement needs a table of its
// own, as building it writes the database's dialect into the table.
func first() *sql.SelectTable { return sql.Table(listing.Table).As("first") }

// narrow keeps the records that stand under the facets.
func (f facets) narrow(s *sql.Selector) {
	for i, name := range f.names {
		l := sql.Table(listing.Table).As("next")
		joined := i == 0 && !f.walked
		if joined {
			l = first()
		}
		stands := sql.And(
			sql.ColumnsEQ(l.C(listing.FieldTenantID), s.C("tenant_id")),
			sql.EQ(l.C(listing.FieldKind), f.kind),
			sql.EQ(l.C(listing.FieldFacet), name),
		)
		if joined {
			s.Join(l).On(s.C("id"), l.C(listing.FieldEntityID)).Where(stands)
			continue
		}
		s.Where(sql.Exists(sql.Select(l.C(listing.FieldID)).From(l).
			Where(sql.And(stands, sql.ColumnsEQ(l.C(listing.FieldPublishedAt), s.C("published_at")), sql.ColumnsEQ(l.C(listing.FieldEntityID), s.C("id"))))))
	}
}

// newest is the order of a list by publication: by the columns of the index that narrows it.
func (f facets) newest(list string) order {
	o := order{list: list + ".newest", time: "published_at"}
	if len(f.names) > 0 {
		o.index = func() (time, id string) {
			return first().C(listing.FieldPublishedAt), first().C(listing.FieldEntityID)
		}
	}
	return o
}
