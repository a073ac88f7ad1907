package catalog

import (
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/ent/variant"
)

// narrowVariants keeps the variants whose options meet all conditions. With inListOrder, variants are read in
// the order of the list and each is checked; otherwise all matching variants are found first.
func (f optionFilter) narrowVariants(inListOrder bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		options := s.C(variant.FieldOptions)
		for _, one := range f.conditions() {
			s.Where(sql.P(func(b *sql.Builder) {
				if !inListOrder || b.Dialect() != dialect.Postgres {
					writeOption[b.Dialect()](b, options, one)
					return
				}
				b.WriteString("COALESCE(") // PostgreSQL then expects half of the rows to match, not one in 200
				writeOption[b.Dialect()](b, options, one)
				b.WriteString(", FALSE)")
			}))
		}
	}
}

// narrow keeps the products with a variant on sale that meets all conditions. With inListOrder, products are
// read in the order of the list and each is checked; otherwise all matching variants are found first.
func (f optionFilter) narrow(tenant uuid.UUID, at time.Time, inListOrder bool) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if f == "" {
			return
		}
		v := sql.Dialect(s.Dialect()).Table(variant.Table).As("chosen")
		if inListOrder {
			variants := sql.Dialect(s.Dialect()).Select(v.C(variant.FieldID)).From(v).Where(sql.And(
				sql.EQ(v.C(variant.FieldTenantID), tenant),
				sql.ColumnsEQ(v.C(variant.FieldProductID), s.C(product.FieldID)),
				sql.LTE(v.C(variant.FieldListedAt), at),
			))
			f.narrowVariants(false)(variants)
			if s.Dialect() == dialect.Postgres { // otherwise it joins all variants, as it expects few matches
				variants.Offset(0)
			}
			s.Where(sql.Exists(variants))
			return
		}
		variants := sql.Dialect(s.Dialect()).Select(v.C(variant.FieldProductID)).From(v).Where(sql.And(
			sql.EQ(v.C(variant.FieldTenantID), tenant),
			sql.LTE(v.C(variant.FieldListedAt), at),
		))
		f.narrowVariants(false)(variants)
		s.Where(sql.In(s.C(product.FieldID), variants))
	}
}

// writeOption writes, by dialect, the predicate that the options in a column meet a condition.
var writeOption = map[string]func(b *sql.Builder, options string, c optionCondition){
	dialect.SQLite: func(b *sql.Builder, options string, c optionCondition) {
		b.WriteString("EXISTS (SELECT 1 FROM json_each(CAST(").Ident(options).
			WriteString(" AS text)) AS o WHERE o.key = ").
			Arg(c.Key).WriteString(" AND o.value IN (").Args(texts(c.AnyOf)...).WriteString("))")
	},
	dialect.Postgres: func(b *sql.Builder, options string, c optionCondition) {
		b.WriteString("(").Ident(options).WriteString(" ->> CAST(").Arg(c.Key).WriteString(" AS text)) IN (").
			Args(texts(c.AnyOf)...).WriteString(")")
	},
}
