// Package pages makes blogs and portfolios of hand-written articles.
package pages

import (
	"fmt"
	"math/rand/v2"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// Site is what pages of one shop have in common.
type Site struct {
	Media   string // address of the shop's images, with a slash at its end
	Authors []string
	First   time.Time // when the oldest page was published
}

// Blogs makes blogs of articles in their order, the newest first. Head "at" sets the time, "status" the
// status.
func Blogs(r *rand.Rand, site Site, articles []words.Article) []bundle.Blog {
	times := chance.Times(r, len(articles), site.First, chance.Now)
	authors := chance.NewDeck(r, site.Authors)
	var out []bundle.Blog
	for i, a := range articles {
		b := bundle.Blog{
			Slug:        slug(a),
			Type:        a.Head["type"],
			TitleFa:     a.Head["title"],
			TitleEn:     bundle.Text(a.Head["en"]),
			Summary:     bundle.Text(a.Head["summary"]),
			Body:        a.Body,
			Category:    bundle.Text(a.Head["category"]),
			Tags:        tags(a),
			AuthorName:  bundle.Text(authors.Deal()),
			Images:      images(site.Media, "blogs", i, a, 1),
			Status:      status(a),
			PublishedAt: published(a, times[len(times)-1-i]),
		}
		if i%3 == 0 {
			b.SEO = &bundle.SEO{Title: b.TitleFa, Description: a.Head["summary"]}
		}
		out = append(out, b)
	}
	return out
}

// Portfolios makes portfolios of articles in their order, the newest first. Heads "client" and "done" may
// be missing.
func Portfolios(r *rand.Rand, site Site, articles []words.Article) []bundle.Portfolio {
	times := chance.Times(r, len(articles), site.First, chance.Now)
	var out []bundle.Portfolio
	for i, a := range articles {
		p := bundle.Portfolio{
			Slug:        slug(a),
			TitleFa:     a.Head["title"],
			TitleEn:     bundle.Text(a.Head["en"]),
			Summary:     bundle.Text(a.Head["summary"]),
			Body:        a.Body,
			Category:    bundle.Text(a.Head["category"]),
			Tags:        tags(a),
			Images:      images(site.Media, "portfolios", i, a, chance.Between(r, 2, 5)),
			ClientName:  bundle.Text(a.Head["client"]),
			CompletedOn: bundle.Text(a.Head["done"]),
			Status:      status(a),
			PublishedAt: published(a, times[len(times)-1-i]),
		}
		if i%4 == 0 {
			p.SEO = &bundle.SEO{Title: p.TitleFa, Description: a.Head["summary"]}
		}
		out = append(out, p)
	}
	return out
}

func slug(a words.Article) string {
	if s := a.Head["slug"]; s != "" {
		return s
	}
	return words.Slug(a.Head["title"])
}

func tags(a words.Article) []string {
	if a.Head["tags"] == "" {
		return nil
	}
	return words.Cells(a.Head["tags"], ",")
}

func status(a words.Article) string {
	if s := a.Head["status"]; s != "" {
		return s
	}
	return "published"
}

func published(a words.Article, usual time.Time) time.Time {
	if a.Head["at"] == "" {
		return usual
	}
	at, err := time.Parse(time.RFC3339, a.Head["at"])
	if err != nil {
		panic(err)
	}
	return at
}

func images(media, kind string, i int, a words.Article, n int) []bundle.Image {
	if a.Head["images"] == "none" {
		return nil
	}
	var out []bundle.Image
	for k := range n {
		id := fmt.Sprintf("%s-%02d-%d", kind, i+1, k+1)
		out = append(out, bundle.Image{MediaID: id, URL: fmt.Sprintf("%s%s/%02d-%d.svg", media, kind, i+1, k+1),
			Alt: a.Head["title"]})
	}
	return out
}
