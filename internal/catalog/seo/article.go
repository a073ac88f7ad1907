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
func (p Page) Article(of *ent.Blog) (string, error) {
	shop := p.organization("Organization")
	ld := articleLD{
		typed: outermost(articleTypes[of.Type]), Page: p.Of(record.BlogPage, of.Slug),
		Headline: p.Title(of.TitleEn, of.TitleFa), Images: p.Images(of.Images),
		Description: Plain(p.Text(of.Summary, of.SummaryFa), mostDescription),
		Published:   instant(of.PublishedAt), Modified: instant(of.UpdatedAt), Author: shop, Publisher: shop,
	}
	if of.UpdatedAt.Before(of.PublishedAt) { // it was written before it was published
		ld.Modified = ld.Published
	}
	if of.AuthorName != nil {
		ld.Author = nameLD{typed{Type: "Person"}, *of.AuthorName}
	}
	return text(ld)
}
