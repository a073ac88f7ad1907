package catalog

import (
	"context"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/listing"
	"storefront/internal/search"
)

// The table of listings is an inverted index: it has one row for every published record and each category or
// tag ("facet") under which the record is found, in the order of publication.

// listingFilter narrows a list to the records under all of its facets.
type listingFilter struct {
	kind   listing.Kind
	tenant uuid.UUID  // of anyOf, and of selectAlone
	facets []string   // all of them
	anyOf  [][]string // at least one facet of each of these
	// bySortIndex is whether the list is read along the index of its sort key, and each record looked up in
	// the listings. Otherwise the listings are read first.
	bySortIndex bool
	// inListOrder is the same for the facets in anyOf, for a list in any order: no index has the order of
	// several facets.
	inListOrder bool
}

// manyListed is the size from which a sorted list under facets is read along the index of its sort key,
// because the next record under the facets comes soon. For a smaller list all records are found by the
// listings and then sorted.
const manyListed = 1000

func FacetOfCategory(id uuid.UUID) string { return "category:" + id.String() }

func tagFacet(tag string) string { return "tag:" + search.Tag(tag) }

// listedUnder returns the listingFilter for the category and tag of a list's filter.
func listedUnder(kind listing.Kind, category optional[uuid.UUID], tag optional[string]) listingFilter {
	f := listingFilter{kind: kind}
	if category.given {
		f.facets = append(f.facets, FacetOfCategory(category.value))
	}
	if tag.given {
		f.facets = append(f.facets, tagFacet(tag.value))
	}
	return f
}

// joinedListing returns the table of the listing that is joined to the list and whose index has its order.
// Each statement needs a new value, because building a statement writes the dialect into it.
func joinedListing() *sql.SelectTable { return sql.Table(listing.Table).As("first") }

// narrow keeps the records under the facets.
func (f listingFilter) narrow(s *sql.Selector) {
	f.narrowToAny(s)
	for i, facet := range f.facets {
		l := sql.Table(listing.Table).As("next")
		joined := i == 0 && !f.bySortIndex
		if joined {
			l = joinedListing()
		}
		listed := sql.And(
			sql.ColumnsEQ(l.C(listing.FieldTenantID), s.C("tenant_id")),
			sql.EQ(l.C(listing.FieldKind), f.kind),
			sql.EQ(l.C(listing.FieldFacet), facet),
		)
		if joined {
			s.Join(l).On(s.C("id"), l.C(listing.FieldEntityID)).Where(listed)
			continue
		}
		s.Where(sql.Exists(sql.Select(l.C(listing.FieldID)).From(l).Where(sql.And(
			listed,
			sql.ColumnsEQ(l.C(listing.FieldPublishedAt), s.C("published_at")),
			sql.ColumnsEQ(l.C(listing.FieldEntityID), s.C("id")),
		))))
	}
}

// alone reports whether the listings under one facet determine the records of the list.
func (f listingFilter) alone() bool { return len(f.facets) == 1 && len(f.anyOf) == 0 && !f.bySortIndex }

// selectAlone selects the listings under a facet that are public at a time. Package tenancy does not check
// it, so it names the tenant.
func (f listingFilter) selectAlone(b *sql.DialectBuilder, at time.Time) *sql.Selector {
	l := joinedListing()
	return b.Select().From(l).Where(sql.And(
		sql.EQ(l.C(listing.FieldTenantID), f.tenant),
		sql.EQ(l.C(listing.FieldKind), f.kind),
		sql.EQ(l.C(listing.FieldFacet), f.facets[0]),
		sql.LTE(l.C(listing.FieldPublishedAt), at),
	))
}

// countAlone counts the listings under a facet that are public at a time.
func (r *Catalog) countAlone(ctx context.Context, f listingFilter) (int, error) {
	return r.store.Listing.Query().
		Where(listing.KindEQ(f.kind), listing.Facet(f.facets[0]), listing.PublishedAtLTE(RequestTime(ctx))).
		Aggregate(func(*sql.Selector) string { return "COUNT(*)" }). // COUNT(id) would read the rows
		Int(ctx)
}

// newest keeps the records of a span, newest first. It finds their ids in the listings alone, so that skipped
// records are not read.
func (f listingFilter) newest(part Span, at time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		ids := f.selectAlone(sql.Dialect(s.Dialect()), at)
		_, _, id := part.columnsIn(ids)
		part.Bounded(ids)
		part.Sorted(ids)
		s.Where(part.holds(s.C("id"), ids, id, false))
	}
}

// narrowToAny keeps the records that have at least one facet of each list in anyOf.
func (f listingFilter) narrowToAny(s *sql.Selector) {
	for _, facets := range f.anyOf {
		s.Where(f.underAny(s, facets, s.C("id"), s.C("published_at")))
	}
}

// underAny returns the predicate that a record has one of facets. id and published are its columns.
func (f listingFilter) underAny(s *sql.Selector, facets []string, id, published string) *sql.Predicate {
	if len(facets) == 0 {
		return sql.False()
	}
	l := sql.Dialect(s.Dialect()).Table(listing.Table).As("under")
	under := sql.And(
		sql.EQ(l.C(listing.FieldTenantID), f.tenant),
		sql.EQ(l.C(listing.FieldKind), f.kind),
		sql.In(l.C(listing.FieldFacet), texts(facets)...),
	)
	// PostgreSQL plans this like a join. SQLite checks each record of the list.
	if f.inListOrder || s.Dialect() == dialect.Postgres {
		return sql.Exists(sql.Dialect(s.Dialect()).Select(l.C(listing.FieldID)).From(l).Where(sql.And(
			under,
			sql.ColumnsEQ(l.C(listing.FieldPublishedAt), published),
			sql.ColumnsEQ(l.C(listing.FieldEntityID), id),
		)))
	}
	return sql.In(id, sql.Dialect(s.Dialect()).Select(l.C(listing.FieldEntityID)).From(l).Where(under))
}

// orUnder returns the filter narrowed to records under one of several categories, and one of several tags.
func (f listingFilter) orUnder(tenant uuid.UUID, categories, tags choice, inListOrder bool) listingFilter {
	f.tenant, f.inListOrder = tenant, inListOrder
	if categories.given {
		f.anyOf = append(f.anyOf, facetsOf("category:", categories))
	}
	if tags.given {
		f.anyOf = append(f.anyOf, facetsOf("tag:", tags))
	}
	return f
}

func facetsOf(prefix string, c choice) (facets []string) {
	for _, value := range c.list() {
		facets = append(facets, prefix+value)
	}
	return facets
}

// newestFirst returns the order of a list by publication, in the columns of the index that narrows it.
func (f listingFilter) newestFirst(list string) SortOrder {
	o := SortOrder{Name: list + ".newest", Time: "published_at"}
	if len(f.facets) > 0 {
		o.indexColumns = func() (time, id string) {
			return joinedListing().C(listing.FieldPublishedAt), joinedListing().C(listing.FieldEntityID)
		}
	}
	return o
}

// readBySortIndex reports whether a span of a list under facets should be read along the index of its sort
// key.
func readBySortIndex(ctx context.Context, part Span, total counter) (bool, error) {
	if part.Key == "" {
		return false, nil
	}
	return isMany(ctx, total)
}

// isMany reports whether a list has so many records that it should be read along the index of its order.
func isMany(ctx context.Context, total counter) (bool, error) {
	n, err := total.count(ctx)
	return n >= manyListed, err
}
