package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/listing"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// blogFilter is what a list of blogs is narrowed by.
type blogFilter struct {
	kind     maybe[record.BlogType]
	category maybe[uuid.UUID]
	title    words
}

func (f blogFilter) facets() facets { return under(listing.KindBlog, f.category, maybe[string]{}) }

func (f blogFilter) narrow(q *ent.BlogQuery) *ent.BlogQuery {
	q.Where(f.title.narrow, f.facets().narrow)
	if f.kind.given {
		q.Where(blog.TypeEQ(f.kind.value))
	}
	return q
}

// blogs are a shop's published blogs, newest first.
func (r *Resolver) blogs(t *ent.Tenant, filter blogFilter) (list[*ent.Blog], tally) {
	return list[*ent.Blog]{
		order: filter.facets().newest("blogs"),
		read: func(ctx context.Context, part stretch) ([]*ent.Blog, error) {
			return filter.narrow(r.publishedBlogs(part.shown(ctx))).Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).
				Collect(part.columns).All(in(ctx, t.ID))
		},
		place: func(b *ent.Blog) place { return place{time: b.PublishedAt, id: b.ID} },
	}, tally{r, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.publishedBlogs(ctx)).Count(ctx) }, r.nextBlog}
}

// Blogs is a page of a shop's published blogs, newest first.
func (r tenantResolver) Blogs(ctx context.Context, t *ent.Tenant, number, size int, kind *record.BlogType, categoryID *uuid.UUID, title *string) (*BlogPage, error) {
	l, n := r.Resolver.blogs(t, blogFilter{of(kind), of(categoryID), wordsOf(title)})
	return &BlogPage{pageOf(l, n, number, size)}, nil
}

// BlogsConnection walks a shop's published blogs, newest first.
func (r tenantResolver) BlogsConnection(ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, kind *record.BlogType, categoryID *uuid.UUID, title *string) (*BlogConnection, error) {
	l, n := r.Resolver.blogs(t, blogFilter{of(kind), of(categoryID), wordsOf(title)})
	c, err := walk(ctx, l, window{first, last, after, before}, defaultSize, n.total)
	return &BlogConnection{c}, err
}

// Blog is a published blog of a shop.
func (r tenantResolver) Blog(ctx context.Context, t *ent.Tenant, slug string) (*ent.Blog, error) {
	return r.publishedBlogs(ctx).Where(blog.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
}

// CommentCount is how many approved comments each blog has.
func (r blogResolver) CommentCount(ctx context.Context, blogs []*ent.Blog) ([]int, error) {
	return ofAll(ctx, blogs, func(blogs []*ent.Blog) ([]int, error) {
		ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.countComments(ctx, blogs[0].TenantID, record.Blog, ids)
	})
}

// Comments are the approved comments on each blog.
func (r blogResolver) Comments(ctx context.Context, blogs []*ent.Blog) ([][]*ent.Comment, error) {
	return ofAll(ctx, blogs, func(blogs []*ent.Blog) ([][]*ent.Comment, error) {
		ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.commentsOn(ctx, blogs[0].TenantID, record.Blog, ids)
	})
}

// CommentsConnection walks the approved comments on each blog.
func (r blogResolver) CommentsConnection(ctx context.Context, blogs []*ent.Blog, first *int, after *string, last *int, before *string) ([]*CommentConnection, error) {
	return ofAll(ctx, blogs, func(blogs []*ent.Blog) ([]*CommentConnection, error) {
		ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.commentConnections(ctx, blogs[0].TenantID, record.Blog, ids, window{first, last, after, before})
	})
}
