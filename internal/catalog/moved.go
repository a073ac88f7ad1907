package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/movedslug"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// withMoved returns the records with the given slugs, and for slugs without a record those that had them
// before.
func (r *Catalog) withMoved(
	ctx context.Context, t *ent.Tenant, kind record.SlugKind, slugs []string, named map[string]uuid.UUID,
) (ids []uuid.UUID, err error) {
	var others []string
	for _, slug := range slugs {
		if id, ok := named[slug]; ok {
			ids = append(ids, id)
		} else {
			others = append(others, slug)
		}
	}
	if len(others) == 0 {
		return ids, nil
	}
	moved, err := r.store.MovedSlug.Query().Where(movedslug.Kind(string(kind)), movedslug.SlugIn(others...)).
		Select(movedslug.FieldRecordID).All(InTenant(ctx, t.ID))
	for _, one := range moved {
		ids = append(ids, one.RecordID)
	}
	return ids, err
}

// CategoryOf returns the category with a slug, or the one that had it before. It fails with
// ent.NotFoundError.
func (r *Catalog) CategoryOf(
	ctx context.Context, shop uuid.UUID, kind record.EntityType, slug string,
) (uuid.UUID, error) {
	ctx, slug = InTenant(ctx, shop), LookupSlug(slug)
	id, err := r.store.Category.Query().Where(category.EntityTypeEQ(kind), category.Slug(slug)).OnlyID(ctx)
	if !ent.IsNotFound(err) {
		return id, err
	}
	was, err := r.store.MovedSlug.Query().
		Where(movedslug.Kind(string(record.SlugCategory(kind))), movedslug.Slug(slug)).
		Select(movedslug.FieldRecordID).Only(ctx)
	if err != nil {
		return uuid.Nil, err
	}
	return was.RecordID, nil
}

// Moved returns the error of a look-up by slug. If nothing was found but a public record had the slug before,
// the error names its present slug.
func (r *Catalog) Moved(ctx context.Context, t *ent.Tenant, kind record.SlugKind, slug string, err error) error {
	if !ent.IsNotFound(err) {
		return err
	}
	ctx = InTenant(ctx, t.ID)
	was, failed := r.store.MovedSlug.Query().Where(movedslug.Kind(string(kind)), movedslug.Slug(LookupSlug(slug))).
		Select(movedslug.FieldRecordID).Only(ctx)
	if ent.IsNotFound(failed) {
		return err
	}
	if failed != nil {
		return failed
	}
	to, failed := r.slugOf(ctx, kind, was.RecordID)
	if ent.IsNotFound(failed) {
		return err
	}
	if failed != nil {
		return failed
	}
	return fault.Moved(err, to)
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
		return r.store.Brand.Query().Where(brand.ID(id)).Select(brand.FieldSlug).String(ctx)
	}
	if _, ok := kind.Category(); !ok {
		return "", fmt.Errorf("catalog: no slugs of %q", kind)
	}
	return r.store.Category.Query().Where(category.ID(id)).Select(category.FieldSlug).String(ctx)
}
