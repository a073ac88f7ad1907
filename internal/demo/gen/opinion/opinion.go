// Package opinion makes what visitors of a shop write: comments and rated reviews.
package opinion

import (
	"embed"
	"math/rand/v2"
	"slices"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// Target is a published thing that visitors write about.
type Target struct {
	Type  string // product, blog, portfolio
	Voice string // which sections of the lists speak about it
	Slug  string
	Title string
	Since time.Time // when it was published
}

// Share is how many of each status to make.
type Share struct{ Approved, Pending, Rejected int }

// Person is a visitor.
type Person struct{ Name, Email string }

// Targets is what is published by now in a bundle. voice names the sections for a product; those for pages
// have the name of their type.
func Targets(b bundle.Bundle, voice func(bundle.Product) string) []Target {
	var out []Target
	add := func(kind, voice, slug, title, status string, at time.Time) {
		if status == "published" && at.Before(chance.Now.AddDate(0, 0, -2)) {
			out = append(out, Target{Type: kind, Voice: voice, Slug: slug, Title: title, Since: at})
		}
	}
	for _, p := range b.Products {
		title := p.TitleFa
		if b.Tenant.DefaultLocale == "en" && p.TitleEn != "" {
			title = string(p.TitleEn)
		}
		add("product", voice(p), p.Slug, title, p.Status, p.PublishedAt)
	}
	for _, p := range b.Blogs {
		add("blog", "blog", p.Slug, p.TitleFa, p.Status, p.PublishedAt)
	}
	for _, p := range b.Portfolios {
		add("portfolio", "portfolio", p.Slug, p.TitleFa, p.Status, p.PublishedAt)
	}
	return out
}

//go:embed names
var names embed.FS

// Names is the sections [first] and [last] (name | as in an address) of a language, "persian" or "english".
func Names(language string) words.Lists { return words.ReadLists(names, "names/"+language+".txt") }

// People makes every full name of a language once, shuffled.
func People(r *rand.Rand, language string) []Person {
	lists := Names(language)
	var out []Person
	for _, first := range lists.Rows("first") {
		for _, last := range lists.Rows("last") {
			out = append(out, Person{first[0] + " " + last[0], first[1] + "." + last[1] + "@mail.example"})
		}
	}
	return chance.Shuffled(r, out)
}

// statuses is the statuses of a share in random order.
func (s Share) statuses(r *rand.Rand) []string {
	list := slices.Concat(
		slices.Repeat([]string{"approved"}, s.Approved),
		slices.Repeat([]string{"pending"}, s.Pending),
		slices.Repeat([]string{"rejected"}, s.Rejected))
	return chance.Shuffled(r, list)
}

// favoured is one of targets, the first ones more often: some things are talked about, many are not.
func favoured(r *rand.Rand, targets []Target) Target {
	return targets[r.IntN(r.IntN(len(targets))+1)]
}

// moment is a time between the publication of a target and now.
func moment(r *rand.Rand, since time.Time) time.Time {
	span := chance.Now.Sub(since)
	return since.Add(time.Duration(r.Int64N(int64(span)))).Truncate(time.Second)
}

// email is the person's address, in one of three cases: most leave the field empty.
func email(r *rand.Rand, p Person) bundle.Text {
	if r.IntN(3) > 0 {
		return ""
	}
	return bundle.Text(p.Email)
}
