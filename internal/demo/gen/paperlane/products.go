package paperlane

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/catalog"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

const (
	productCount = 600
	bookCount    = 360 // ordinary books; the rest, less the odd ones, are clothes
	variantCount = 2000
)

// draft is a product whose variants are not made yet.
type draft struct {
	bundle.Product
	variations []catalog.Variation
	cents      int64 // price before what the choices add
	least      int   // variants
	most       int
}

// products makes books and clothes in mixed order, so many that odd completes the counts.
func products(texts fs.FS, tree catalog.Tree, odd []bundle.Product) []bundle.Product {
	rest := variantCount
	for _, p := range odd {
		rest -= len(p.Variants)
	}
	drafts := books(chance.New("paperlane/books"), texts, tree, bookCount)
	drafts = append(drafts, clothes(chance.New("paperlane/clothes"), texts, tree,
		productCount-bookCount-len(odd))...)
	r := chance.New("paperlane/variants")
	drafts = chance.Shuffled(r, drafts)
	limits := limits(r, drafts, rest)
	times := chance.Times(r, len(drafts), time.Date(2024, 11, 4, 8, 0, 0, 0, time.UTC), chance.Now)
	var out []bundle.Product
	for i, d := range drafts {
		number := fmt.Sprintf("PL-%04d", 1000+i)
		d.PublishedAt = times[i]
		choices := catalog.Choices(d.variations, limits[i])
		d.Variations = catalog.Used(d.variations, choices)
		d.Variants = variants(r, d, number, choices)
		d.Images = images(number, string(d.TitleEn), chance.Between(r, 1, 3))
		out = append(out, d.Product)
	}
	return out
}

// limits is the number of variants of each product, total together: all have the most, then some lose some.
func limits(r *rand.Rand, drafts []draft, total int) []int {
	out := make([]int, len(drafts))
	for i, d := range drafts {
		out[i] = d.most
		total -= d.most
	}
	for total < 0 {
		if i := r.IntN(len(out)); out[i] > drafts[i].least {
			out[i]--
			total++
		}
	}
	if total != 0 {
		panic("too few variants")
	}
	return out
}

// variants returns each choice its price and stock. A festival covers the whole product.
func variants(r *rand.Rand, d draft, number string, choices []catalog.Choice) []bundle.Variant {
	festival := r.IntN(7) == 0
	var out []bundle.Variant
	for i, c := range choices {
		usual := nice(d.cents * int64(100+c.Percent) / 100)
		v := bundle.Variant{
			SKU: fmt.Sprintf("%s-%02d", number, i+1), Options: c.Options, Price: bundle.Cents(usual),
			PriceCurrency: currency,
			Stock:         stock(r), IsFestival: festival, OnSale: r.IntN(60) > 0,
		}
		if festival {
			v.Price, v.CompareAtPrice = bundle.Cents(nice(usual*int64(chance.Between(r, 60, 85))/100)),
				bundle.Cents(usual)
		}
		if c.Options["format"] == "ebook" || c.Options["format"] == "audio" {
			v.Stock, v.MaxOrderQuantity = 9999, new(1)
		}
		if colour := c.Options["colour"]; colour != "" {
			v.ImageURL = media + "products/" + number + "-" + colour + ".svg"
		}
		out = append(out, v)
	}
	return out
}

// nice is a price that ends in 50 or 99 cents.
func nice(cents int64) int64 {
	dollars := cents / 100
	if cents%100 < 50 {
		return dollars*100 + 50
	}
	return dollars*100 + 99
}

// stock is often plenty, sometimes little, sometimes nothing.
func stock(r *rand.Rand) int {
	switch r.IntN(10) {
	case 0:
		return 0
	case 1, 2:
		return chance.Between(r, 1, 10)
	default:
		return chance.Between(r, 11, 180)
	}
}

func images(number, alt string, n int) []bundle.Image {
	var out []bundle.Image
	for i := range n {
		id := fmt.Sprintf("%s-%d", number, i+1)
		out = append(out, bundle.Image{MediaID: id, URL: media + "products/" + id + ".svg", Alt: alt})
	}
	return out
}

// slugs hands out each slug once.
type slugs map[string]bool

func (s slugs) free(title string) (string, bool) {
	slug := words.Slug(title)
	if s[slug] {
		return "", false
	}
	s[slug] = true
	return slug, true
}
