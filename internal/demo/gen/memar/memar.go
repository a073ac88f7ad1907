// Package memar is the demo site memar-novin.example: a small contractor, in Persian. It has portfolios, a
// blog and a contact form but no store: no products, no brands, no listings. Its branding fields are null.
package memar

import (
	"embed"
	"io/fs"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/catalog"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/opinion"
	"storefront/internal/demo/gen/pages"
	"storefront/internal/demo/gen/words"
	"storefront/internal/demo/pictures"
)

// Domain is the site's domain.
const Domain = "memar-novin.example"

const media = pictures.Path + "memar-novin/"

//go:embed data
var data embed.FS

func files() fs.FS {
	sub, err := fs.Sub(data, "data")
	if err != nil {
		panic(err)
	}
	return sub
}

// Bundle is the whole site.
func Bundle() bundle.Bundle {
	texts := files()
	b := bundle.Read(texts, "front.json") // the tenant has no colour, logo or icon: a client must live without
	b.Format = bundle.Format
	for _, kind := range []string{"portfolio", "blog"} {
		b.Categories = append(b.Categories, catalog.Categories(words.ReadLists(texts, "categories.txt"), nil, kind,
			media).List()...)
	}
	site := pages.Site{Media: media, Authors: words.ReadLists(texts, "authors.txt").Get("authors"),
		First: time.Date(2025, 5, 10, 8, 0, 0, 0, time.UTC)}
	b.Blogs = pages.Blogs(chance.New("memar/blogs"), site, words.ReadArticles(texts, "blogs.txt"))
	site.First = time.Date(2023, 6, 3, 8, 0, 0, 0, time.UTC)
	b.Portfolios = pages.Portfolios(chance.New("memar/portfolios"), site,
		words.ReadArticles(texts, "portfolios.txt"))

	people := opinion.People(chance.New("memar/people"), "persian")
	none := func(bundle.Product) string { return "" }
	b.Comments = opinion.Comments(chance.New("memar/comments"), words.ReadLists(texts, "comments.txt"), people,
		opinion.Targets(b, none),
		opinion.Share{Approved: 32, Pending: 6, Rejected: 2})
	return b
}
