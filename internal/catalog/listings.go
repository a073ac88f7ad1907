package catalog

import (
	"context"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/variant"
	"storefront/internal/content/derive"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The table of listings is an inverted index: it has one row for every published record and each category or
// tag ("facet") under which the record is found, in the order of publication.

// facets returns the facets all of which a record must be under.
func (f Filter) facets() (facets []string) {
	if f.category.given {
		facets = append(facets, derive.CategoryFacet(f.category.value))
	}
	if f.tag.given {
		facets = append(facets, "tag:"+search.Tag(f.tag.value))
	}
	return facets
}

// joinedListing returns the table of the listing that is joined to the list and whose index has its order.
// Each statement needs a new value, because building a statement writes the dialect into it.
func joinedListing() *sql.SelectTable { return sql.Table(listing.Table).As("first") }

// narrowToListed keeps the records under all facets, and under one of each choice.
func (f Filter) narrowToListed(s *sql.Selector) {
	f.narrowToAny(s, "category:", f.categories)
	f.narrowToAny(s, "tag:", f.tags)
	for i, facet := range f.facets() {
		l := sql.Table(listing.Table).As("next")
		joined := i == 0 && !f.bySortIndex
		if joined {
			l = joinedListing()
		}
		listed := sql.And(
			sql.ColumnsEQ(l.C(listing.FieldTenantID), s.C("tenant_id")),
			sql.EQ(l.C(listing.FieldKind), f.list.listed),
			sql.EQ(l.C(listing.FieldFacet), facet),
		)
		if joined {
			s.Join(l).On(s.C(f.list.id), l.C(listing.FieldEntityID)).Where(listed)
			continue
		}
		s.Where(sql.Exists(sql.Select(l.C(listing.FieldID)).From(l).Where(sql.And(listed, f.isListed(s, l)))))
	}
}

// isListed returns the predicate that a listing is one of a record.
func (f Filter) isListed(s *sql.Selector, l *sql.SelectTable) *sql.Predicate {
	return sql.And(
		sql.ColumnsEQ(l.C(listing.FieldPublishedAt), s.C(f.list.published)),
		sql.ColumnsEQ(l.C(listing.FieldEntityID), s.C(f.list.id)),
	)
}

// narrowToAny keeps the records under one of the facets of a choice.
func (f Filter) narrowToAny(s *sql.Selector, prefix string, c choice) {
	if !c.given {
		return
	}
	facets := c.list()
	if len(facets) == 0 {
		s.Where(sql.False())
		return
	}
	for i := range facets {
		facets[i] = prefix + facets[i]
	}
	l := sql.Dialect(s.Dialect()).Table(listing.Table).As("under")
	under := sql.And(
		sql.EQ(l.C(listing.FieldTenantID), f.tenant),
		sql.EQ(l.C(listing.FieldKind), f.list.listed),
		sql.In(l.C(listing.FieldFacet), texts(facets)...),
	)
	listings := sql.Dialect(s.Dialect()).Select(l.C(listing.FieldEntityID)).From(l)
	// PostgreSQL plans this like a join. SQLite checks each record of the list.
	if f.inListOrder || s.Dialect() == dialect.Postgres {
		s.Where(sql.Exists(listings.Where(sql.And(under, f.isListed(s, l)))))
		return
	}
	s.Where(sql.In(s.C(f.list.id), listings.Where(under)))
}

// countAlone counts the listings under a facet that are public at a time.
func (r *Catalog) countAlone(ctx context.Context, f Filter) (int, error) {
	return r.Store.Listing.Query().
		Where(listing.KindEQ(f.list.listed), listing.Facet(f.facets()[0]), listing.PublishedAtLTE(request.Of(ctx).Now)).
		Aggregate(func(*sql.Selector) string { return "COUNT(*)" }). // COUNT(id) would read the rows
		Int(ctx)
}

// newest keeps the records of a span, newest first. It finds their ids in the listings alone, so that skipped
// records are not read. Package tenancy does not check the subquery, so it names the tenant.
func (f Filter) newest(part list.Span, at time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		l := joinedListing()
		ids := sql.Dialect(s.Dialect()).Select().From(l).Where(sql.And(
			sql.EQ(l.C(listing.FieldTenantID), f.tenant),
			sql.EQ(l.C(listing.FieldKind), f.list.listed),
			sql.EQ(l.C(listing.FieldFacet), f.facets()[0]),
			sql.LTE(l.C(listing.FieldPublishedAt), at),
		))
		_, _, id := part.ColumnsIn(ids)
		part.Bounded(ids)
		part.Sorted(ids)
		s.Where(part.Holds(s.C("id"), ids, id, false))
	}
}

// newestFirst returns the order of a list by publication, in the columns of the index that narrows it.
func (f Filter) newestFirst() list.Order {
	o := list.Order{Name: f.list.name + ".newest", Time: f.list.published}
	if len(f.facets()) == 0 {
		return o
	}
	o.Split = f.list == storeItemList // the index has ids of products
	o.Joined = func() (key, time, id string) {
		id = joinedListing().C(listing.FieldEntityID)
		if o.Split {
			id = sql.Table(variant.Table).C(variant.FieldID)
		}
		return "", joinedListing().C(listing.FieldPublishedAt), id
	}
	return o
}

// ItemsIn returns for each category how many published records of its kind it and its descendants have.
func (r *Catalog) ItemsIn(ctx context.Context, categories []*ent.Category) ([]int, error) {
	ofKind := map[record.EntityType]itemCounts{}
	counts := make([]int, len(categories))
	for i, c := range categories {
		if ofKind[c.EntityType] == nil {
			counted, err := Counted(ctx, r, c.TenantID, "categories.items", c.EntityType,
				func(ctx context.Context) (itemCounts, error) { return r.countItems(ctx, listing.Kind(c.EntityType)) })
			if err != nil {
				return nil, err
			}
			ofKind[c.EntityType] = counted
		}
		counts[i] = ofKind[c.EntityType][derive.CategoryFacet(c.ID)]
	}
	return counts, nil
}

// itemCounts are the numbers of published records, by facet.
type itemCounts map[string]int

func (c itemCounts) Bytes() int { return 150 * len(c) }

func (r *Catalog) countItems(ctx context.Context, kind listing.Kind) (itemCounts, error) {
	var rows []struct {
		Facet string
		Count int
	}
	err := r.Store.Listing.Query().Where(listing.KindEQ(kind), listing.FacetHasPrefix("category:"),
		listing.PublishedAtLTE(request.Of(ctx).Now)).
		GroupBy(listing.FieldFacet).Aggregate(ent.Count()).Scan(ctx, &rows)
	counts := make(itemCounts, len(rows))
	for _, row := range rows {
		counts[row.Facet] = row.Count
	}
	return counts, err
}
