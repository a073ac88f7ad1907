package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// WasCalled reports whether a slug is the present or a former slug of a record.
func (r *Catalog) WasCalled(
	ctx context.Context, t *ent.Tenant, kind record.SlugKind, id uuid.UUID, now, slug string,
) (bool, error) {
	if slug = search.Slug(slug); slug == now {
		return true, nil
	}
	former, err := r.idsByFormerSlug(tenancy.In(ctx, t.ID), kind, slug)
	return slices.Contains(former, id), err
}

// CategoryOf returns the category with a slug, or the one that had it before. It fails with ent.NotFoundError.
func (r *Catalog) CategoryOf(
	ctx context.Context, shop uuid.UUID, kind record.EntityType, slug string,
) (uuid.UUID, error) {
	ctx, slug = tenancy.In(ctx, shop), search.Slug(slug)
	id, err := r.Store.Category.Query().Where(category.EntityTypeEQ(kind), category.Slug(slug)).OnlyID(ctx)
	if !ent.IsNotFound(err) {
		return id, err
	}
	former, failed := r.idsByFormerSlug(ctx, record.SlugCategory(kind), slug)
	if failed != nil || len(former) == 0 {
		return uuid.Nil, cmp.Or(failed, err)
	}
	return former[0], nil
}

// Moved returns the error of a look-up by slug. If nothing was found but a public record had the slug before,
// the error names its present slug.
func (r *Catalog) Moved(ctx context.Context, t *ent.Tenant, kind record.SlugKind, slug string, err error) error {
	if !ent.IsNotFound(err) {
		return err
	}
	ctx = tenancy.In(ctx, t.ID)
	former, failed := r.idsByFormerSlug(ctx, kind, search.Slug(slug))
	if failed != nil || len(former) == 0 {
		return cmp.Or(failed, err)
	}
	to, failed := r.slugOf(ctx, kind, former[0])
	if ent.IsNotFound(failed) {
		return err
	}
	if failed != nil {
		return failed
	}
	return fault.Moved(err, to)
}

// MustBePublished fails with NOT_FOUND for a record that a tenant does not publish.
func (r *Catalog) MustBePublished(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, id uuid.UUID,
) error {
	_, err := r.slugOf(tenancy.In(ctx, tenant), record.SlugKind(kind), id) // both name these kinds alike
	return err
}

// slugOf returns the slug of a public record.
func (r *Catalog) slugOf(ctx context.Context, kind record.SlugKind, id uuid.UUID) (string, error) {
	switch kind {
	case record.SlugProduct:
		return r.PublishedProducts(ctx).Where(product.ID(id)).Select(product.FieldSlug).String(ctx)
	case record.SlugUserProduct:
		return r.PublishedUserProducts(ctx).Where(userproduct.ID(id)).Select(userproduct.FieldSlug).String(ctx)
	case record.SlugBlog:
		return r.PublishedBlogs(ctx).Where(blog.ID(id)).Select(blog.FieldSlug).String(ctx)
	case record.SlugPortfolio:
		return r.PublishedPortfolios(ctx).Where(portfolio.ID(id)).Select(portfolio.FieldSlug).String(ctx)
	case record.SlugBrand:
		return r.Store.Brand.Query().Where(brand.ID(id)).Select(brand.FieldSlug).String(ctx)
	}
	if _, ok := kind.Category(); !ok {
		return "", fmt.Errorf("catalog: no slugs of %q", kind)
	}
	return r.Store.Category.Query().Where(category.ID(id)).Select(category.FieldSlug).String(ctx)
}
