package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/internal/catalog/selection"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The shapes of lists of blogs.
type (
	BlogPage       = ListPage[*ent.Blog]
	BlogConnection = Connection[*ent.Blog]
	BlogEdge       = Edge[*ent.Blog]
)

// PublishedBlogs returns the query that every public read of blogs starts from.
func (r *Catalog) PublishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(request.Of(ctx).Now))
}

// BlogArguments are the arguments of blogs and blogsConnection that choose records.
type BlogArguments struct {
	Type       *record.BlogType
	CategoryID *uuid.UUID
	Title      *string
	Categories []string
}

func (a BlogArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (Filter, error) {
	f := Filter{
		list: blogList, tenant: t.ID,
		blogType: optionalOf(a.Type), words: searchWordsOf(a.Title), category: optionalOf(a.CategoryID),
	}
	return f, r.choose(ctx, t, &f, a.Categories, nil)
}

// Blogs returns a shop's published blogs, newest first.
func (r *Catalog) Blogs(filter Filter) List[*ent.Blog] {
	return publicList(r, filter, r.PublishedBlogs,
		func(_ context.Context, q *ent.BlogQuery, columns *selection.Set) {
			q.Collect(columns).Modify(SelectCommentCount(record.Blog, columns))
		},
		func(b *ent.Blog) int64 { return b.TenantVersion },
		func(b *ent.Blog) Position { return Position{Time: b.PublishedAt, ID: b.ID} })
}
