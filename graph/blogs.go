package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// Blogs returns a page of a shop's published blogs, newest first.
func (r tenantResolver) Blogs(
	ctx context.Context, t *ent.Tenant, asked catalog.BlogArguments, page, pageSize int,
) (*catalog.BlogPage, error) {
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	shown := catalog.PageOf(r.r.Catalog.Blogs(filter), page, pageSize)
	return &shown, nil
}

// BlogsConnection pages through a shop's published blogs, newest first.
func (r tenantResolver) BlogsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.BlogArguments,
	first *int, after *string, last *int, before *string,
) (*catalog.BlogConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	filter, err := asked.Filter(ctx, r.r.Catalog, t)
	if err != nil {
		return nil, err
	}
	return catalog.Walk(ctx, r.r.Catalog.Blogs(filter), window, catalog.DefaultSize)
}

// Blog returns a published blog of a shop, or one that is previewed.
func (r tenantResolver) Blog(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Blog, error) {
	if has(preview) {
		return r.r.previewedBlog(ctx, t, slug, *preview)
	}
	one, err := r.r.Catalog.PublishedBlogs(ctx).Where(blog.Slug(catalog.LookupSlug(slug))).
		Collect(selection.Of(ctx)).Modify(catalog.SelectCommentCount(record.Blog, selection.Of(ctx))).
		Only(catalog.InTenant(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugBlog, slug, err)
}

// Comments returns the approved comments on each blog.
func (r blogResolver) Comments(ctx context.Context, blogs []*ent.Blog) ([][]*ent.Comment, error) {
	return catalog.LoadForSiblings(ctx, blogs, func(blogs []*ent.Blog) ([][]*ent.Comment, error) {
		ids := catalog.IDsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.r.Catalog.CommentsOn(ctx, blogs[0].TenantID, record.Blog, ids, 0)
	})
}

// CommentsConnection pages through the approved comments on each blog.
func (r blogResolver) CommentsConnection(
	ctx context.Context, blogs []*ent.Blog, first *int, after *string, last *int, before *string,
) ([]*catalog.CommentConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	return catalog.LoadForSiblings(ctx, blogs, func(blogs []*ent.Blog) ([]*catalog.CommentConnection, error) {
		ids := catalog.IDsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.r.Catalog.CommentConnections(ctx, blogs[0].TenantID, record.Blog, ids, window)
	})
}
