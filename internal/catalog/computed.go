package catalog

import (
	"context"
	"fmt"
	"sync"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// Fields that are computed from other tables, by the statement that reads the records (schema.Computed).

// CollectProducts makes a query read the fields of products in sel.
func CollectProducts(ctx context.Context, q *ent.ProductQuery, sel *selection.Set) *ent.ProductQuery {
	q.Collect(sel)
	if sel.Has("inStock") {
		q.Modify(selectInStock(RequestTime(ctx)))
	}
	return q
}

// selectInStock reads for each product whether a variant on sale is in stock. It selects one variant: with
// EXISTS in this place PostgreSQL may read all variants.
func selectInStock(at time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		before, after := inStockText(s.Dialect(), s.TableName())
		s.AppendSelectExprAs(sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString(before).Arg(at).WriteString(after)
		}), "in_stock")
	}
}

// inStockText returns the text of selectInStock before and after its time. It is made once for each dialect.
func inStockText(dialect, table string) (before, after string) {
	type key struct{ dialect, table string }
	if known, ok := inStockTexts.Load(key{dialect, table}); ok {
		text := known.([2]string)
		return text[0], text[1]
	}
	b := sql.Dialect(dialect)
	p, v := b.Table(table), b.Table(variant.Table).As("stocked")
	before = "(SELECT " + v.C(variant.FieldStock) + " FROM " + b.String(func(b *sql.Builder) {
		b.Ident(variant.Table).WriteString(" AS ").Ident("stocked")
	}) + " WHERE " + v.C(variant.FieldTenantID) + " = " + p.C(product.FieldTenantID) +
		" AND " + v.C(variant.FieldProductID) + " = " + p.C(product.FieldID) +
		" AND " + v.C(variant.FieldListedAt) + " <= "
	after = " AND " + v.C(variant.FieldStock) + " > 0 LIMIT 1) IS NOT NULL"
	inStockTexts.Store(key{dialect, table}, [2]string{before, after})
	return before, after
}

var inStockTexts sync.Map // of [2]string

// SelectCommentCount reads for each record the number of approved comments, if sel asks for that.
func SelectCommentCount(kind record.EntityType, sel *selection.Set) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if !sel.Has("commentCount") {
			return
		}
		c := sql.Dialect(s.Dialect()).Table(comment.Table).As("counted")
		s.AppendSelectExprAs(sql.Dialect(s.Dialect()).Select(sql.Count("*")).From(c).Where(sql.And(
			sql.ColumnsEQ(c.C(comment.FieldTenantID), s.C("tenant_id")),
			sql.EQ(c.C(comment.FieldEntityType), kind),
			sql.ColumnsEQ(c.C(comment.FieldEntityID), s.C("id")),
			sql.EQ(c.C(comment.FieldStatus), record.Approved),
		)), "comment_count")
	}
}

// Computed returns the computed values of records. It fails if one was not read.
func Computed[R, T any](records []R, value func(R) (uuid.UUID, *T)) ([]T, error) {
	values := make([]T, len(records))
	for i, r := range records {
		id, value := value(r)
		if value == nil {
			return nil, fmt.Errorf("%T %v was read without what is computed of it", r, id)
		}
		values[i] = *value
	}
	return values, nil
}
