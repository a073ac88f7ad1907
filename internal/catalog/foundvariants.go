package catalog

import (
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/record"
)

// A list of products with chosen options, or with a lowest price, is found by its variants on sale: one of a product's
// must have all options and a price within the bounds. The price by which the product is sorted is the lowest of these
// variants; with a highest price alone that is the product's own. Facets count products by these variants.

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

// Variants returns a statement that selects from the variants on sale that match the filter, and their table. For a
// list of products these are the variants of its products that match its options and prices.
func (f Filter) Variants(dialect string, at time.Time) (*sql.Selector, *sql.SelectTable) {
	s, v := variantsOnSale(dialect, "chosen", f.tenant, at)
	if f.list == productList {
		f.narrowVariantsOfProducts(s, at)
	} else {
		f.Narrow(at)(s)
	}
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
	others.Narrow(at)(products)
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
