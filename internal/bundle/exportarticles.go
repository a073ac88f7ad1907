package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/portfolio"
)

func (e *exporter) blogs(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Blog, error) {
		return e.tx.Blog.Query().Where(blog.IDGT(after)).Order(blog.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.Blog) uuid.UUID { return row.ID }, func(rows []*ent.Blog) error {
		for _, row := range rows {
			content := contentOut{row.Slug, row.TitleFa, row.TitleEn, row.Summary, e.categorySlug(row.CategoryID), row.Tags, row.Images,
				seoOut(row.Seo), row.Status, row.PublishedAt.UTC()}
			if err := e.element(blogOut{content, row.Type, row.Body, row.AuthorName}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *exporter) portfolios(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Portfolio, error) {
		return e.tx.Portfolio.Query().Where(portfolio.IDGT(after)).Order(portfolio.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.Portfolio) uuid.UUID { return row.ID }, func(rows []*ent.Portfolio) error {
		for _, row := range rows {
			content := contentOut{row.Slug, row.TitleFa, row.TitleEn, row.Summary, e.categorySlug(row.CategoryID), row.Tags, row.Images,
				seoOut(row.Seo), row.Status, row.PublishedAt.UTC()}
			if err := e.element(portfolioOut{content, row.Body, row.ClientName, row.CompletedOn}); err != nil {
				return err
			}
		}
		return nil
	})
}
