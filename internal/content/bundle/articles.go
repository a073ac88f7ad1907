package bundle

import (
	"context"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/record"
)

func (im *importer) takeBlogs(ctx context.Context, batch []*document.Object) error {
	return take(ctx, im, "blogs", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Blog {
		o.Require("type", "body")
		requireTitle(o)
		return &ent.Blog{ID: id, Slug: slug, Tags: []string{}, Images: []record.Media{},
			Status: record.Published, CreatedAt: im.now, PublishedAt: im.now}
	}, func(o *document.Object, row *ent.Blog, isThere bool) {
		document.Choose(o, "type", &row.Type, row.Type.Values())
		im.content(o, content{titleFa: &row.TitleFa, titleEn: &row.TitleEn, summary: &row.Summary,
			summaryFa: &row.SummaryFa, tags: &row.Tags, images: &row.Images, seo: &row.Seo, status: &row.Status,
			createdAt: row.CreatedAt, publishedAt: &row.PublishedAt, searchText: &row.SearchText})
		readBody(o, &row.Body)
		o.OptionalText("bodyFa", &row.BodyFa, bodyLimit)
		im.category(o, "blogs", &row.CategoryID)
		o.OptionalText("authorName", &row.AuthorName, personLimit)
		im.noteListed(o, isThere, listed{kind: listing.KindBlog, id: row.ID, published: row.Status == record.Published,
			publishedAt: row.PublishedAt, category: row.CategoryID})
	})
}

func (im *importer) takePortfolios(ctx context.Context, batch []*document.Object) error {
	return take(ctx, im, "portfolios", batch, func(o *document.Object, id uuid.UUID, slug string) *ent.Portfolio {
		o.Require("body")
		requireTitle(o)
		return &ent.Portfolio{ID: id, Slug: slug, Tags: []string{}, Images: []record.Media{},
			Status: record.Published, CreatedAt: im.now, PublishedAt: im.now}
	}, func(o *document.Object, row *ent.Portfolio, isThere bool) {
		im.content(o, content{titleFa: &row.TitleFa, titleEn: &row.TitleEn, summary: &row.Summary,
			summaryFa: &row.SummaryFa, tags: &row.Tags, images: &row.Images, seo: &row.Seo, status: &row.Status,
			createdAt: row.CreatedAt, publishedAt: &row.PublishedAt, searchText: &row.SearchText})
		readBody(o, &row.Body)
		o.OptionalText("bodyFa", &row.BodyFa, bodyLimit)
		im.category(o, "portfolios", &row.CategoryID)
		o.OptionalText("clientName", &row.ClientName, document.TitleLimit)
		o.OptionalText("completedOn", &row.CompletedOn, document.KeyLimit, checkDate)
		im.noteListed(o, isThere, listed{kind: listing.KindPortfolio, id: row.ID, category: row.CategoryID,
			published: row.Status == record.Published, publishedAt: row.PublishedAt})
	})
}

// body reads the text of a blog or portfolio. It may be empty.
func readBody(o *document.Object, dst *string) {
	if m := o.Value("body"); m != nil {
		if text, ok := o.TextOf(m, 0, bodyLimit); ok {
			document.Put(o, dst, text)
		}
	}
}
