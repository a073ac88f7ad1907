package catalog

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/product"
	"storefront/internal/catalog/selection"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Fields that are computed from other tables, by the statement that reads the records (schema.Computed).

// CollectProducts makes a query read the fields of products in sel.
func CollectProducts(ctx context.Context, q *ent.ProductQuery, sel *selection.Set) *ent.ProductQuery {
	q.Collect(sel)
	if sel.Has("inStock") {
		q.Modify(selectInStock(request.Of(ctx).Now))
	}
	return q
}

// selectInStock reads for each product whether a variant on sale is in stock. It selects one variant: with
// EXISTS in this place PostgreSQL may read all variants.
func selectInStock(at time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.AppendSelectExprAs(sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("(SELECT stocked.stock FROM variants AS stocked WHERE stocked.tenant_id = ").
				WriteString(s.C(product.FieldTenantID)).WriteString(" AND stocked.product_id = ").
				WriteString(s.C(product.FieldID)).WriteString(" AND stocked.listed_at <= ").Arg(at).
				WriteString(" AND stocked.stock > 0 LIMIT 1) IS NOT NULL")
		}), "in_stock")
	}
}

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
