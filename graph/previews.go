package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/graph/model"
	"storefront/internal/audit"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/selection"
	"storefront/internal/staff"
)

// Previews of records that need not be published (contract 3.6): how staff make them, and what their holders see.

// CreateProductPreview makes a preview of a product.
func (m mutationResolver) CreateProductPreview(
	ctx context.Context, _ uuid.UUID, slug string, seconds int,
) (*model.PreviewPayload, error) {
	found, err := m.r.Store.Product.Query().Where(product.Slug(catalog.LookupSlug(slug))).
		Select(product.FieldTitleFa, product.FieldTitleEn).Only(ctx)
	if err != nil {
		return nil, err
	}
	return m.preview(ctx, record.SlugProduct,
		audit.Change{ID: found.ID, Name: found.TitleFa, NameEn: found.TitleEn}, seconds)
}

// CreateUserProductPreview makes a preview of a listing.
func (m mutationResolver) CreateUserProductPreview(
	ctx context.Context, _ uuid.UUID, slug string, seconds int,
) (*model.PreviewPayload, error) {
	found, err := m.r.Store.UserProduct.Query().Where(userproduct.Slug(catalog.LookupSlug(slug))).
		Select(userproduct.FieldTitleFa, userproduct.FieldTitleEn, userproduct.FieldUserID).Only(ctx)
	if err != nil {
		return nil, err
	}
	return m.preview(ctx, record.SlugUserProduct,
		audit.Change{ID: found.ID, Name: found.TitleFa, NameEn: found.TitleEn, Customer: known(found.UserID)}, seconds)
}

// CreateBlogPreview makes a preview of a blog.
func (m mutationResolver) CreateBlogPreview(
	ctx context.Context, _ uuid.UUID, slug string, seconds int,
) (*model.PreviewPayload, error) {
	found, err := m.r.Store.Blog.Query().Where(blog.Slug(catalog.LookupSlug(slug))).
		Select(blog.FieldTitleFa, blog.FieldTitleEn).Only(ctx)
	if err != nil {
		return nil, err
	}
	return m.preview(ctx, record.SlugBlog,
		audit.Change{ID: found.ID, Name: found.TitleFa, NameEn: found.TitleEn}, seconds)
}

// CreatePortfolioPreview makes a preview of a portfolio.
func (m mutationResolver) CreatePortfolioPreview(
	ctx context.Context, _ uuid.UUID, slug string, seconds int,
) (*model.PreviewPayload, error) {
	found, err := m.r.Store.Portfolio.Query().Where(portfolio.Slug(catalog.LookupSlug(slug))).
		Select(portfolio.FieldTitleFa, portfolio.FieldTitleEn).Only(ctx)
	if err != nil {
		return nil, err
	}
	return m.preview(ctx, record.SlugPortfolio,
		audit.Change{ID: found.ID, Name: found.TitleFa, NameEn: found.TitleEn}, seconds)
}

// preview makes a preview of a record and returns its token and the time it expires.
func (m mutationResolver) preview(
	ctx context.Context, kind record.SlugKind, of audit.Change, seconds int,
) (*model.PreviewPayload, error) {
	text, expires, err := m.r.Links.Preview(ctx, kind, of, time.Duration(seconds)*time.Second)
	return &model.PreviewPayload{Preview: text, ExpiresAt: expires}, err
}

// previewed returns the record that a preview shows, if slug is its present or a former slug. read returns
// the record and that.
func previewed[R any](
	ctx context.Context, r *Resolver, t *ent.Tenant, kind record.SlugKind, slug, text string,
	read func(ctx context.Context, id uuid.UUID, asked *selection.Set) (found R, now string, err error),
) (found R, err error) {
	id, err := r.Links.Previewed(ctx, t.ID, kind, text)
	if err != nil {
		return found, err
	}
	found, now, err := read(catalog.InTenant(ctx, t.ID), id, selection.Of(ctx).And("slug", "tenant_id"))
	if ent.IsNotFound(err) {
		return found, staff.NoPreview()
	}
	if err != nil {
		return found, err
	}
	is, err := r.Catalog.WasCalled(ctx, t, kind, id, now, slug)
	if err == nil && !is {
		err = staff.NoPreview()
	}
	return found, err
}

func (r *Resolver) previewedProduct(ctx context.Context, t *ent.Tenant, slug, text string) (*ent.Product, error) {
	return previewed(ctx, r, t, record.SlugProduct, slug, text,
		func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.Product, string, error) {
			found, err := r.Store.Product.Query().Where(product.ID(id)).Collect(asked).Only(ctx)
			if err != nil {
				return nil, "", err
			}
			catalog.Preview(ctx, found)
			return found, found.Slug, nil
		})
}

func (r *Resolver) previewedUserProduct(
	ctx context.Context, t *ent.Tenant, slug, text string,
) (*ent.UserProduct, error) {
	return previewed(ctx, r, t, record.SlugUserProduct, slug, text,
		func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.UserProduct, string, error) {
			found, err := r.Store.UserProduct.Query().Where(userproduct.ID(id)).Collect(asked).Only(ctx)
			if err != nil {
				return nil, "", err
			}
			return found, found.Slug, nil
		})
}

func (r *Resolver) previewedBlog(ctx context.Context, t *ent.Tenant, slug, text string) (*ent.Blog, error) {
	return previewed(ctx, r, t, record.SlugBlog, slug, text,
		func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.Blog, string, error) {
			found, err := r.Store.Blog.Query().Where(blog.ID(id)).Collect(asked).
				Modify(catalog.SelectCommentCount(record.Blog, asked)).Only(ctx)
			if err != nil {
				return nil, "", err
			}
			return found, found.Slug, nil
		})
}

func (r *Resolver) previewedPortfolio(ctx context.Context, t *ent.Tenant, slug, text string) (*ent.Portfolio, error) {
	return previewed(ctx, r, t, record.SlugPortfolio, slug, text,
		func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.Portfolio, string, error) {
			found, err := r.Store.Portfolio.Query().Where(portfolio.ID(id)).Collect(asked).
				Modify(catalog.SelectCommentCount(record.Portfolio, asked)).Only(ctx)
			if err != nil {
				return nil, "", err
			}
			return found, found.Slug, nil
		})
}

// has reports whether an optional text is given: the empty one counts as absent.
func has(text *string) bool { return text != nil && *text != "" }

// known returns *id, or uuid.Nil if id is nil.
func known(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}
