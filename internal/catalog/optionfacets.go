package catalog

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

// Value returns the key by which a filter names the value.
func (f *VariationValueFacet) Value() string { return f.Key }

// Bytes estimates the memory of a kept facet.
func (f *VariationFacet) Bytes() int {
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
	counted, err := f.countOptions(ctx, f.filter.options)
	if err != nil {
		return nil, err
	}
	facets := slices.Clone(counted) // the cached ones must not change
	for _, condition := range f.filter.options.list() {
		own := func(f *VariationFacet) bool { return f.Key == condition.Key }
		counted, err := f.countOptions(ctx, f.filter.options.without(condition.Key))
		if err != nil {
			return nil, err
		}
		facets = slices.DeleteFunc(facets, own)
		if k := slices.IndexFunc(counted, own); k >= 0 {
			facets = append(facets, counted[k])
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

// countOptions counts the options of the variants on sale that match the filter with other conditions on options, or of
// whose products the filter has one.
func (f listFacets) countOptions(ctx context.Context, options conditions) ([]*VariationFacet, error) {
	filter := f.filter
	filter.options = options
	return countFacets(ctx, f, "options", filter, func(ctx context.Context) (_ []*VariationFacet, err error) {
		name, at := f.r.store.Raw().Dialect(), request.Of(ctx).Now
		number, build := "COUNT(*)", sql.Dialect(name)
		variants, v := variantsOnSale(name, "chosen", filter.tenant, at)
		if filter.list == productList {
			number = "COUNT(DISTINCT v.product_id)"
			filter.narrowVariantsOfProducts(variants, at)
		} else {
			filter.narrow(at)(variants)
		}
		variants.Select(v.C(variant.FieldProductID), v.C(variant.FieldOptions))
		counted := build.Select().From(variants.As("v")).AppendFromExpr(sql.Raw(optionsOf[name]))
		counted.AppendSelectExpr(sql.Raw("o.key, o.value, " + number + ", MIN(CAST(v.product_id AS text))"))
		text, values := counted.Query()
		var all []optionRow
		text += " GROUP BY o.key, o.value"
		err = database.EachRow(ctx, f.r.store.Raw(), text, values, func(row *sql.Rows) error {
			var one optionRow
			err := row.Scan(&one.key, &one.value, &one.count, &one.product)
			all = append(all, one)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("count options: %w", err)
		}
		return f.r.variationFacets(ctx, all)
	})
}

// variationFacets returns the facets of counted options, with texts from their products.
func (r *Catalog) variationFacets(ctx context.Context, rows []optionRow) ([]*VariationFacet, error) {
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
	products, err := r.store.Product.Query().
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

// textsOfOption returns the texts of an option from the variations of a product, or its keys if the product
// lacks it.
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
