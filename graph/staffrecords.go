package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/bundle"
)

// staffRecords are the products, listings, blogs or portfolios of a shop in every status, newest first.
func (r *Resolver) staffRecords(
	business uuid.UUID, kind StaffRecordKind, status *ListingStatus, name *string,
) list[*StaffRecord] {
	narrow := func(s *sql.Selector) {
		if status != nil {
			s.Where(sql.EQ(s.C("status"), string(*status)))
		}
		holdsAll(s, "search_text", name)
	}
	read, count := r.staffProducts(narrow)
	switch kind {
	case StaffRecordKindUserProduct:
		read, count = r.staffUserProducts(narrow)
	case StaffRecordKindBlog:
		read, count = r.staffBlogs(narrow)
	case StaffRecordKindPortfolio:
		read, count = r.staffPortfolios(narrow)
	}
	return shopList(business, newestMade("staffRecords."+string(kind)), read, count,
		func(one *StaffRecord) (time.Time, uuid.UUID) { return one.CreatedAt, one.ID })
}

// reading and counting are how a list of staffRecords is read.
type (
	reading  = func(ctx context.Context, part stretch) ([]*StaffRecord, error)
	counting = func(ctx context.Context) (int, error)
)

func (r *Resolver) staffProducts(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.ProductQuery { return r.store.Product.Query().Where(narrow) }
	return func(ctx context.Context, part stretch) ([]*StaffRecord, error) {
		rows, err := found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(ctx)
		return seenByStaff(rows, func(p *ent.Product) StaffRecord {
			return StaffRecord{ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa, TitleEn: p.TitleEn, Status: ListingStatus(p.Status),
				PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, Version: bundle.VersionOf(p.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

func (r *Resolver) staffUserProducts(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.UserProductQuery { return r.store.UserProduct.Query().Where(narrow) }
	return func(ctx context.Context, part stretch) ([]*StaffRecord, error) {
		rows, err := found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(ctx)
		return seenByStaff(rows, func(p *ent.UserProduct) StaffRecord {
			return StaffRecord{ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa, TitleEn: p.TitleEn, Status: ListingStatus(p.Status),
				PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, Version: bundle.VersionOf(p.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

func (r *Resolver) staffBlogs(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.BlogQuery { return r.store.Blog.Query().Where(narrow) }
	return func(ctx context.Context, part stretch) ([]*StaffRecord, error) {
		rows, err := found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(ctx)
		return seenByStaff(rows, func(b *ent.Blog) StaffRecord {
			return StaffRecord{ID: b.ID, Slug: b.Slug, TitleFa: b.TitleFa, TitleEn: b.TitleEn, Status: ListingStatus(b.Status),
				PublishedAt: b.PublishedAt, CreatedAt: b.CreatedAt, Version: bundle.VersionOf(b.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

func (r *Resolver) staffPortfolios(narrow func(*sql.Selector)) (reading, counting) {
	found := func() *ent.PortfolioQuery { return r.store.Portfolio.Query().Where(narrow) }
	return func(ctx context.Context, part stretch) ([]*StaffRecord, error) {
		rows, err := found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(ctx)
		return seenByStaff(rows, func(p *ent.Portfolio) StaffRecord {
			return StaffRecord{ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa, TitleEn: p.TitleEn, Status: ListingStatus(p.Status),
				PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, Version: bundle.VersionOf(p.UpdatedAt)}
		}), err
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) }
}

// seenByStaff shows rows as staff see them.
func seenByStaff[R any](rows []R, show func(R) StaffRecord) []*StaffRecord {
	shown := make([]*StaffRecord, len(rows))
	for i, r := range rows {
		one := show(r)
		shown[i] = &one
	}
	return shown
}
