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

// blogArguments are the arguments of blogs and blogsConnection that choose records.
type blogArguments struct {
	kind       *record.BlogType
	categoryID *uuid.UUID
	title      *string
	categories []string
}

// blogFilter is what a list of blogs is narrowed by.
type blogFilter struct {
	tenant     uuid.UUID
	categories choice
	walk       bool // how it is read, see listingFilter
	kind       optional[record.BlogType]
	category   optional[uuid.UUID]
	words      searchWords
}

func (a blogArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f blogFilter, err error) {
	f = blogFilter{
		tenant: t.ID, kind: optionalOf(a.kind), category: optionalOf(a.categoryID), words: searchWordsOf(a.title),
	}
	f.categories, err = r.someCategories(ctx, t, record.Blog, a.categories)
	f.categories.singleID(&f.category)
	return f, err
}

func (f blogFilter) listings() listingFilter {
	return listedUnder(listing.KindBlog, f.category, optional[string]{}).orUnder(f.tenant, f.categories, choice{}, f.walk)
}

// listedAlone reports whether the listings alone say which blogs the list has.
func (f blogFilter) listedAlone() bool {
	return f.listings().alone() && f == blogFilter{tenant: f.tenant, category: f.category}
}

func (f blogFilter) narrow(q *ent.BlogQuery) *ent.BlogQuery {
	q.Where(f.words.narrow(false), f.listings().narrow)
	if f.kind.given {
		q.Where(blog.TypeEQ(f.kind.value))
	}
	return q
}

// blogs are a shop's published blogs, newest first.
func (r *Catalog) blogs(t *ent.Tenant, filter blogFilter) list[*ent.Blog] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "blogs.total", filter: filter},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.publishedBlogs(ctx)).Count(ctx)
		},
	}
	return list[*ent.Blog]{
		order: filter.listings().newestFirst("blogs"),
		read: func(ctx context.Context, part stretch) ([]*ent.Blog, error) {
			filter, err := filter, error(nil)
			if filter.categories.given {
				filter.walk, err = isMany(ctx, total)
			}
			if err != nil {
				return nil, err
			}
			found := r.publishedBlogs(ctx)
			if filter.listedAlone() {
				found.Where(filter.listings().newest(part, requestTime(part.published(ctx)))).Order(part.ofRecords().sorted)
			} else {
				found = filter.narrow(r.publishedBlogs(part.published(ctx))).
					Where(part.bounded).Order(part.sorted).Limit(part.limit)
				found.Modify(part.idsFirst(filter.words != ""))
			}
			return found.Collect(part.columns).Modify(selectCommentCount(record.Blog, part.columns), selectVersion(t.ID)).
				All(inTenant(ctx, t.ID))
		},
		version: func(b *ent.Blog) int64 { return b.TenantVersion },
		tenant:  t.ID,
		place:   func(b *ent.Blog) place { return place{time: b.PublishedAt, id: b.ID} },
		total:   total,
	}
}

// Blogs is a page of a shop's published blogs, newest first.
func (r tenantResolver) Blogs(
	ctx context.Context, t *ent.Tenant, page, pageSize int, kind *record.BlogType, categoryID *uuid.UUID, categories []string,
	title *string,
) (*BlogPage, error) {
	asked := blogArguments{kind: kind, categoryID: categoryID, categories: categories, title: title}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	shown := pageOf(r.r.catalog.blogs(t, filter), page, pageSize)
	return &shown, nil
}

// BlogsConnection walks a shop's published blogs, newest first.
func (r tenantResolver) BlogsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string,
	kind *record.BlogType, categoryID *uuid.UUID, categories []string,
	title *string,
) (*BlogConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := blogArguments{kind: kind, categoryID: categoryID, categories: categories, title: title}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return walk(ctx, r.r.catalog.blogs(t, filter), window, defaultSize)
}

// Blog is a published blog of a shop.
func (r tenantResolver) Blog(ctx context.Context, t *ent.Tenant, slug string) (*ent.Blog, error) {
	return r.r.catalog.publishedBlogs(ctx).Where(blog.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Modify(selectCommentCount(record.Blog, selection.Of(ctx))).Only(inTenant(ctx, t.ID))
}

// Comments are the approved comments on each blog.
func (r blogResolver) Comments(ctx context.Context, blogs []*ent.Blog) ([][]*ent.Comment, error) {
	return loadForSiblings(ctx, blogs, func(blogs []*ent.Blog) ([][]*ent.Comment, error) {
		ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.r.catalog.commentsOn(ctx, blogs[0].TenantID, record.Blog, ids, 0)
	})
}

// CommentsConnection walks the approved comments on each blog.
func (r blogResolver) CommentsConnection(
	ctx context.Context, blogs []*ent.Blog, first *int, after *string, last *int, before *string,
) ([]*CommentConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	return loadForSiblings(ctx, blogs, func(blogs []*ent.Blog) ([]*CommentConnection, error) {
		ids := idsOf(blogs, func(b *ent.Blog) uuid.UUID { return b.ID })
		return r.r.catalog.commentConnections(ctx, blogs[0].TenantID, record.Blog, ids, window)
	})
}
