package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/staffmember"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/graph/exec"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/element"
	"storefront/internal/content/stored"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/report"
	"storefront/internal/shop/staff"
)

// What staff see of a shop beyond what the public sees.

// IsMutation reports whether the schema has a mutation with the name.
func IsMutation(name string) bool { return exec.PublicSchema().Mutation.Fields.ForName(name) != nil }

// User returns the person who made each change, if they work for the shop, or as operators for the service.
// All entries are of one business, or of none.
func (r auditEntryResolver) User(ctx context.Context, entries []*ent.AuditEntry) ([]*ent.User, error) {
	at := staffmember.BusinessIDIsNil()
	if shop := entries[0].BusinessID; shop != nil { // it may not see the numbers of operators and former staff
		at = staffmember.BusinessID(*shop)
	}
	return referred(entries, func(e *ent.AuditEntry) *uuid.UUID { return e.UserID },
		func(ids []uuid.UUID) (map[uuid.UUID]*ent.User, error) {
			found, err := r.r.Store.StaffMember.Query().Where(staffmember.UserIDIn(ids...), at).WithUser().All(ctx)
			by := map[uuid.UUID]*ent.User{}
			for _, m := range found {
				by[m.UserID] = m.Edges.User
			}
			return by, err
		})
}

func (q queryResolver) AuditLogConnection(
	ctx context.Context, filter staff.AuditFilter, businessID uuid.UUID, window list.Window,
) (*api.AuditEntryConnection, error) {
	if err := filter.Check(IsMutation); err != nil {
		return nil, err
	}
	return list.NewConnection(ctx, list.RowList(businessID, list.NewestMade("auditLog"),
		func() *ent.AuditEntryQuery { return filter.Entries(q.r.Store, businessID) },
		func(e *ent.AuditEntry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID }), window, list.DefaultSizeLarge)
}

// narrowVariants narrows a list of a shop's variants.
func narrowVariants(f api.StaffVariantArguments, s *sql.Selector) {
	if f.MaxStock != nil {
		s.Where(sql.LTE(s.C(variant.FieldStock), *f.MaxStock))
	}
	if f.Low != nil {
		few := sql.P(func(b *sql.Builder) {
			b.Ident(s.C(variant.FieldStock)).WriteString(" <= COALESCE(").Ident(s.C(variant.FieldLowStockAt)).
				WriteString(", ").Arg(record.LowStock).WriteByte(')')
		})
		if !*f.Low {
			few = sql.Not(few)
		}
		s.Where(few)
	}
	if f.Skus != nil {
		variant.SkuIn(f.Skus...)(s)
	}
	search.HoldsAll(s, variant.FieldSearchText, f.Name)
}

// StaffVariantsConnection pages through the variants of a shop, on sale or not, newest first; not by stock, which
// changes while it is paged through.
func (q queryResolver) StaffVariantsConnection(
	ctx context.Context, filter api.StaffVariantArguments, businessID uuid.UUID, window list.Window,
) (*api.StaffVariantConnection, error) {
	found := func() *ent.VariantQuery {
		return q.r.Store.Variant.Query().Where(func(s *sql.Selector) { narrowVariants(filter, s) })
	}
	read := func(ctx context.Context, part list.Span) ([]*api.StaffVariant, error) {
		rows, err := found().Where(part.Part).WithProduct().All(ctx)
		return convert.All(rows, func(v *ent.Variant) *api.StaffVariant {
			return &api.StaffVariant{ID: v.ID, Sku: v.Sku, ProductSlug: v.Edges.Product.Slug,
				TitleFa: v.Edges.Product.TitleFa, TitleEn: v.Edges.Product.TitleEn,
				Stock: v.Stock, LowStockAt: v.LowStockAt, Low: v.Stock <= record.LowAt(v.LowStockAt),
				OnSale: v.OnSale, PriceCurrency: v.PriceCurrency,
				Price: v.PriceAmount(), PriceMoney: v.PriceAmount(),
				CompareAtPrice: v.CompareAtAmount(), CompareAtPriceMoney: v.CompareAtAmount(),
				IsFestival: v.IsFestival, MaxOrderQuantity: v.MaxOrderQuantity,
				Version: stored.VersionOf(v.Edges.Product.UpdatedAt), CreatedAt: v.CreatedAt}
		}), err
	}
	return list.NewConnection(ctx, list.ShopList(businessID, list.NewestMade("staffVariants"), read,
		func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(v *api.StaffVariant) (time.Time, uuid.UUID) { return v.CreatedAt, v.ID }),
		window, list.DefaultSizeLarge)
}

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
		return convert.All(rows, func(r *staffRow) *api.StaffRecord {
			return &api.StaffRecord{ID: r.ID, Slug: r.Slug, TitleFa: r.TitleFa, TitleEn: r.TitleEn,
				Status: r.Status, PublishedAt: r.PublishedAt, CreatedAt: r.CreatedAt,
				Version: stored.VersionOf(r.UpdatedAt)}
		}), err
	}
	_, count := q.r.staffRows(kind, narrow)
	return list.NewConnection(ctx, list.ShopList(businessID, list.NewestMade("staffRecords."+string(kind)), read, count,
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

func (q queryResolver) StaffListing(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*api.StaffListing, error) {
	query := q.r.Store.UserProduct.Query().Where(userproduct.Slug(search.Slug(slug)))
	found, err := collectListing(query, selection.Of(ctx, "listing")).Only(ctx)
	if err != nil {
		return nil, q.r.nowCalled(ctx, record.SlugUserProduct, slug, err)
	}
	shown := &api.StaffListing{Version: stored.VersionOf(found.UpdatedAt),
		Status: api.ListingStatus(found.Status), Listing: found}
	shown.By, _ = request.StaffOf(ctx)
	if shown.OtherValues, err = q.r.otherValues(ctx, businessID, found.CategoryID, found.Values); err != nil {
		return nil, err
	}
	if found.UserID != nil {
		shown.Customer, err = q.r.customer(ctx, businessID, *found.UserID)
	}
	return shown, ent.MaskNotFound(err)
}

func (q queryResolver) StaffProduct(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*api.StaffProduct, error) {
	found, err := catalog.CollectProducts(ctx, q.r.Store.Product.Query().Where(product.Slug(search.Slug(slug))),
		selection.Of(ctx, "product").And("tenant_id", "status", "updated_at", "values", "category_id")).Only(ctx)
	if err != nil {
		return nil, q.r.nowCalled(ctx, record.SlugProduct, slug, err)
	}
	others, err := q.r.otherValues(ctx, businessID, found.CategoryID, found.Values)
	return &api.StaffProduct{Version: stored.VersionOf(found.UpdatedAt),
		Status: api.ListingStatus(found.Status), Product: found,
		OtherValues: others}, err
}

// nowCalled adds the record's present slug to the error of a look-up by a former slug.
func (r *Resolver) nowCalled(ctx context.Context, kind record.SlugKind, slug string, err error) error {
	return stored.NowCalled(ctx, r.Store, kind, search.Slug(slug), err)
}

// otherValues returns the technical values of a record that the form of its category would refuse now.
func (r *Resolver) otherValues(
	ctx context.Context, tenant uuid.UUID, category *uuid.UUID, values record.Values,
) ([]*element.TechnicalAnswer, error) {
	forms, err := r.Catalog.Forms(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var form *record.Form
	if category != nil {
		form = forms[*category]
	}
	return list.Pointers(element.OtherValues(values, form)), nil
}

func (q queryResolver) ShopReport(
	ctx context.Context, request report.Request, businessID uuid.UUID,
) (*report.Report, error) {
	selected := selection.Of(ctx)
	request.Products, request.Categories = selected.Has("products"), selected.Has("categories")
	request.Provinces, request.Carts = selected.Has("provinces"), selected.Has("cartsLeft")
	return q.r.Reports.Of(ctx, businessID, request)
}
