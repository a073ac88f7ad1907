package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/bundle"
	"storefront/internal/catalog"
	"storefront/internal/search"
)

// staffRecords returns the products, listings, blogs or portfolios of a shop in every status, newest first.
func (r *Resolver) staffRecords(
	business uuid.UUID, kind model.StaffRecordKind, status *model.ListingStatus, name *string,
) catalog.List[*model.StaffRecord] {
	narrow := func(s *sql.Selector) {
		if status != nil {
			s.Where(sql.EQ(s.C("status"), string(*status)))
		}
		search.HoldsAll(s, "search_text", name)
	}
	read, count := r.staffProducts(narrow)
	switch kind {
	case model.StaffRecordKindUserProduct:
		read, count = r.staffUserProducts(narrow)
	case model.StaffRecordKindBlog:
		read, count = r.staffBlogs(narrow)
	case model.StaffRecordKindPortfolio:
		read, count = r.staffPortfolios(narrow)
	}
	return catalog.ShopList(business, catalog.NewestMade("staffRecords."+string(kind)), read, count,
		func(one *model.StaffRecord) (time.Time, uuid.UUID) { return one.CreatedAt, one.ID })
}

// reading and counting read a page of staffRecords and count them.
type (
	reading  = func(ctx context.Context, part catalog.Span) ([]*model.StaffRecord, error)
	counting = func(ctx context.Context) (int, error)
)

func (r *Resolver) staffProducts(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.ProductQuery { return r.Store.Product.Query().Where(narrow) }
	return func(ctx context.Context, part catalog.Span) ([]*model.StaffRecord, error) {
		rows, err := found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit).All(ctx)
		return seenByStaff(rows, func(p *ent.Product) model.StaffRecord {
			return model.StaffRecord{ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa, TitleEn: p.TitleEn,
				Status:      model.ListingStatus(p.Status),
				PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, Version: bundle.VersionOf(p.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

func (r *Resolver) staffUserProducts(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.UserProductQuery { return r.Store.UserProduct.Query().Where(narrow) }
	return func(ctx context.Context, part catalog.Span) ([]*model.StaffRecord, error) {
		rows, err := found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit).All(ctx)
		return seenByStaff(rows, func(p *ent.UserProduct) model.StaffRecord {
			return model.StaffRecord{ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa, TitleEn: p.TitleEn,
				Status:      model.ListingStatus(p.Status),
				PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, Version: bundle.VersionOf(p.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

func (r *Resolver) staffBlogs(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.BlogQuery { return r.Store.Blog.Query().Where(narrow) }
	return func(ctx context.Context, part catalog.Span) ([]*model.StaffRecord, error) {
		rows, err := found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit).All(ctx)
		return seenByStaff(rows, func(b *ent.Blog) model.StaffRecord {
			return model.StaffRecord{ID: b.ID, Slug: b.Slug, TitleFa: b.TitleFa, TitleEn: b.TitleEn,
				Status:      model.ListingStatus(b.Status),
				PublishedAt: b.PublishedAt, CreatedAt: b.CreatedAt, Version: bundle.VersionOf(b.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

func (r *Resolver) staffPortfolios(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.PortfolioQuery { return r.Store.Portfolio.Query().Where(narrow) }
	return func(ctx context.Context, part catalog.Span) ([]*model.StaffRecord, error) {
		rows, err := found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit).All(ctx)
		return seenByStaff(rows, func(p *ent.Portfolio) model.StaffRecord {
			return model.StaffRecord{ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa, TitleEn: p.TitleEn,
				Status:      model.ListingStatus(p.Status),
				PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, Version: bundle.VersionOf(p.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

// seenByStaff shows rows as staff see them.
func seenByStaff[R any](rows []R, show func(R) model.StaffRecord) []*model.StaffRecord {
	shown := make([]*model.StaffRecord, len(rows))
	for i, r := range rows {
		one := show(r)
		shown[i] = &one
	}
	return shown
}
