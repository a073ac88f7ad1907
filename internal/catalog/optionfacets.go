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
	"storefront/internal/record"
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

// Options returns the variations of the products.
func (f *ProductFacets) Options(ctx context.Context) ([]*VariationFacet, error) {
	return optionFacets(ctx, f.filter.options,
		func(ctx context.Context, options optionFilter) ([]*VariationFacet, error) {
			filter := f.filter
			filter.options = options
			return countFacets(ctx, facetCount[*VariationFacet]{
				r: f.r, subject: f.subject("options", filter),
				count: func(ctx context.Context) ([]*VariationFacet, error) {
					at := RequestTime(ctx)
					return f.r.countOptions(ctx, f.tenant, "COUNT(DISTINCT v.product_id)",
						func(s *sql.Selector, v *sql.SelectTable) {
							options.narrowVariants(false)(s)
							products := filter
							products.options = ""
							if products == (ProductFilter{tenant: f.tenant}) { // all products on sale
								return
							}
							p := sql.Dialect(s.Dialect()).Table(product.Table)
							found := sql.Dialect(s.Dialect()).Select(p.C(product.FieldID)).From(p).Where(sql.And(
								sql.EQ(p.C(product.FieldTenantID), f.tenant),
								sql.EQ(p.C(product.FieldStatus), record.Published),
								sql.LTE(p.C(product.FieldPublishedAt), at),
							))
							for _, holds := range products.conditions(at) {
								holds(found)
							}
							s.Where(sql.In(v.C(variant.FieldProductID), found))
						})
				},
			})
		})
}

// Options returns the variations of the variants.
func (f *VariantFacets) Options(ctx context.Context) ([]*VariationFacet, error) {
	return optionFacets(ctx, f.filter.options,
		func(ctx context.Context, options optionFilter) ([]*VariationFacet, error) {
			filter := f.filter
			filter.options = options
			return countFacets(ctx, facetCount[*VariationFacet]{
				r: f.r, subject: f.subject("options", filter),
				count: func(ctx context.Context) ([]*VariationFacet, error) {
					return f.r.countOptions(ctx, f.tenant, "COUNT(*)", func(s *sql.Selector, _ *sql.SelectTable) {
						for _, holds := range filter.conditions() {
							holds(s)
						}
					})
				},
			})
		})
}

// optionFacets counts options under a filter on options. For each variation in the filter it counts again
// without the condition on that variation.
func optionFacets(
	ctx context.Context, filter optionFilter, count func(context.Context, optionFilter) ([]*VariationFacet, error),
) ([]*VariationFacet, error) {
	filters, names := []optionFilter{filter}, []string{""}
	for _, condition := range filter.conditions() {
		if !slices.Contains(names, condition.Key) {
			filters, names = append(filters, filter.without(condition.Key)), append(names, condition.Key)
		}
	}
	counted, err := atOnce(len(filters), func(i int) ([]*VariationFacet, error) { return count(ctx, filters[i]) })
	if err != nil {
		return nil, err
	}
	facets := slices.Clone(counted[0]) // the cached ones must not change
	for i, others := range counted[1:] {
		own := func(f *VariationFacet) bool { return f.Key == names[1+i] }
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

// countOptions counts the options of the variants on sale that narrow keeps. Package tenancy does not check
// the statement, so it names the tenant.
func (r *Catalog) countOptions(
	ctx context.Context, tenant uuid.UUID, number string, narrow func(s *sql.Selector, v *sql.SelectTable),
) ([]*VariationFacet, error) {
	name := r.store.Raw().Dialect()
	build := sql.Dialect(name)
	v := build.Table(variant.Table)
	variants := build.Select(v.C(variant.FieldProductID), v.C(variant.FieldOptions)).From(v).Where(sql.And(
		sql.EQ(v.C(variant.FieldTenantID), tenant),
		sql.LTE(v.C(variant.FieldListedAt), RequestTime(ctx)),
	))
	narrow(variants, v)
	counted := build.Select().From(variants.As("v")).AppendFromExpr(sql.Raw(optionsOf[name]))
	counted.AppendSelectExpr(sql.Raw("o.key, o.value, " + number + ", MIN(CAST(v.product_id AS text))"))
	text, values := counted.Query()
	var all []optionRow
	text += " GROUP BY o.key, o.value"
	err := database.EachRow(ctx, r.store.Raw(), text, values, func(row *sql.Rows) error {
		var one optionRow
		err := row.Scan(&one.key, &one.value, &one.count, &one.product)
		all = append(all, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count options: %w", err)
	}
	return r.variationFacets(ctx, all)
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
		Where(product.IDIn(IDsOf(kept, func(o optionRow) uuid.UUID { return o.product })...)).
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
func textsOfOption(
	variations []record.Variation, key, value string,
) (record.Variation, record.VariationValue) {
	for _, v := range variations {
		if v.Key != key {
			continue
		}
		for _, choice := range v.Values {
			if choice.Key == value {
				return v, choice
			}
		}
		return v, record.VariationValue{Key: value, Label: value, LabelFa: value}
	}
	return record.Variation{Key: key, Name: key, NameFa: key},
		record.VariationValue{Key: value, Label: value, LabelFa: value}
}
