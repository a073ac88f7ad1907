package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/listing"
	"storefront/internal/record"
)

// The shapes of lists of blogs.
type (
	BlogPage       = ListPage[*ent.Blog]
	BlogConnection = Connection[*ent.Blog]
	BlogEdge       = Edge[*ent.Blog]
)

// PublishedBlogs returns the query that every public read of blogs starts from.
func (r *Catalog) PublishedBlogs(ctx context.Context) *ent.BlogQuery {
	return r.store.Blog.Query().Where(blog.StatusEQ(record.Published), blog.PublishedAtLTE(RequestTime(ctx)))
}

// BlogArguments are the arguments of blogs and blogsConnection that choose records.
type BlogArguments struct {
	Type       *record.BlogType
	CategoryID *uuid.UUID
	Title      *string
	Categories []string
}

// blogFilter narrows a list of blogs.
type blogFilter struct {
	tenant      uuid.UUID
	categories  choice
	inListOrder bool // how it is read, see listingFilter
	kind        optional[record.BlogType]
	category    optional[uuid.UUID]
	words       searchWords
}

func (a BlogArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f blogFilter, err error) {
	f = blogFilter{
		tenant: t.ID, kind: optionalOf(a.Type), category: optionalOf(a.CategoryID), words: searchWordsOf(a.Title),
	}
	f.categories, err = r.someCategories(ctx, t, record.Blog, a.Categories)
	f.categories.singleID(&f.category)
	return f, err
}

func (f blogFilter) listings() listingFilter {
	return listedUnder(listing.KindBlog, f.category, optional[string]{}).
		orUnder(f.tenant, f.categories, choice{}, f.inListOrder)
}

// listedAlone reports whether the listings alone determine the blogs of the list.
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

// Blogs returns a shop's published blogs, newest first.
func (r *Catalog) Blogs(t *ent.Tenant, filter blogFilter) List[*ent.Blog] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "blogs.total", filter: filter},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.PublishedBlogs(ctx)).Count(ctx)
		},
	}
	return List[*ent.Blog]{
		Order: filter.listings().newestFirst("blogs"),
		Read: func(ctx context.Context, part Span) ([]*ent.Blog, error) {
			filter, err := filter, error(nil)
			if filter.categories.given {
				filter.inListOrder, err = isMany(ctx, total)
			}
			if err != nil {
				return nil, err
			}
			found := r.PublishedBlogs(ctx)
			if filter.listedAlone() {
				found.Where(filter.listings().newest(part, RequestTime(part.published(ctx)))).
					Order(part.ofRecords().Sorted)
			} else {
				found = filter.narrow(r.PublishedBlogs(part.published(ctx))).
					Where(part.Bounded).Order(part.Sorted).Limit(part.Limit)
				found.Modify(part.idsFirst(filter.words != ""))
			}
			return found.Collect(part.Columns).
				Modify(SelectCommentCount(record.Blog, part.Columns), selectVersion(t.ID)).
				All(InTenant(ctx, t.ID))
		},
		version:  func(b *ent.Blog) int64 { return b.TenantVersion },
		tenant:   t.ID,
		Position: func(b *ent.Blog) Position { return Position{Time: b.PublishedAt, ID: b.ID} },
		Total:    total,
	}
}
