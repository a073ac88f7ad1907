package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/listing"
	"storefront/ent/portfolio"
	"storefront/internal/fault"
	"storefront/internal/record"
)

func (im *importer) takeBlogs(ctx context.Context, batch []*object) error {
	rows := map[string]*ent.Blog{}
	found, err := stored(ctx, im, im.client.Blog.Query().Where(im.among(blog.FieldSlug, slugsOf(batch, "slug"))).All)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Slug] = row
	}
	err = follow(im, record.SlugBlog, batch, rows, func(ids []uuid.UUID) ([]*ent.Blog, error) {
		return im.client.Blog.Query().Where(im.amongIDs(blog.FieldID, ids)).All(ctx)
	}, func(row *ent.Blog) (uuid.UUID, string) { return row.ID, row.Slug })
	if err != nil {
		return err
	}
	var changed []*ent.Blog
	for _, o := range batch {
		slug := o.slug()
		row, ok := rows[slug]
		if !ok {
			row = &ent.Blog{
				ID:          im.blogs.newID(slug),
				Slug:        slug,
				Tags:        []string{},
				Images:      []record.Media{},
				Status:      record.Published,
				PublishedAt: im.now,
			}
			o.require("type", "body")
			o.requireTitle()
		}
		im.meet("blog", row, row.ID, row.UpdatedAt, ok)
		im.blogs.add(o, "slug", slug, row.ID)
		choose(o, "type", &row.Type, row.Type.Values())
		o.content(content{
			titleFa:     &row.TitleFa,
			titleEn:     &row.TitleEn,
			summary:     &row.Summary,
			tags:        &row.Tags,
			images:      &row.Images,
			seo:         &row.Seo,
			status:      &row.Status,
			publishedAt: &row.PublishedAt,
			searchText:  &row.SearchText,
		})
		o.body(&row.Body)
		o.reference("category", &row.CategoryID, fault.Say("category of a blog"), im.categories.finder(record.Blog))
		o.optionalText("authorName", &row.AuthorName, personLimit)
		o.refuseUnknown()
		im.noteListed(listing.KindBlog, ok, o, row.ID, row.Status == record.Published, row.PublishedAt, row.CategoryID)
		if im.countFate(o, "blogs", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, blogTable, changed)
	return nil
}

func (im *importer) takePortfolios(ctx context.Context, batch []*object) error {
	rows := map[string]*ent.Portfolio{}
	found, err := stored(ctx, im,
		im.client.Portfolio.Query().Where(im.among(portfolio.FieldSlug, slugsOf(batch, "slug"))).All)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Slug] = row
	}
	err = follow(im, record.SlugPortfolio, batch, rows, func(ids []uuid.UUID) ([]*ent.Portfolio, error) {
		return im.client.Portfolio.Query().Where(im.amongIDs(portfolio.FieldID, ids)).All(ctx)
	}, func(row *ent.Portfolio) (uuid.UUID, string) { return row.ID, row.Slug })
	if err != nil {
		return err
	}
	var changed []*ent.Portfolio
	for _, o := range batch {
		slug := o.slug()
		row, ok := rows[slug]
		if !ok {
			row = &ent.Portfolio{
				ID:          im.portfolios.newID(slug),
				Slug:        slug,
				Tags:        []string{},
				Images:      []record.Media{},
				Status:      record.Published,
				PublishedAt: im.now,
			}
			o.require("body")
			o.requireTitle()
		}
		im.meet("portfolio", row, row.ID, row.UpdatedAt, ok)
		im.portfolios.add(o, "slug", slug, row.ID)
		o.content(content{
			titleFa:     &row.TitleFa,
			titleEn:     &row.TitleEn,
			summary:     &row.Summary,
			tags:        &row.Tags,
			images:      &row.Images,
			seo:         &row.Seo,
			status:      &row.Status,
			publishedAt: &row.PublishedAt,
			searchText:  &row.SearchText,
		})
		o.body(&row.Body)
		o.reference("category", &row.CategoryID, fault.Say("category of a portfolio"),
			im.categories.finder(record.Portfolio))
		o.optionalText("clientName", &row.ClientName, titleLimit)
		o.optionalText("completedOn", &row.CompletedOn, keyLimit, checkDate)
		o.refuseUnknown()
		im.noteListed(listing.KindPortfolio, ok, o, row.ID, row.Status == record.Published,
			row.PublishedAt, row.CategoryID)
		if im.countFate(o, "portfolios", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, portfolioTable, changed)
	return nil
}

// body reads the text of a blog or portfolio, which may be empty.
func (o *object) body(dst *string) {
	if m := o.given("body"); m != nil {
		if text, ok := o.string(m, 0, bodyLimit); ok {
			put(o, dst, text)
		}
	}
}

// findBlogs looks blogs up by slug.
func (im *importer) findBlogs(ctx context.Context, slugs []string, found func(string, uuid.UUID)) error {
	rows, err := im.client.Blog.Query().Where(im.among(blog.FieldSlug, slugs)).Select(blog.FieldID, blog.FieldSlug).
		All(ctx)
	if err != nil {
		return err
	}
	isThere := map[string]bool{}
	for _, row := range rows {
		isThere[row.Slug] = true
		found(row.Slug, row.ID)
	}
	return im.foundMoved(record.SlugBlog, slugs, isThere, func(ids []uuid.UUID) ([]uuid.UUID, error) {
		return im.client.Blog.Query().Where(im.amongIDs(blog.FieldID, ids)).IDs(ctx)
	}, found)
}

// findPortfolios looks portfolios up by slug.
func (im *importer) findPortfolios(ctx context.Context, slugs []string, found func(string, uuid.UUID)) error {
	rows, err := stored(ctx, im, im.client.Portfolio.Query().Where(im.among(portfolio.FieldSlug, slugs)).
		Select(portfolio.FieldID, portfolio.FieldSlug).All)
	if err != nil {
		return err
	}
	isThere := map[string]bool{}
	for _, row := range rows {
		isThere[row.Slug] = true
		found(row.Slug, row.ID)
	}
	return im.foundMoved(record.SlugPortfolio, slugs, isThere, func(ids []uuid.UUID) ([]uuid.UUID, error) {
		return im.client.Portfolio.Query().Where(im.amongIDs(portfolio.FieldID, ids)).IDs(ctx)
	}, found)
}
