package catalog

import (
	"cmp"
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/share"
	"storefront/internal/record"
)

// countedFacets is the cached result of a facet count.
type countedFacets[T sized] []T

func (c countedFacets[T]) Bytes() (n int) {
	for _, facet := range c {
		n += facet.Bytes()
	}
	return n
}

// CategoryFacet is a category with the number of records of a list in it and its descendants.
type CategoryFacet struct {
	Category *ent.Category // without its form
	Count    int
}

// BrandFacet is a brand with the number of records of a list that have it.
type BrandFacet struct {
	Brand *ent.Brand
	Count int
}

// Bytes estimates the memory of a kept facet.
func (f *CategoryFacet) Bytes() int {
	c := f.Category
	return 500 + len(c.Slug) + len(c.Name) + len(c.NameFa) + lengthOf(c.ImageURL) + lengthOf(c.Description) +
		lengthOf(c.DescriptionFa)
}

// Bytes estimates the memory of a kept facet.
func (f *BrandFacet) Bytes() int {
	b := f.Brand
	return 400 + len(b.Slug) + len(b.Name) + len(b.NameFa) + lengthOf(b.LogoURL)
}

func lengthOf(text *string) int { return len(record.TextOf(text)) }

// Bytes estimates the memory of a kept facet.
func (f *PriceFacet) Bytes() int { return 200 + 150*len(f.Buckets) }

// countFacets counts the records of a list by one property, such as their brand, once for each content version. The
// filter has no condition on that property.
func countFacets[T sized](
	ctx context.Context, f listFacets, property string, filter Filter, count func(context.Context) ([]T, error),
) ([]T, error) {
	ScopeOf(ctx).showsCount(filter.tenant)
	of := subject{tenant: filter.tenant, what: filter.list.name + "." + property, filter: filter}
	return publicCount(ctx, f.r, of, inTurn(f.r.facetCounts, func(ctx context.Context) (countedFacets[T], error) {
		return count(ctx)
	}))
}

// inTurn makes a count wait for a slot.
func inTurn[T any](
	turns *share.Slots, count func(context.Context) (T, error),
) func(context.Context) (T, error) {
	return func(ctx context.Context) (none T, err error) {
		if !keeps(ctx) { // a mutation may hold a connection, and so must not wait
			return count(ctx)
		}
		release, err := turns.Take(ctx)
		if err != nil {
			return none, err
		}
		defer release()
		return count(ctx)
	}
}

// recordCount is the number of records with a category or brand, or without one if the id is nil.
type recordCount struct {
	ID    *uuid.UUID `json:"id"`
	Count int        `json:"count"`
}

// countBy makes a statement count its records by a column, as recordCount.
func countBy(column string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Select(sql.As(s.C(column), "id"), sql.As(sql.Count("*"), "count")).GroupBy(s.C(column))
	}
}

// countsOf returns the counts of ids, in their order.
func countsOf(ids []uuid.UUID, counted []recordCount) []int {
	of := make(map[uuid.UUID]int, len(counted))
	for _, c := range counted {
		of[*c.ID] = c.Count
	}
	return convert.All(ids, func(id uuid.UUID) int { return of[id] })
}

// mostFirst compares by count, the greatest first, then by id.
func mostFirst(countA, countB int, idA, idB uuid.UUID) int {
	return cmp.Or(cmp.Compare(countB, countA), cmp.Compare(idA.String(), idB.String()))
}

// categoryFacets returns the categories with records, each with the number of records in it and its
// descendants.
func (r *Catalog) categoryFacets(ctx context.Context, counted []recordCount) ([]*CategoryFacet, error) {
	found, err := r.store.Category.Query().Where(category.EntityTypeEQ(record.Product)).
		Select(shownOfCategories...).All(ctx)
	if err != nil {
		return nil, err
	}
	byID := make(map[uuid.UUID]*ent.Category, len(found))
	for _, c := range found {
		byID[c.ID] = c
	}
	counts := make(map[uuid.UUID]int, len(found))
	for _, c := range counted {
		id := c.ID
		for range found { // no path to the root is longer
			if id == nil || byID[*id] == nil {
				break
			}
			counts[*id] += c.Count
			id = byID[*id].ParentID
		}
	}
	facets := []*CategoryFacet{}
	for _, c := range found {
		if n := counts[c.ID]; n > 0 {
			facets = append(facets, &CategoryFacet{Category: c, Count: n})
		}
	}
	slices.SortFunc(facets, func(a, b *CategoryFacet) int {
		return mostFirst(a.Count, b.Count, a.Category.ID, b.Category.ID)
	})
	return facets, nil
}

// shownOfCategories are the columns of categories except forms, which are large.
var shownOfCategories = slices.DeleteFunc(slices.Clone(category.Columns), func(column string) bool {
	return column == category.FieldForm
})

// maxBrandFacets is the most brands in the result.
const maxBrandFacets = 100

// brandFacets returns the brands with the most records.
func (r *Catalog) brandFacets(ctx context.Context, counted []recordCount) ([]*BrandFacet, error) {
	counted = slices.DeleteFunc(counted, func(c recordCount) bool { return c.ID == nil })
	slices.SortFunc(counted, func(a, b recordCount) int { return mostFirst(a.Count, b.Count, *a.ID, *b.ID) })
	counted = counted[:min(len(counted), maxBrandFacets)]
	ids := convert.All(counted, func(c recordCount) uuid.UUID { return *c.ID })
	found, err := r.store.Brand.Query().Where(brand.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	facets := []*BrandFacet{}
	for _, c := range counted {
		if i := slices.IndexFunc(found, func(b *ent.Brand) bool { return b.ID == *c.ID }); i >= 0 {
			facets = append(facets, &BrandFacet{Brand: found[i], Count: c.Count})
		}
	}
	return facets, nil
}
