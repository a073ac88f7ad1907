package bundle

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/money"
	"storefront/internal/record"
)

// The elements of a bundle as they are written: contract 6.2, with every member.

type tenantOut struct {
	Domain        string  `json:"domain"`
	Slug          string  `json:"slug"`
	Name          string  `json:"name"`
	NameFa        string  `json:"nameFa"`
	PrimaryColor  *string `json:"primaryColor"`
	DefaultLocale string  `json:"defaultLocale"`
	LogoURL       *string `json:"logoUrl"`
	FaviconURL    *string `json:"faviconUrl"`
}

type profileOut struct {
	About        *string                  `json:"about"`
	AboutFa      *string                  `json:"aboutFa"`
	Phones       []string                 `json:"phones"`
	Emails       []string                 `json:"emails"`
	Addresses    []record.BusinessAddress `json:"addresses"`
	SocialLinks  []record.SocialLink      `json:"socialLinks"`
	WorkingHours *string                  `json:"workingHours"`
}

type brandOut struct {
	Slug    string  `json:"slug"`
	Name    string  `json:"name"`
	NameFa  string  `json:"nameFa"`
	LogoURL *string `json:"logoUrl"`
}

type categoryOut struct {
	EntityType  record.EntityType `json:"entityType"`
	Slug        string            `json:"slug"`
	ParentSlug  *string           `json:"parentSlug"`
	Name        string            `json:"name"`
	NameFa      string            `json:"nameFa"`
	ImageURL    *string           `json:"imageUrl"`
	Description *string           `json:"description"`
	Position    int               `json:"position"`
	Form        *formOut          `json:"form"`
}

type formOut struct {
	Title   string             `json:"title"`
	TitleFa string             `json:"titleFa"`
	Fields  []record.FormField `json:"fields"`
}

type seoOut struct {
	Title       *string `json:"title"`
	Description *string `json:"description"`
}

// imageOut is a record.Media with its members even where they are null: an import leaves what is absent as it is.
type imageOut struct {
	MediaID          string  `json:"mediaId"`
	URL              string  `json:"url"`
	Alt              *string `json:"alt"`
	Width            *int    `json:"width"`
	Height           *int    `json:"height"`
	PlaceholderColor *string `json:"placeholderColor"`
}

func imagesOut(images []record.Media) []imageOut {
	out := make([]imageOut, len(images))
	for i, one := range images {
		out[i] = imageOut(one)
	}
	return out
}

// contentOut is what products, blogs and portfolios have in common.
type contentOut struct {
	Slug        string        `json:"slug"`
	TitleFa     string        `json:"titleFa"`
	TitleEn     *string       `json:"titleEn"`
	Summary     *string       `json:"summary"`
	Category    *string       `json:"category"`
	Tags        []string      `json:"tags"`
	Images      []imageOut    `json:"images"`
	SEO         seoOut        `json:"seo"`
	Status      record.Status `json:"status"`
	PublishedAt time.Time     `json:"publishedAt"`
}

type productOut struct {
	contentOut
	Description *string        `json:"description"`
	Brand       *string        `json:"brand"`
	Values      record.Values  `json:"values"`
	OtherValues record.Values  `json:"otherValues"`
	Variations  []variationOut `json:"variations"`
	Variants    []variantOut   `json:"variants"`
}

type variationOut struct {
	Key    string              `json:"key"`
	Name   string              `json:"name"`
	NameFa string              `json:"nameFa"`
	Values []variationValueOut `json:"values"`
}

type variationValueOut struct {
	Key      string  `json:"key"`
	Label    string  `json:"label"`
	LabelFa  string  `json:"labelFa"`
	ColorHex *string `json:"colorHex"`
}

type variantOut struct {
	SKU              string            `json:"sku"`
	Options          map[string]string `json:"options"`
	Price            jsontext.Value    `json:"price"`
	CompareAtPrice   jsontext.Value    `json:"compareAtPrice"`
	PriceCurrency    string            `json:"priceCurrency"`
	Stock            int               `json:"stock"`
	IsFestival       bool              `json:"isFestival"`
	MaxOrderQuantity *int              `json:"maxOrderQuantity"`
	ImageURL         *string           `json:"imageUrl"`
	OnSale           bool              `json:"onSale"`
}

type userProductOut struct {
	Slug           string           `json:"slug"`
	TitleFa        string           `json:"titleFa"`
	TitleEn        *string          `json:"titleEn"`
	Description    *string          `json:"description"`
	Price          jsontext.Value   `json:"price"`
	PriceCurrency  string           `json:"priceCurrency"`
	Condition      record.Condition `json:"condition"`
	Category       *string          `json:"category"`
	City           *string          `json:"city"`
	Province       *string          `json:"province"`
	Country        *string          `json:"country"`
	Images         []imageOut       `json:"images"`
	Promoted       bool             `json:"promoted"`
	Status         string           `json:"status"`
	PublishedAt    time.Time        `json:"publishedAt"`
	Values         record.Values    `json:"values"`
	OtherValues    record.Values    `json:"otherValues"`
	DeliveryNotes  *string          `json:"deliveryNotes"`
	TechnicalNotes *string          `json:"technicalNotes"`
}

type blogOut struct {
	contentOut
	Type       record.BlogType `json:"type"`
	Body       string          `json:"body"`
	AuthorName *string         `json:"authorName"`
}

type portfolioOut struct {
	contentOut
	Body        string  `json:"body"`
	ClientName  *string `json:"clientName"`
	CompletedOn *string `json:"completedOn"`
}

type sliderOut struct {
	Key      string     `json:"key"`
	Title    *string    `json:"title"`
	Position int        `json:"position"`
	Slides   []slideOut `json:"slides"`
}

type slideOut struct {
	Title      *string `json:"title"`
	Subtitle   *string `json:"subtitle"`
	ImageURL   string  `json:"imageUrl"`
	LinkURL    *string `json:"linkUrl"`
	ButtonText *string `json:"buttonText"`
	Position   int     `json:"position"`

	Alt              *string `json:"alt"`
	Width            *int    `json:"width"`
	Height           *int    `json:"height"`
	PlaceholderColor *string `json:"placeholderColor"`
}

type categoryGroupOut struct {
	Key        string   `json:"key"`
	Title      string   `json:"title"`
	Categories []string `json:"categories"`
}

type brandGroupOut struct {
	Key    string   `json:"key"`
	Title  string   `json:"title"`
	Brands []string `json:"brands"`
}

type specialOut struct {
	Key      string     `json:"key"`
	Title    string     `json:"title"`
	StartsAt *time.Time `json:"startsAt"`
	EndsAt   *time.Time `json:"endsAt"`
	Variants []string   `json:"variants"`
}

type commentOut struct {
	EntityType  record.EntityType `json:"entityType"`
	Entity      string            `json:"entity"`
	AuthorName  string            `json:"authorName"`
	AuthorEmail *string           `json:"authorEmail"`
	Text        string            `json:"text"`
	Status      record.Moderation `json:"status"`
	CreatedAt   time.Time         `json:"createdAt"`
}

type reviewOut struct {
	Product        string            `json:"product"`
	AuthorName     string            `json:"authorName"`
	AuthorEmail    *string           `json:"authorEmail"`
	Rate           int               `json:"rate"`
	PositivePoints []string          `json:"positivePoints"`
	NegativePoints []string          `json:"negativePoints"`
	Text           string            `json:"text"`
	Status         record.Moderation `json:"status"`
	CreatedAt      time.Time         `json:"createdAt"`
}

// priceOut writes an amount in its currency's unit, nil as null.
func priceOut(minor *int64, currency string) jsontext.Value {
	if minor == nil {
		return nil
	}
	return money.Amount{Minor: *minor, Currency: currency}.AppendJSON(nil)
}

func utc(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	moved := at.UTC()
	return &moved
}
