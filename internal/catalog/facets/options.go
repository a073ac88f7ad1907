package facets

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// VariationFacet is a variation of the products of a list, such as the colour.
type VariationFacet struct {
	record.Variation
	Values []*VariationValueFacet
	most   int // count of its most frequent value
}

// VariationValueFacet is a value of a variation, with the number of records of a list that have it.
type VariationValueFacet struct {
	record.VariationValue
	Count int
}

func (f *VariationFacet) bytes() int {
	n := 300 + len(f.Key) + len(f.Name) + len(f.NameFa)
	for _, v := range f.Values {
		n += 300 + len(v.Key) + len(v.Label) + len(v.LabelFa)
	}
	return n
}

// The most variations, and values of a variation, in the result.
const (
	maxVariationFacets = 20
	maxValueFacets     = 100
)

// Options returns the variations of the records. Each variation is counted without the condition on it.
func (f listFacets) Options(ctx context.Context) ([]*VariationFacet, error) {
	all, err := f.countOptions(ctx, f.filter)
	if err != nil {
		return nil, err
	}
	facets := slices.Clone(all) // the cached ones must not change
	for _, key := range f.filter.OptionKeys() {
		own := func(f *VariationFacet) bool { return f.Key == key }
		others, err := f.countOptions(ctx, f.filter.Without(catalog.Options, key))
		if err != nil {
			return nil, err
		}
		facets = slices.DeleteFunc(facets, own)
		if k := slices.IndexFunc(others, own); k >= 0 {
			facets = append(facets, others[k])
		}
	}
	sortVariationFacets(facets)
	return facets, nil
}

func sortVariationFacets(facets []*VariationFacet) {
	slices.SortFunc(facets, func(a, b *VariationFacet) int {
		return cmp.Or(cmp.Compare(b.most, a.most), cmp.Compare(a.Key, b.Key))
	})
}

// optionRow is the number of records with a value of a variation, and the first of their products.
type optionRow struct {
	key, value string
	count      int
	product    uuid.UUID
}

// optionsOf is the SQL, by dialect, of the options of variants v as rows o.
var optionsOf = map[string]string{
	dialect.SQLite:   "json_each(CAST(v.options AS text)) AS o",
	dialect.Postgres: "jsonb_each_text(v.options) AS o(key, value)",
}

// countOptions counts the options of the variants on sale that match a filter, or whose products do.
func (f listFacets) countOptions(ctx context.Context, filter catalog.Filter) (counted[*VariationFacet], error) {
	return catalog.CountList(ctx, f.c, filter, catalog.Options, func(
		ctx context.Context,
	) (_ counted[*VariationFacet], err error) {
		number, name := "COUNT(*)", f.c.Store.Raw().Dialect()
		if f.ofProducts {
			number = "COUNT(DISTINCT v.product_id)"
		}
		variants, v := filter.Variants(name, request.Of(ctx).Now)
		variants.Select(v.C(variant.FieldProductID), v.C(variant.FieldOptions))
		build := sql.Dialect(name).Select().From(variants.As("v")).AppendFromExpr(sql.Raw(optionsOf[name]))
		build.AppendSelectExpr(sql.Raw("o.key, o.value, " + number + ", MIN(CAST(v.product_id AS text))"))
		text, values := build.Query()
		var all []optionRow
		text += " GROUP BY o.key, o.value"
		err = database.EachRow(ctx, f.c.Store.Raw(), text, values, func(row *sql.Rows) error {
			var one optionRow
			err := row.Scan(&one.key, &one.value, &one.count, &one.product)
			all = append(all, one)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("count options: %w", err)
		}
		return f.variations(ctx, all)
	})
}

// variations returns the facets of counted options, with texts from their products.
func (f listFacets) variations(ctx context.Context, rows []optionRow) ([]*VariationFacet, error) {
	slices.SortFunc(rows, func(a, b optionRow) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value))
	})
	kept, keys := rows[:0], map[string]int{}
	for _, row := range rows {
		if _, known := keys[row.key]; !known && len(keys) == maxVariationFacets || keys[row.key] == maxValueFacets {
			continue
		}
		keys[row.key]++
		kept = append(kept, row)
	}
	products, err := f.c.Store.Product.Query().
		Where(product.IDIn(convert.All(kept, func(o optionRow) uuid.UUID { return o.product })...)).
		Select(product.FieldVariations).All(ctx)
	if err != nil {
		return nil, err
	}
	variations := map[uuid.UUID][]record.Variation{}
	for _, p := range products {
		variations[p.ID] = p.Variations
	}
	byKey, facets := map[string]*VariationFacet{}, []*VariationFacet{}
	for _, row := range kept {
		variation, value := textsOfOption(variations[row.product], row.key, row.value)
		facet := byKey[row.key]
		if facet == nil {
			facet = &VariationFacet{Variation: variation, most: row.count}
			byKey[row.key] = facet
			facets = append(facets, facet)
		}
		facet.Values = append(facet.Values, &VariationValueFacet{VariationValue: value, Count: row.count})
	}
	sortVariationFacets(facets)
	return facets, nil
}

// textsOfOption returns the texts of an option from the variations of a product, or its keys if the product lacks it.
func textsOfOption(variations []record.Variation, key, value string) (record.Variation, record.VariationValue) {
	variation, choice := record.Variation{Key: key, Name: key, NameFa: key},
		record.VariationValue{Key: value, Label: value, LabelFa: value}
	if i := slices.IndexFunc(variations, func(v record.Variation) bool { return v.Key == key }); i >= 0 {
		variation = variations[i]
	}
	if i := slices.IndexFunc(variation.Values, func(v record.VariationValue) bool { return v.Key == value }); i >= 0 {
		choice = variation.Values[i]
	}
	return variation, choice
}
