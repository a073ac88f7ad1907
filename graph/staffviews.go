package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/staffmember"
	"storefront/ent/variant"
	"storefront/graph/exec"
	"storefront/internal/api"
	"storefront/internal/content/stored"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/record"
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
	return list.Walk(ctx, list.RowList(businessID, list.NewestMade("auditLog"),
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
		shown := make([]*api.StaffVariant, len(rows))
		for i, v := range rows {
			shown[i] = &api.StaffVariant{ID: v.ID, Sku: v.Sku, ProductSlug: v.Edges.Product.Slug,
				TitleFa: v.Edges.Product.TitleFa, TitleEn: v.Edges.Product.TitleEn,
				Stock: v.Stock, LowStockAt: v.LowStockAt, Low: v.Stock <= record.LowAt(v.LowStockAt),
				OnSale: v.OnSale, PriceCurrency: v.PriceCurrency,
				Price: v.PriceAmount(), PriceMoney: v.PriceAmount(),
				CompareAtPrice: v.CompareAtAmount(), CompareAtPriceMoney: v.CompareAtAmount(),
				IsFestival: v.IsFestival, MaxOrderQuantity: v.MaxOrderQuantity,
				Version: stored.VersionOf(v.Edges.Product.UpdatedAt), CreatedAt: v.CreatedAt}
		}
		return shown, err
	}
	return list.Walk(ctx, list.ShopList(businessID, list.NewestMade("staffVariants"), read,
		func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(v *api.StaffVariant) (time.Time, uuid.UUID) { return v.CreatedAt, v.ID }),
		window, list.DefaultSizeLarge)
}
