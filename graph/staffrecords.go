package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/content/stored"
	"storefront/internal/list"
	"storefront/internal/locale/search"
)

func (q queryResolver) StaffRecordsConnection(
	ctx context.Context, businessID uuid.UUID, kind api.StaffRecordKind, window list.Window,
	status *api.ListingStatus, name *string,
) (*api.StaffRecordConnection, error) {
	narrow := func(s *sql.Selector) {
		if status != nil {
			s.Where(sql.EQ(s.C("status"), string(*status)))
		}
		findRecords(s, businessID, name)
	}
	read := func(ctx context.Context, part list.Span) ([]*api.StaffRecord, error) {
		scan, _ := q.r.staffRows(kind, func(s *sql.Selector) { narrow(s); part.Part(s) })
		var rows []*staffRow
		err := scan(ctx, &rows)
		shown := make([]*api.StaffRecord, len(rows))
		for i, r := range rows {
			shown[i] = &api.StaffRecord{ID: r.ID, Slug: r.Slug, TitleFa: r.TitleFa, TitleEn: r.TitleEn,
				Status: r.Status, PublishedAt: r.PublishedAt, CreatedAt: r.CreatedAt,
				Version: stored.VersionOf(r.UpdatedAt)}
		}
		return shown, err
	}
	_, count := q.r.staffRows(kind, narrow)
	return list.Walk(ctx, list.ShopList(businessID, list.NewestMade("staffRecords."+string(kind)), read, count,
		func(one *api.StaffRecord) (time.Time, uuid.UUID) { return one.CreatedAt, one.ID }),
		window, list.DefaultSizeLarge)
}

// findRecords selects the records of a shop that match a search by staff: each word occurs in a title or, for
// products, in the SKU of a variant.
func findRecords(s *sql.Selector, shop uuid.UUID, query *string) {
	search.FindsAll(s, query, func(piece string) *sql.Predicate {
		titled := search.Holds(s.C("search_text"), piece)
		if s.TableName() != product.Table {
			return titled
		}
		v := sql.Table(variant.Table)
		return sql.Or(titled, sql.In(s.C(product.FieldID), sql.Select(v.C(variant.FieldProductID)).From(v).Where(
			sql.And(sql.EQ(v.C(variant.FieldTenantID), shop),
				sql.GT(v.C(variant.FieldSkuText), ""), // makes SQLite use the index of SKUs
				search.Holds(v.C(variant.FieldSkuText), piece)))))
	})
}

// staffRow has the columns that products, listings, blogs and portfolios have in common.
type staffRow struct {
	ID          uuid.UUID         `sql:"id"`
	Slug        string            `sql:"slug"`
	TitleFa     string            `sql:"title_fa"`
	TitleEn     *string           `sql:"title_en"`
	Status      api.ListingStatus `sql:"status"`
	PublishedAt time.Time         `sql:"published_at"`
	CreatedAt   time.Time         `sql:"created_at"`
	UpdatedAt   time.Time         `sql:"updated_at"`
	UserID      *uuid.UUID        `sql:"user_id"` // of listings
}

// staffRows returns functions that read the rows of a kind, into a slice of *staffRow, and count them.
func (r *Resolver) staffRows(
	kind api.StaffRecordKind, where func(*sql.Selector),
) (scan func(context.Context, any) error, count func(context.Context) (int, error)) {
	columns := []string{"id", "slug", "title_fa", "title_en", "status", "published_at", "created_at", "updated_at"}
	switch kind {
	case api.StaffRecordKindUserProduct:
		rows := r.Store.UserProduct.Query
		return rows().Where(where).Select(append(columns, "user_id")...).Scan, rows().Where(where).Count
	case api.StaffRecordKindBlog:
		rows := r.Store.Blog.Query
		return rows().Where(where).Select(columns...).Scan, rows().Where(where).Count
	case api.StaffRecordKindPortfolio:
		rows := r.Store.Portfolio.Query
		return rows().Where(where).Select(columns...).Scan, rows().Where(where).Count
	}
	rows := r.Store.Product.Query
	return rows().Where(where).Select(columns...).Scan, rows().Where(where).Count
}
