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
		return e.client.Blog.Query().Where(e.narrowed, blog.IDGT(after)).Order(blog.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.Blog) uuid.UUID { return row.ID }, func(rows []*ent.Blog) error {
		for _, row := range rows {
			content := contentOut{
				versioned:   versionedAs(row.ID, row.UpdatedAt),
				Slug:        row.Slug,
				TitleFa:     row.TitleFa,
				TitleEn:     row.TitleEn,
				Summary:     row.Summary,
				SummaryFa:   row.SummaryFa,
				Category:    e.categorySlug(row.CategoryID),
				Tags:        row.Tags,
				Images:      imagesOut(row.Images),
				SEO:         seoOut(row.Seo),
				Status:      row.Status,
				PublishedAt: e.dateOf(row.CreatedAt, row.PublishedAt, string(row.Status)),
			}
			if err := e.take(BlogContent{contentOut: content, Type: row.Type, Body: row.Body,
				BodyFa: row.BodyFa, AuthorName: row.AuthorName}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *exporter) portfolios(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Portfolio, error) {
		return e.client.Portfolio.Query().Where(e.narrowed, portfolio.IDGT(after)).Order(portfolio.ByID()).
			Limit(pageSize).All(ctx)
	}, func(row *ent.Portfolio) uuid.UUID { return row.ID }, func(rows []*ent.Portfolio) error {
		for _, row := range rows {
			content := contentOut{
				versioned:   versionedAs(row.ID, row.UpdatedAt),
				Slug:        row.Slug,
				TitleFa:     row.TitleFa,
				TitleEn:     row.TitleEn,
				Summary:     row.Summary,
				SummaryFa:   row.SummaryFa,
				Category:    e.categorySlug(row.CategoryID),
				Tags:        row.Tags,
				Images:      imagesOut(row.Images),
				SEO:         seoOut(row.Seo),
				Status:      row.Status,
				PublishedAt: e.dateOf(row.CreatedAt, row.PublishedAt, string(row.Status)),
			}
			if err := e.take(PortfolioContent{contentOut: content, Body: row.Body, BodyFa: row.BodyFa,
				ClientName: row.ClientName, CompletedOn: row.CompletedOn}); err != nil {
				return err
			}
		}
		return nil
	})
}
