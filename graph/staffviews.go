package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/audit"
	"storefront/internal/bundle"
	"storefront/internal/money"
)

// What staff see of a shop beyond what the public sees.

// UpdateOffers changes stock and prices of many variants.
func (m mutationResolver) UpdateOffers(
	ctx context.Context, businessID uuid.UUID, input []map[string]any,
) (*MessagePayload, error) {
	offers := bundle.Offers{Action: "updateOffers", Variants: input, Now: requestTime(ctx)}
	return &MessagePayload{Message: "They are changed."}, offers.Apply(ctx, m.r.store, businessID)
}

// auditLog is what staff changed, newest first.
func (r *Resolver) auditLog(business uuid.UUID, filter audit.Filter) list[*ent.AuditEntry] {
	found := func() *ent.AuditEntryQuery { return filter.Entries(r.store, business) }
	return shopList(business, newestMade("auditLog"), func(ctx context.Context, part stretch) ([]*ent.AuditEntry, error) {
		return found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(ctx)
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(e *ent.AuditEntry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}

// AuditLog is a page of what staff changed, newest first.
func (q queryResolver) AuditLog(
	_ context.Context, businessID uuid.UUID, page, pageSize int,
	record *uuid.UUID, action *string, by, customer *uuid.UUID, from, until *time.Time,
) (*AuditPage, error) {
	filter := audit.Filter{Record: record, Action: action, By: by, Customer: customer, From: from, Until: until}
	return shopPage(q.r.auditLog(businessID, filter), page, pageSize)
}

// AuditLogConnection walks what staff changed, newest first.
func (q queryResolver) AuditLogConnection(
	ctx context.Context, businessID uuid.UUID, first *int, after *string, last *int, before *string,
	record *uuid.UUID, action *string, by, customer *uuid.UUID, from, until *time.Time,
) (*AuditEntryConnection, error) {
	filter := audit.Filter{Record: record, Action: action, By: by, Customer: customer, From: from, Until: until}
	window := window{first: first, last: last, after: after, before: before}
	return walk(ctx, q.r.auditLog(businessID, filter), window, defaultSizeLarge)
}

// StaffRecords is a page of the products, listings, blogs or portfolios of a shop in every status, newest first.
func (q queryResolver) StaffRecords(
	_ context.Context, businessID uuid.UUID, kind StaffRecordKind, page, pageSize int, status *ListingStatus, name *string,
) (*StaffRecordPage, error) {
	return shopPage(q.r.staffRecords(businessID, kind, status, name), page, pageSize)
}

// StaffRecordsConnection walks the products, listings, blogs or portfolios of a shop in every status, newest first.
func (q queryResolver) StaffRecordsConnection(
	ctx context.Context, businessID uuid.UUID, kind StaffRecordKind, first *int, after *string, last *int, before *string,
	status *ListingStatus, name *string,
) (*StaffRecordConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	return walk(ctx, q.r.staffRecords(businessID, kind, status, name), window, defaultSizeLarge)
}

// staffVariantFilter is what a list of a shop's variants is narrowed by.
type staffVariantFilter struct {
	maxStock *int
	name     *string
}

func (f staffVariantFilter) narrow(s *sql.Selector) {
	if f.maxStock != nil {
		s.Where(sql.LTE(s.C(variant.FieldStock), *f.maxStock))
	}
	holdsAll(s, variant.FieldSkuText, f.name)
}

// staffVariants are the variants of a shop, on sale or not, with their stock.
func (r *Resolver) staffVariants(business uuid.UUID, o order, filter staffVariantFilter) list[*StaffVariant] {
	found := func() *ent.VariantQuery { return r.store.Variant.Query().Where(filter.narrow) }
	return shopList(business, o, func(ctx context.Context, part stretch) ([]*StaffVariant, error) {
		rows, err := found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).
			WithProduct().All(ctx)
		shown := make([]*StaffVariant, len(rows))
		for i, v := range rows {
			shown[i] = &StaffVariant{ID: v.ID, Sku: v.Sku, ProductSlug: v.Edges.Product.Slug, TitleFa: v.Edges.Product.TitleFa,
				Stock: v.Stock, OnSale: v.OnSale, PriceCurrency: v.PriceCurrency, CreatedAt: v.CreatedAt}
			if v.Price != nil {
				shown[i].Price = &money.Amount{Minor: *v.Price, Currency: v.PriceCurrency}
				shown[i].PriceMoney = shown[i].Price
			}
		}
		return shown, err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(v *StaffVariant) (time.Time, uuid.UUID) { return v.CreatedAt, v.ID })
}

// StaffVariants is a page of the variants of a shop, those with the least stock first.
func (q queryResolver) StaffVariants(
	_ context.Context, businessID uuid.UUID, page, pageSize int, maxStock *int, name *string,
) (*StaffVariantPage, error) {
	leastFirst := newestMade("staffVariants.stock")
	leastFirst.key, leastFirst.ascending = variant.FieldStock, true
	return shopPage(q.r.staffVariants(businessID, leastFirst, staffVariantFilter{maxStock, name}), page, pageSize)
}

// StaffVariantsConnection walks the variants of a shop, newest first: their stock changes meanwhile.
func (q queryResolver) StaffVariantsConnection(
	ctx context.Context, businessID uuid.UUID, first *int, after *string, last *int, before *string,
	maxStock *int, name *string,
) (*StaffVariantConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	filter := staffVariantFilter{maxStock, name}
	return walk(ctx, q.r.staffVariants(businessID, newestMade("staffVariants"), filter), window, defaultSizeLarge)
}
