package plan

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/content/document"
	"storefront/internal/record"
)

func (p *Planner) takeBlogs(ctx context.Context, batch []*document.Object) error {
	return takeKeyed(ctx, p, "blogs", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Blog {
		o.Require("type", "body")
		requireTitle(o)
		return &ent.Blog{ID: id, Slug: slug, Tags: []string{}, Images: []record.Media{},
			Status: record.Published, CreatedAt: p.Now, PublishedAt: p.Now}
	}, func(o *document.Object, row *ent.Blog, isThere bool) {
		document.Choose(o, "type", &row.Type, row.Type.Values())
		p.readContent(o, content{titleFa: &row.TitleFa, titleEn: &row.TitleEn, summary: &row.Summary,
			summaryFa: &row.SummaryFa, tags: &row.Tags, images: &row.Images, seo: &row.Seo, status: &row.Status,
			createdAt: row.CreatedAt, publishedAt: &row.PublishedAt, searchText: &row.SearchText})
		readBody(o, &row.Body)
		o.OptionalText("bodyFa", &row.BodyFa, bodyLimit)
		p.readCategoryReference(o, "blogs", &row.CategoryID)
		o.OptionalText("authorName", &row.AuthorName, personLimit)
		p.noteListed(o, isThere, listed{kind: listing.KindBlog, id: row.ID, published: row.Status == record.Published,
			publishedAt: row.PublishedAt, category: row.CategoryID})
	})
}

func (p *Planner) takePortfolios(ctx context.Context, batch []*document.Object) error {
	return takeKeyed(ctx, p, "portfolios", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Portfolio {
		o.Require("body")
		requireTitle(o)
		return &ent.Portfolio{ID: id, Slug: slug, Tags: []string{}, Images: []record.Media{},
			Status: record.Published, CreatedAt: p.Now, PublishedAt: p.Now}
	}, func(o *document.Object, row *ent.Portfolio, isThere bool) {
		p.readContent(o, content{titleFa: &row.TitleFa, titleEn: &row.TitleEn, summary: &row.Summary,
			summaryFa: &row.SummaryFa, tags: &row.Tags, images: &row.Images, seo: &row.Seo, status: &row.Status,
			createdAt: row.CreatedAt, publishedAt: &row.PublishedAt, searchText: &row.SearchText})
		readBody(o, &row.Body)
		o.OptionalText("bodyFa", &row.BodyFa, bodyLimit)
		p.readCategoryReference(o, "portfolios", &row.CategoryID)
		o.OptionalText("clientName", &row.ClientName, document.TitleLimit)
		o.OptionalText("completedOn", &row.CompletedOn, document.KeyLimit, checkDate)
		p.noteListed(o, isThere, listed{kind: listing.KindPortfolio, id: row.ID, category: row.CategoryID,
			published: row.Status == record.Published, publishedAt: row.PublishedAt})
	})
}

// readBody reads the text of a blog or portfolio. It may be empty.
func readBody(o *document.Object, dst *string) {
	if m := o.Value("body"); m != nil {
		if text, ok := o.TextOf(m, 0, bodyLimit); ok {
			document.Put(o, dst, text)
		}
	}
}
