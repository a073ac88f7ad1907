package seo

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// Limits of the JSON-LD of a product, so that a page stays small.
const (
	mostOffers       = 100
	MostReviews      = 10
	mostDescription  = 5_000 // characters
	mostReviewedText = 1_000
)

type productLD struct {
	typed
	URL         string     `json:"url,omitempty"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Images      []string   `json:"image,omitempty"`
	SKU         string     `json:"sku,omitempty"`
	Brand       *nameLD    `json:"brand,omitempty"`
	Category    string     `json:"category,omitempty"`
	Offers      any        `json:"offers,omitempty"`
	Rating      *ratingLD  `json:"aggregateRating,omitempty"`
	Reviews     []reviewLD `json:"review,omitempty"`
}

type nameLD struct {
	typed
	Name string `json:"name"`
}

type offerLD struct {
	typed
	URL          string `json:"url,omitempty"`
	SKU          string `json:"sku,omitempty"`
	Name         string `json:"name,omitempty"`
	Price        string `json:"price"`
	Currency     string `json:"priceCurrency"`
	Availability string `json:"availability"`
}

type offersLD struct {
	typed
	LowPrice  string    `json:"lowPrice"`
	HighPrice string    `json:"highPrice"`
	Currency  string    `json:"priceCurrency"`
	Count     int       `json:"offerCount"`
	Offers    []offerLD `json:"offers"`
}

type ratingLD struct {
	typed
	Value json.Number `json:"ratingValue"`
	Best  int         `json:"bestRating"`
	Worst int         `json:"worstRating"`
	Count int         `json:"reviewCount,omitempty"`
}

type reviewLD struct {
	typed
	Author    nameLD   `json:"author"`
	Published string   `json:"datePublished"`
	Body      string   `json:"reviewBody,omitempty"`
	Rating    ratingLD `json:"reviewRating"`
}

// Product returns the JSON-LD of a product with its variants on sale and its newest reviews. Its brand and category
// must be loaded.
func (p Page) Product(product *ent.Product, variants []*ent.Variant, reviews []*ent.ExpertReview) (string, error) {
	page := p.Of(record.ProductPage, product.Slug)
	ld := productLD{
		typed: outermost("Product"), URL: page, Name: p.Title(product.TitleEn, product.TitleFa),
		Description: p.Description(product), Images: p.Images(product.Images),
		Offers:   p.offers(product, page, variants),
		Category: p.Name(record.TextOf(product.CategoryName()), record.TextOf(product.CategoryNameFa())),
	}
	if brand := p.Name(record.TextOf(product.BrandName()), record.TextOf(product.BrandNameFa())); brand != "" {
		ld.Brand = &nameLD{typed{Type: "Brand"}, brand}
	}
	if len(variants) == 1 {
		ld.SKU = variants[0].Sku
	}
	if product.RatingCount > 0 {
		tenths := math.Round(10 * float64(product.RatingSum) / float64(product.RatingCount))
		ld.Rating = &ratingLD{typed: typed{Type: "AggregateRating"}, Value: oneDecimal(tenths),
			Best: 10, Worst: 1, Count: product.RatingCount}
	}
	for _, r := range reviews {
		ld.Reviews = append(ld.Reviews, reviewLD{
			typed: typed{Type: "Review"}, Author: nameLD{typed{Type: "Person"}, r.AuthorName},
			Published: day(r.CreatedAt), Body: Plain(r.Text, mostReviewedText),
			Rating: ratingLD{typed: typed{Type: "Rating"}, Value: json.Number(strconv.Itoa(r.Rate)),
				Best: 10, Worst: 1},
		})
	}
	return text(ld)
}

func oneDecimal(tenths float64) json.Number {
	return json.Number(strconv.FormatFloat(tenths/10, 'f', -1, 64))
}

// Description returns the plain summary of a product, or else its description.
func (p Page) Description(product *ent.Product) string {
	text := cmp.Or(p.Text(product.Summary, product.SummaryFa), p.Text(product.Description, product.DescriptionFa))
	return Plain(text, mostDescription)
}

// Choices returns the labels of the options of a variant.
func (p Page) Choices(product *ent.Product, v *ent.Variant) (words []string) {
	for _, option := range record.OptionsOf(product.Variations, v.Options) {
		words = append(words, p.Name(option.Label, option.LabelFa))
	}
	return words
}

// offers returns the offers of the variants that have a price, as schema.org requires one.
func (p Page) offers(product *ent.Product, page string, variants []*ent.Variant) any {
	var all []offerLD
	var low, high money.Amount
	for _, v := range variants {
		if v.Price == nil {
			continue
		}
		price := money.Amount{Minor: *v.Price, Currency: v.PriceCurrency}.ISO()
		offer := offerLD{typed: typed{Type: "Offer"}, URL: page, SKU: v.Sku,
			Name:  strings.Join(p.Choices(product, v), ", "),
			Price: price.String(), Currency: price.Currency, Availability: "https://schema.org/OutOfStock"}
		if v.Stock > 0 {
			offer.Availability = "https://schema.org/InStock"
		}
		if len(all) == 0 || price.Minor < low.Minor {
			low = price
		}
		if len(all) == 0 || price.Minor > high.Minor {
			high = price
		}
		all = append(all, offer)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return offersLD{typed: typed{Type: "AggregateOffer"}, LowPrice: low.String(), HighPrice: high.String(),
		Currency: low.Currency, Count: len(all), Offers: all[:min(len(all), mostOffers)]}
}
