package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/record"
	"storefront/internal/request"
)

// PublishedBlogs returns the query that every public read of blogs starts from.
func (r *Catalog) PublishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.Store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(request.Of(ctx).Now))
}

// BlogArguments are the arguments of blogs and blogsConnection that choose records.
type BlogArguments struct {
	Type       *record.BlogType
	CategoryID *uuid.UUID
	Title      *string
	Categories []string
}

// Blogs returns a shop's published blogs, newest first.
func (r *Catalog) Blogs(ctx context.Context, t *ent.Tenant, a BlogArguments) (list.List[*ent.Blog], error) {
	f := Filter{
		list: blogList, tenant: t.ID,
		blogType: optionalOf(a.Type), searched: searchFor(a.Title), category: optionalOf(a.CategoryID),
	}
	err := r.choose(ctx, t, &f, a.Categories, nil)
	return publicList(r, f, r.PublishedBlogs,
		func(_ context.Context, q *ent.BlogQuery, columns *selection.Set) {
			q.Collect(columns).Modify(SelectCommentCount(record.Blog, columns))
		},
		func(b *ent.Blog) int64 { return b.TenantVersion },
		func(b *ent.Blog) list.Position { return list.Position{Time: b.PublishedAt, ID: b.ID} }), err
}
