// Package sanat is the demo shop sanat-mashin.example: used and new industrial machines, in Persian, priced
// in toman. It shows technical forms, customer listings in four conditions and expert reviews.
package sanat

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
const Domain = "sanat-mashin.example"

const (
	media    = pictures.Path + "sanat-mashin/"
	currency = "IRT"
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
	brands := brands(words.ReadLists(texts, "brands.txt"))
	park := readMachines(texts, tree, brands)

	front, odd := bundle.Read(texts, "front.json"), bundle.Read(texts, "awkward.json")
	b := bundle.Bundle{
		Format:     bundle.Format,
		Tenant:     front.Tenant,
		Profile:    front.Profile,
		Brands:     brands,
		Categories: tree.List(),
	}
	for _, kind := range []string{"blog", "portfolio"} {
		b.Categories = append(b.Categories, catalog.Categories(lists, forms, kind, media).List()...)
	}
	b.Products = append(products(texts, park, odd.Products), odd.Products...)
	b.UserProducts = append(listings(texts, park, odd.UserProducts), odd.UserProducts...)
	site := pages.Site{Media: media, Authors: words.ReadLists(texts, "authors.txt").Get("authors"),
		First: time.Date(2024, 4, 6, 8, 0, 0, 0, time.UTC)}
	b.Blogs = pages.Blogs(chance.New("sanat/blogs"), site, words.ReadArticles(texts, "blogs.txt"))
	b.Portfolios = pages.Portfolios(chance.New("sanat/portfolios"), site,
		words.ReadArticles(texts, "portfolios.txt"))
	b.Sliders, b.CategoryGroups, b.BrandGroups = front.Sliders, front.CategoryGroups, front.BrandGroups
	b.Specials = specials(b.Products)

	people := opinion.People(chance.New("sanat/people"), "persian")
	targets := opinion.Targets(b, func(p bundle.Product) string {
		if p.Category != "" && tree.Root(string(p.Category)) == "road-construction" {
			return "road"
		}
		return "shop"
	})
	b.Comments = append(opinion.Comments(chance.New("sanat/comments"), words.ReadLists(texts, "comments.txt"),
		people, targets,
		opinion.Share{Approved: 300 - len(odd.Comments), Pending: 70, Rejected: 30}), odd.Comments...)
	b.ExpertReviews = opinion.Reviews(chance.New("sanat/reviews"), words.ReadLists(texts, "reviews.txt"), people,
		targets,
		opinion.Share{Approved: 60, Pending: 14, Rejected: 6})
	return b
}

func brands(lists words.Lists) []bundle.Brand {
	var out []bundle.Brand
	for _, row := range lists.Rows("brands") {
		out = append(out, bundle.Brand{
			Slug: row[0], Name: row[1], NameFa: row[2], LogoURL: bundle.Text(media + "brands/" + row[0] + ".svg"),
		})
	}
	return out
}
