// Package paperlane is the demo shop paperlane.example: books and clothes, in English with Persian names,
// priced in dollars. It shows many variants, paging, search and festival prices.
package paperlane

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

// Domain is the shop's domain.
const Domain = "paperlane.example"

const (
	media    = pictures.Path + "paperlane/"
	currency = "USD"
)

// data holds word lists, articles, and what is written by hand in the bundle format: front.json, what
// stands on the front page, and awkward.json, the rows that break naive code (the test of the package demo
// names them).
//
//go:embed data
var data embed.FS

func files() fs.FS {
	sub, err := fs.Sub(data, "data")
	if err != nil {
		panic(err)
	}
	return sub
}

// Bundle is the whole shop.
func Bundle() bundle.Bundle {
	texts := files()
	lists, forms := words.ReadLists(texts, "categories.txt"), words.ReadLists(texts, "forms.txt")
	tree := catalog.Categories(lists, forms, "product", media)
	makers := words.ReadLists(texts, "brands.txt")

	front, odd := bundle.Read(texts, "front.json"), bundle.Read(texts, "awkward.json")
	b := bundle.Bundle{
		Format:     bundle.Format,
		Tenant:     front.Tenant,
		Profile:    front.Profile,
		Brands:     append(brands(makers, "publishers"), brands(makers, "labels")...),
		Categories: append(tree.List(), catalog.Categories(lists, forms, "blog", media).List()...),
		Products:   append(products(texts, tree, odd.Products), odd.Products...),
	}
	site := pages.Site{Media: media, Authors: words.ReadLists(texts, "authors.txt").Get("authors"),
		First: time.Date(2025, 1, 8, 8, 0, 0, 0, time.UTC)}
	b.Blogs = pages.Blogs(chance.New("paperlane/blogs"), site, words.ReadArticles(texts, "blogs.txt"))
	b.Sliders, b.CategoryGroups, b.BrandGroups = front.Sliders, front.CategoryGroups, front.BrandGroups
	b.Specials = specials(b.Products)

	people := opinion.People(chance.New("paperlane/people"), "english")
	targets := opinion.Targets(b, func(p bundle.Product) string {
		if p.Category != "" && tree.Root(string(p.Category)) != "books" {
			return "clothes"
		}
		return "book"
	})
	b.Comments = append(opinion.Comments(chance.New("paperlane/comments"),
		words.ReadLists(texts, "comments.txt"), people, targets,
		opinion.Share{Approved: 800 - len(odd.Comments), Pending: 150, Rejected: 50}), odd.Comments...)
	b.ExpertReviews = opinion.Reviews(chance.New("paperlane/reviews"), words.ReadLists(texts, "reviews.txt"),
		people, targets,
		opinion.Share{Approved: 240, Pending: 45, Rejected: 15})
	return b
}

func brands(lists words.Lists, section string) []bundle.Brand {
	var out []bundle.Brand
	for _, row := range lists.Rows(section) {
		out = append(out, bundle.Brand{
			Slug: row[0], Name: row[1], NameFa: row[2], LogoURL: bundle.Text(media + "brands/" + row[0] + ".svg"),
		})
	}
	return out
}
