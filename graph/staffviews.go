package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/ent/variant"
	"storefront/internal/bundle"
	"storefront/internal/money"
	"storefront/internal/search"
)

// What staff see of a shop beyond what the public sees. These lists are read as they stand: nothing of them is kept.

// UpdateOffers changes stock and prices of many variants.
func (m mutationResolver) UpdateOffers(
	ctx context.Context, businessID uuid.UUID, input []map[string]any,
) (*MessagePayload, error) {
	offers := bundle.Offers{Action: "updateOffers", Variants: input, Now: requestTime(ctx)}
	return &MessagePayload{Message: "They are changed."}, offers.Apply(ctx, m.store, businessID)
}

// stretchOf is the part of a list that a page shows.
func stretchOf(page, pageSize int) (offset, limit int) {
	limit = min(pageSize, maxPageSize)
	return min(page-1, 1<<20) * limit, limit
}

// AuditLog is what staff changed, newest first.
func (q queryResolver) AuditLog(
	ctx context.Context, businessID uuid.UUID, page, pageSize int, recordID *uuid.UUID, action *string,
) (*AuditPage, error) {
	found := q.store.AuditEntry.Query().Where(auditentry.BusinessID(businessID))
	if recordID != nil {
		found.Where(auditentry.RecordID(*recordID))
	}
	if action != nil {
		found.Where(auditentry.Action(*action))
	}
	total, err := found.Clone().Count(ctx)
	if err != nil {
		return nil, err
	}
	offset, limit := stretchOf(page, pageSize)
	items, err := found.Order(auditentry.ByCreatedAt(sql.OrderDesc()), auditentry.ByID(sql.OrderDesc())).
		Offset(offset).Limit(limit).All(ctx)
	return &AuditPage{Items: items, Total: total, Page: page, PageSize: limit}, err
}

// StaffRecords are the products, listings, blogs or portfolios of a shop in every status, newest first.
func (q queryResolver) StaffRecords(
	ctx context.Context, businessID uuid.UUID, kind StaffRecordKind, page, pageSize int, status *ListingStatus, name *string,
) (*StaffRecordPage, error) {
	narrow := func(s *sql.Selector) {
		if status != nil {
			s.Where(sql.EQ(s.C("status"), string(*status)))
		}
		containsAll(s, name)
	}
	offset, limit := stretchOf(page, pageSize)
	shown := &StaffRecordPage{Items: []*StaffRecord{}, Page: page, PageSize: limit}
	add := func(id uuid.UUID, slug, titleFa string, titleEn *string, status string, at, updated time.Time) {
		shown.Items = append(shown.Items, &StaffRecord{ID: id, Slug: slug, TitleFa: titleFa, TitleEn: titleEn,
			Status: ListingStatus(status), PublishedAt: at, Version: bundle.VersionOf(updated)})
	}
	var err error
	switch kind {
	case StaffRecordKindProduct:
		all := q.store.Product.Query().Where(narrow)
		if shown.Total, err = all.Clone().Count(ctx); err != nil {
			return nil, err
		}
		rows, err := all.Order(newestMade).Offset(offset).Limit(limit).All(ctx)
		for _, r := range rows {
			add(r.ID, r.Slug, r.TitleFa, r.TitleEn, string(r.Status), r.PublishedAt, r.UpdatedAt)
		}
		return shown, err
	case StaffRecordKindUserProduct:
		all := q.store.UserProduct.Query().Where(narrow)
		if shown.Total, err = all.Clone().Count(ctx); err != nil {
			return nil, err
		}
		rows, err := all.Order(newestMade).Offset(offset).Limit(limit).All(ctx)
		for _, r := range rows {
			add(r.ID, r.Slug, r.TitleFa, r.TitleEn, string(r.Status), r.PublishedAt, r.UpdatedAt)
		}
		return shown, err
	case StaffRecordKindBlog:
		all := q.store.Blog.Query().Where(narrow)
		if shown.Total, err = all.Clone().Count(ctx); err != nil {
			return nil, err
		}
		rows, err := all.Order(newestMade).Offset(offset).Limit(limit).All(ctx)
		for _, r := range rows {
			add(r.ID, r.Slug, r.TitleFa, r.TitleEn, string(r.Status), r.PublishedAt, r.UpdatedAt)
		}
		return shown, err
	default:
		all := q.store.Portfolio.Query().Where(narrow)
		if shown.Total, err = all.Clone().Count(ctx); err != nil {
			return nil, err
		}
		rows, err := all.Order(newestMade).Offset(offset).Limit(limit).All(ctx)
		for _, r := range rows {
			add(r.ID, r.Slug, r.TitleFa, r.TitleEn, string(r.Status), r.PublishedAt, r.UpdatedAt)
		}
		return shown, err
	}
}

// StaffVariants are the variants of a shop, on sale or not, with their stock, least first.
func (q queryResolver) StaffVariants(
	ctx context.Context, businessID uuid.UUID, page, pageSize int, maxStock *int, name *string,
) (*StaffVariantPage, error) {
	all := q.store.Variant.Query().Where(func(s *sql.Selector) {
		if maxStock != nil {
			s.Where(sql.LTE(s.C(variant.FieldStock), *maxStock))
		}
		if name != nil {
			for _, piece := range search.Pieces(*name) {
				s.Where(holds(s.C(variant.FieldSkuText), piece))
			}
		}
	})
	total, err := all.Clone().Count(ctx)
	if err != nil {
		return nil, err
	}
	offset, limit := stretchOf(page, pageSize)
	rows, err := all.WithProduct().Order(variant.ByStock(), variant.ByID()).Offset(offset).Limit(limit).All(ctx)
	shown := &StaffVariantPage{Items: []*StaffVariant{}, Total: total, Page: page, PageSize: limit}
	for _, r := range rows {
		one := &StaffVariant{ID: r.ID, Sku: r.Sku, ProductSlug: r.Edges.Product.Slug, TitleFa: r.Edges.Product.TitleFa,
			Stock: r.Stock, OnSale: r.OnSale, PriceCurrency: r.PriceCurrency}
		if r.Price != nil {
			one.Price = &money.Amount{Minor: *r.Price, Currency: r.PriceCurrency}
		}
		shown.Items = append(shown.Items, one)
	}
	return shown, err
}

// newestMade orders records by when they were made.
func newestMade(s *sql.Selector) { s.OrderBy(sql.Desc(s.C("created_at")), sql.Desc(s.C("id"))) }

// containsAll narrows records to those whose searched columns have all words of a text.
func containsAll(s *sql.Selector, text *string) {
	if text == nil {
		return
	}
	for _, piece := range search.Pieces(*text) {
		s.Where(holds(s.C("search_text"), piece))
	}
}
