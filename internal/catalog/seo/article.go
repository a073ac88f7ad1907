package seo

import (
	"storefront/ent"
	"storefront/internal/record"
)

type articleLD struct {
	typed
	Page        string         `json:"mainEntityOfPage,omitempty"`
	Headline    string         `json:"headline"`
	Description string         `json:"description,omitempty"`
	Images      []string       `json:"image,omitempty"`
	Published   string         `json:"datePublished"`
	Modified    string         `json:"dateModified"`
	Author      any            `json:"author"`
	Publisher   organizationLD `json:"publisher"`
}

// articleTypes are the types of schema.org for the kinds of blogs.
var articleTypes = map[record.BlogType]string{
	"news": "NewsArticle", "article": "Article", "blog": "BlogPosting",
}

// Article returns the JSON-LD of a blog.
func (p Page) Article(blog *ent.Blog) (string, error) {
	shop := p.organization("Organization")
	ld := articleLD{
		typed: outermost(articleTypes[blog.Type]), Page: p.Of(record.BlogPage, blog.Slug),
		Headline: p.Title(blog.TitleEn, blog.TitleFa), Images: p.Images(blog.Images),
		Description: Plain(p.Text(blog.Summary, blog.SummaryFa), mostDescription),
		Published:   instant(blog.PublishedAt), Modified: instant(blog.UpdatedAt), Author: shop, Publisher: shop,
	}
	if blog.UpdatedAt.Before(blog.PublishedAt) { // it was written before it was published
		ld.Modified = ld.Published
	}
	if blog.AuthorName != nil {
		ld.Author = nameLD{typed{Type: "Person"}, *blog.AuthorName}
	}
	return text(ld)
}
