// Package facets counts the records of public lists by property: category, brand, price, option, and answer to a field
// of a technical form. It counts a property when a field asks for it, without the list's own conditions on it, and once
// for each version of the shop's content.
package facets

import (
	"cmp"
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/internal/catalog"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The shapes of lists of products and of variants.
type (
	ProductPage struct {
		*list.Page[*ent.Product]
		Facets *ProductFacets
	}
	ProductConnection struct {
		*list.Connection[*ent.Product]
		Facets *ProductFacets
	}
	VariantPage struct {
		*list.Page[*ent.Variant]
		Facets *VariantFacets
	}
	VariantConnection struct {
		*list.Connection[*ent.Variant]
		Facets *VariantFacets
	}
)

// ProductFacets counts the products of a list by property.
type ProductFacets struct{ listFacets }

// VariantFacets counts the variants of a list by property.
type VariantFacets struct{ listFacets }

// listFacets are the common facets of products and variants.
type listFacets struct {
	c      *catalog.Catalog
	filter catalog.Filter
	// scan runs a statement that build makes of that for the public records.
	scan       func(ctx context.Context, rows any, build ...func(*sql.Selector)) error
	ofProducts bool // whether the records are products, which are found by their variants
}

// OfProducts returns the facets of the products that match a filter.
func OfProducts(c *catalog.Catalog, f catalog.Filter) *ProductFacets {
	scan := func(ctx context.Context, rows any, build ...func(*sql.Selector)) error {
		return c.PublishedProducts(ctx).Modify(build...).Scan(ctx, rows)
	}
	return &ProductFacets{listFacets{c, f.Unranked(), scan, true}}
}

// OfVariants returns the facets of the variants that match a filter.
func OfVariants(c *catalog.Catalog, f catalog.Filter) *VariantFacets {
	scan := func(ctx context.Context, rows any, build ...func(*sql.Selector)) error {
		return c.VariantsOnSale(ctx).Modify(build...).Scan(ctx, rows)
	}
	return &VariantFacets{listFacets{c, f.Unranked(), scan, false}}
}

// counted is what was counted by one property, as it is kept.
type counted[T interface{ bytes() int }] []T

// Bytes returns the memory of the facets.
func (c counted[T]) Bytes() (n int) {
	for _, facet := range c {
		n += facet.bytes()
	}
	return n
}

// countBy counts the records that match a filter by one of its columns.
func (f listFacets) countBy(ctx context.Context, filter catalog.Filter, by catalog.Property) ([]list.Tally, error) {
	var tallies []list.Tally
	err := f.scan(ctx, &tallies, filter.Narrow(request.Of(ctx).Now), list.TallyBy(filter.Column(by)))
	return tallies, err
}

// CategoryFacet is a category with the number of records of a list in it and its descendants.
type CategoryFacet struct {
	Category *ent.Category // without its form
	Count    int
}

func (f *CategoryFacet) bytes() int {
	c := f.Category
	return 500 + len(c.Slug) + len(c.Name) + len(c.NameFa) + lengthOf(c.ImageURL) + lengthOf(c.Description) +
		lengthOf(c.DescriptionFa)
}

func lengthOf(text *string) int { return len(record.TextOf(text)) }

// Categories returns the categories with records, each with the number of records in it and its descendants.
func (f listFacets) Categories(ctx context.Context) ([]*CategoryFacet, error) {
	others := f.filter.Without(catalog.Categories, "")
	return catalog.CountList(ctx, f.c, others, catalog.Categories, func(
		ctx context.Context,
	) (counted[*CategoryFacet], error) {
		tallies, err := f.countBy(ctx, others, catalog.Categories)
		if err != nil {
			return nil, err
		}
		found, err := f.c.Store.Category.Query().Where(category.EntityTypeEQ(record.Product)).
			Select(shownOfCategories...).All(ctx)
		if err != nil {
			return nil, err
		}
		byID := make(map[uuid.UUID]*ent.Category, len(found))
		for _, c := range found {
			byID[c.ID] = c
		}
		counts := make(map[uuid.UUID]int, len(found))
		for _, t := range tallies {
			id := t.ID
			for range found { // no path to the root is longer
				if id == nil || byID[*id] == nil {
					break
				}
				counts[*id] += t.Count
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
	})
}

// mostFirst compares by count, the greatest first, then by id.
func mostFirst(countA, countB int, idA, idB uuid.UUID) int {
	return cmp.Or(cmp.Compare(countB, countA), cmp.Compare(idA.String(), idB.String()))
}

// shownOfCategories are the columns of categories except forms, which are large.
var shownOfCategories = slices.DeleteFunc(slices.Clone(category.Columns), func(column string) bool {
	return column == category.FieldForm
})

// BrandFacet is a brand with the number of records of a list that have it.
type BrandFacet struct {
	Brand *ent.Brand
	Count int
}

func (f *BrandFacet) bytes() int {
	b := f.Brand
	return 400 + len(b.Slug) + len(b.Name) + len(b.NameFa) + lengthOf(b.LogoURL)
}

// maxBrandFacets is the most brands in the result.
const maxBrandFacets = 100

// Brands returns the brands with the most records.
func (f listFacets) Brands(ctx context.Context) ([]*BrandFacet, error) {
	others := f.filter.Without(catalog.Brands, "")
	return catalog.CountList(ctx, f.c, others, catalog.Brands, func(ctx context.Context) (counted[*BrandFacet], error) {
		tallies, err := f.countBy(ctx, others, catalog.Brands)
		if err != nil {
			return nil, err
		}
		tallies = slices.DeleteFunc(tallies, func(t list.Tally) bool { return t.ID == nil })
		slices.SortFunc(tallies, func(a, b list.Tally) int { return mostFirst(a.Count, b.Count, *a.ID, *b.ID) })
		tallies = tallies[:min(len(tallies), maxBrandFacets)]
		ids := convert.All(tallies, func(t list.Tally) uuid.UUID { return *t.ID })
		found, err := f.c.Store.Brand.Query().Where(brand.IDIn(ids...)).All(ctx)
		if err != nil {
			return nil, err
		}
		facets := []*BrandFacet{}
		for _, t := range tallies {
			if i := slices.IndexFunc(found, func(b *ent.Brand) bool { return b.ID == *t.ID }); i >= 0 {
				facets = append(facets, &BrandFacet{Brand: found[i], Count: t.Count})
			}
		}
		return facets, nil
	})
}
