package graph

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/internal/record"
)

// division counts how a list divides by one thing. Each is counted once for each content version, like the list's total,
// and without the list's filter by that same thing; its filter names it.
type division[T any] struct {
	*Resolver
	tenant    uuid.UUID
	filter    any // a comparable value that no other division shares
	count     func(context.Context) ([]T, error)
	scheduled func(context.Context) (time.Time, error)
}

// parts are what a list divides into.
type parts[T any] []T

// weight is what they weigh among all that is kept.
func (p parts[T]) weight() int {
	weight := len(p)
	for _, part := range p {
		if many, ok := any(part).(interface{ weight() int }); ok {
			weight += many.weight()
		}
	}
	return weight
}

// dividedAtOnce bounds how many divisions are counted at the same time: one may go over all that a shop has.
const dividedAtOnce = 4

// divide gives what is kept of a division, or counts it.
func divide[T any](ctx context.Context, d division[T]) ([]T, error) {
	return count(in(ctx, d.tenant), d.Resolver, d.tenant, d.filter, func(ctx context.Context) (parts[T], time.Time, error) {
		select {
		case d.dividing <- struct{}{}:
			defer func() { <-d.dividing }()
		case <-ctx.Done():
			return nil, time.Time{}, ctx.Err()
		}
		until, err := d.scheduled(ctx)
		if err != nil {
			return nil, time.Time{}, err
		}
		counted, err := d.count(ctx)
		return counted, until, err
	})
}

// shelf is how many records stand in one category, or are of one brand; nil: in none.
type shelf struct {
	ID    *uuid.UUID `json:"id"`
	Count int        `json:"count"`
}

// categoryFacets gives each category that holds any the records in it and below; those that hold most first, then by id.
func (r *Resolver) categoryFacets(ctx context.Context, shelves []shelf) ([]*CategoryFacet, error) {
	found, err := r.store.Category.Query().Where(category.EntityTypeEQ(record.Product)).
		Select(category.FieldParentID, category.FieldSlug, category.FieldName, category.FieldNameFa).All(ctx)
	if err != nil {
		return nil, err
	}
	above := make(map[uuid.UUID]*ent.Category, len(found))
	for _, c := range found {
		above[c.ID] = c
	}
	counts := make(map[uuid.UUID]int, len(found))
	for _, s := range shelves {
		for id, steps := s.ID, 0; id != nil && above[*id] != nil && steps < len(found); id, steps = above[*id].ParentID, steps+1 {
			counts[*id] += s.Count
		}
	}
	facets := []*CategoryFacet{}
	for _, c := range found {
		if n := counts[c.ID]; n > 0 {
			facets = append(facets, &CategoryFacet{ID: c.ID, ParentID: c.ParentID, Slug: c.Slug, Name: c.Name, NameFa: c.NameFa, Count: n})
		}
	}
	slices.SortFunc(facets, func(a, b *CategoryFacet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	return facets, nil
}

// shownBrands is the most brands of a division.
const shownBrands = 100

// brandFacets gives the brands of most records; those of most first, then by id.
func (r *Resolver) brandFacets(ctx context.Context, shelves []shelf) ([]*BrandFacet, error) {
	shelves = slices.DeleteFunc(shelves, func(s shelf) bool { return s.ID == nil })
	slices.SortFunc(shelves, func(a, b shelf) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	shelves = shelves[:min(len(shelves), shownBrands)]
	found, err := r.store.Brand.Query().Where(brand.IDIn(idsOf(shelves, func(s shelf) uuid.UUID { return *s.ID })...)).
		Select(brand.FieldSlug, brand.FieldName, brand.FieldNameFa).All(ctx)
	if err != nil {
		return nil, err
	}
	of := make(map[uuid.UUID]*ent.Brand, len(found))
	for _, b := range found {
		of[b.ID] = b
	}
	facets := []*BrandFacet{}
	for _, s := range shelves {
		if b := of[*s.ID]; b != nil {
			facets = append(facets, &BrandFacet{ID: b.ID, Slug: b.Slug, Name: b.Name, NameFa: b.NameFa, Count: s.Count})
		}
	}
	return facets, nil
}
