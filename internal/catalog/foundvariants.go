package catalog

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/record"
	"storefront/internal/request"
)

// A list of products with chosen options, or with a lowest price, is found by its variants on sale: one of a product's
// must have all options and a price within the bounds. The price by which the product is sorted is the lowest of these
// variants; with a highest price alone that is the product's own. Facets count products by these variants.

// asksVariants reports whether products are found by their variants.
func (f Filter) asksVariants() bool {
	return f.list == productList && (f.options != "" || f.price.min.value > 0)
}

// variantsOnSale returns a statement that selects from a shop's variants on sale, and their table under the alias name.
// Package tenancy does not check the statement, so it names the tenant.
func variantsOnSale(dialect, name string, tenant uuid.UUID, at time.Time) (*sql.Selector, *sql.SelectTable) {
	v := sql.Dialect(dialect).Table(variant.Table).As(name)
	return sql.Dialect(dialect).Select().From(v).Where(sql.And(
		sql.EQ(v.C(variant.FieldTenantID), tenant),
		sql.LTE(v.C(variant.FieldListedAt), at),
	)), v
}

// found returns a statement about the variants by which products are found.
func (f Filter) found(dialect, name string, at time.Time) (*sql.Selector, *sql.SelectTable) {
	s, v := variantsOnSale(dialect, name, f.tenant, at)
	f.options.narrowVariants(s, f.inListOrder)
	f.price.narrow(s, variant.FieldSortDear)
	return s, v
}

// narrowByVariants keeps the products that are found by a variant. With inListOrder, products are read in the order of
// the list and each is checked; otherwise all matching variants are found first.
func (f Filter) narrowByVariants(s *sql.Selector, at time.Time) {
	variants, v := f.found(s.Dialect(), "chosen", at)
	variants.Select(v.C(variant.FieldProductID))
	if !f.inListOrder {
		s.Where(sql.In(s.C(product.FieldID), variants))
		return
	}
	variants.Where(sql.ColumnsEQ(v.C(variant.FieldProductID), s.C(product.FieldID)))
	if s.Dialect() == dialect.Postgres { // otherwise it joins all variants, as it expects few matches
		variants.Offset(0)
	}
	s.Where(sql.Exists(variants))
}

// narrowVariantsOfProducts restricts a statement about variants to those that match the filter's options and prices
// and whose products match the rest of it at a time.
func (f Filter) narrowVariantsOfProducts(s *sql.Selector, at time.Time) {
	f.options.narrowVariants(s, false)
	f.price.narrow(s, variant.FieldSortDear)
	others := f
	others.options, others.price = "", priceRange{}
	if others.unsorted() == (Filter{list: f.list, tenant: f.tenant}) { // all products on sale
		return
	}
	p := sql.Dialect(s.Dialect()).Table(product.Table)
	products := sql.Dialect(s.Dialect()).Select(p.C(product.FieldID)).From(p).Where(sql.And(
		sql.EQ(p.C(product.FieldTenantID), f.tenant),
		sql.EQ(p.C(product.FieldStatus), record.Published),
		sql.LTE(p.C(product.FieldPublishedAt), at),
	))
	others.narrow(at)(products)
	s.Where(sql.In(s.C(variant.FieldProductID), products))
}

// joinFound narrows a statement to the products with a matching variant, and joins each with its cheapest one as
// foundTable.
func (f Filter) joinFound(s *sql.Selector, at time.Time) {
	variants, v := f.found(s.Dialect(), "chosen", at)
	if f.price.min.given || f.price.max.given { // the same bounds on sort_cheap, which has an index too
		variants.Where(sql.LTE(v.C(variant.FieldSortCheap), -f.price.min.value))
	}
	if f.price.max.given {
		variants.Where(sql.GTE(v.C(variant.FieldSortCheap), -f.price.max.value))
	}
	cheapest, c := f.found(s.Dialect(), "cheapest", at)
	cheapest.Select(c.C(variant.FieldID)).
		Where(sql.ColumnsEQ(c.C(variant.FieldProductID), v.C(variant.FieldProductID))).
		OrderBy(sql.Desc(c.C(variant.FieldSortCheap)), c.C(variant.FieldID)).Limit(1)
	variants.Select(v.C(variant.FieldProductID), v.C(variant.FieldListedAt), v.C(variant.FieldPriceMilli),
		v.C(variant.FieldSortCheap), v.C(variant.FieldSortDear)).
		Where(sql.P(func(b *sql.Builder) {
			b.Ident(v.C(variant.FieldID)).WriteOp(sql.OpEQ)
			b.Wrap(func(b *sql.Builder) { b.Join(cheapest) })
		}))
	s.Join(variants.As(foundTable)).On(s.C(product.FieldID), inFound(variant.FieldProductID))
}

// foundTable is the name of the variants that joinFound joins.
const foundTable = "found"

func inFound(column string) string { return sql.Table(foundTable).C(column) }

// stepsOf is the SQL, by dialect, of the price steps of a product's variants, as in "41,52":
// each is the number of digits and the first digit, so that 41 is 1000 to 1999.
var stepsOf = map[string]string{
	dialect.SQLite: "group_concat(DISTINCT %s)", dialect.Postgres: "string_agg(DISTINCT %s, ',')",
}

// foundPrices counts the products of a list for each price step in which they have a matching variant.
func (r *Catalog) foundPrices(ctx context.Context, f Filter) (steps []priceStep, err error) {
	name, at := r.store.Raw().Dialect(), request.Of(ctx).Now
	variants, v := variantsOnSale(name, "chosen", f.tenant, at)
	f.narrowVariantsOfProducts(variants, at)
	price := v.C(variant.FieldSortDear)
	text := "CAST(" + price + " AS text)"
	variants.Where(sql.GTE(price, 0)).GroupBy(v.C(variant.FieldProductID), v.C(variant.FieldPriceCurrency)).
		Select(sql.As(v.C(variant.FieldPriceCurrency), "currency"), sql.As(sql.Min(price), "low"),
			sql.As(sql.Max(price), "high"),
			sql.As(fmt.Sprintf(stepsOf[name], "LENGTH("+text+") || SUBSTR("+text+", 1, 1)"), "steps"))
	query, values := sql.Dialect(name).Select("currency", "steps", "MIN(low)", "MAX(high)", "COUNT(*)").
		From(variants.As("found")).GroupBy("currency", "steps").Query()
	type key struct {
		currency string
		step     int
	}
	found, lowest, highest := map[key][]*int{}, map[string]int64{}, map[string]int64{}
	err = database.EachRow(ctx, r.store.Raw(), query, values, func(row *sql.Rows) error {
		var currency, all string
		var low, high int64
		products := new(int)
		if err := row.Scan(&currency, &all, &low, &high, products); err != nil {
			return err
		}
		if before, ok := lowest[currency]; !ok || low < before {
			lowest[currency] = low
		}
		highest[currency] = max(highest[currency], high)
		for text := range strings.SplitSeq(all, ",") {
			step, err := strconv.Atoi(text)
			if err != nil {
				return err
			}
			found[key{currency, step}] = append(found[key{currency, step}], products)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count prices: %w", err)
	}
	stepOf := func(price int64) int {
		digits := strconv.FormatInt(price, 10)
		return len(digits)*10 + int(digits[0]-'0')
	}
	for at, of := range found {
		digits, lead := at.step/10, at.step%10
		step := priceStep{Currency: at.currency, Digits: digits, Lead: lead, of: of}
		step.Low = int64(lead) * int64(math.Pow10(digits-1))
		step.High = step.Low
		if stepOf(lowest[at.currency]) == at.step {
			step.Low = lowest[at.currency]
		}
		if stepOf(highest[at.currency]) == at.step {
			step.High = highest[at.currency]
		}
		steps = append(steps, step)
	}
	return steps, nil
}
