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

// Blogs is a page of a shop's published blogs, newest first.
func (r tenantResolver) Blogs(ctx context.Context, t *ent.Tenant, number, size int, kind *record.BlogType, categoryID *uuid.UUID, title *string) (*BlogPage, error) {
	filter := blogFilter{of(kind), of(categoryID), wordsOf(title)}
	return &BlogPage{page[*ent.Blog]{number, min(size, maxPageSize),
		func(ctx context.Context, offset, limit int) ([]*ent.Blog, error) {
			return filter.narrow(r.publishedBlogs(ctx)).Order(filter.facets().newest).Offset(offset).Limit(limit).
				Collect(selection.Of(ctx)).All(in(ctx, t.ID))
		},
		tally{r.Resolver, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.publishedBlogs(ctx)).Count(ctx) }, r.nextBlog},
	}}, nil
}

// Blog is a published blog of a shop.
func (r tenantResolver) Blog(ctx context.Context, t *ent.Tenant, slug string) (*ent.Blog, error) {
	return r.publishedBlogs(ctx).Where(blog.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
}

// CommentCount is how many approved comments each blog has.
func (r blogResolver) CommentCount(ctx context.Context, blogs []*ent.Blog) ([]int, error) {
	ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
	return r.countComments(ctx, blogs[0].TenantID, record.Blog, ids)
}

// Comments are the approved comments on each blog.
func (r blogResolver) Comments(ctx context.Context, blogs []*ent.Blog) ([][]*ent.Comment, error) {
	ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
	return r.commentsOn(ctx, blogs[0].TenantID, record.Blog, ids)
}
