package demo_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"storefront/internal/demo"
)

// These are the three shops, in the order of demo.Bundles.
const (
	sanat = iota
	paperlane
	memar
)

// shops reads the demo shops. It fails for unknown members.
func shops(t testing.TB) (all []Bundle) {
	t.Helper()
	for _, file := range demo.Bundles() {
		from := json.NewDecoder(bytes.NewReader(unpack(t, file.Data)))
		from.DisallowUnknownFields()
		var b Bundle
		if err := from.Decode(&b); err != nil {
			t.Fatalf("%s: %v", file.Domain, err)
		}
		all = append(all, b)
	}
	return all
}

// Amount is a price as a JSON number in the unit of its currency, with its digits unchanged; empty: "ask".
type Amount string

// UnmarshalJSON keeps the digits of the number.
func (a *Amount) UnmarshalJSON(data []byte) error {
	*a = Amount(strings.TrimPrefix(string(data), "null"))
	return nil
}

// Bundle is one tenant with all its content.
type Bundle struct {
	Format         string        `json:"format"`
	Tenant         Tenant        `json:"tenant"`
	Profile        Profile       `json:"profile"`
	Brands         []Brand       `json:"brands"`
	Categories     []Category    `json:"categories"`
	Products       []Product     `json:"products"`
	UserProducts   []UserProduct `json:"userProducts"`
	Blogs          []Blog        `json:"blogs"`
	Portfolios     []Portfolio   `json:"portfolios"`
	Sliders        []Slider      `json:"sliders"`
	CategoryGroups []Group       `json:"categoryGroups"`
	BrandGroups    []Group       `json:"brandGroups"`
	Specials       []Special     `json:"specials"`
	Comments       []Comment     `json:"comments"`
	ExpertReviews  []Review      `json:"expertReviews"`
}

type Tenant struct {
	Domain        string `json:"domain"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	NameFa        string `json:"nameFa"`
	PrimaryColor  string `json:"primaryColor"`
	DefaultLocale string `json:"defaultLocale"`
	LogoURL       string `json:"logoUrl"`
	FaviconURL    string `json:"faviconUrl"`
}

type Profile struct {
	About          string       `json:"about"`
	AboutFa        string       `json:"aboutFa"`
	Phones         []string     `json:"phones"`
	Emails         []string     `json:"emails"`
	Addresses      []Address    `json:"addresses"`
	SocialLinks    []SocialLink `json:"socialLinks"`
	WorkingHours   string       `json:"workingHours"`
	WorkingHoursFa string       `json:"workingHoursFa"`
}

type Address struct {
	Title      string  `json:"title"`
	TitleFa    string  `json:"titleFa"`
	Address    string  `json:"address"`
	AddressFa  string  `json:"addressFa"`
	Province   string  `json:"province"`
	City       string  `json:"city"`
	CityFa     string  `json:"cityFa"`
	PostalCode string  `json:"postalCode"`
	Latitude   float64 `json:"latitude"`
	Longitude  float64 `json:"longitude"`
}

type SocialLink struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type Brand struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	NameFa  string `json:"nameFa"`
	LogoURL string `json:"logoUrl"`
}

type Category struct {
	EntityType    string `json:"entityType"`
	Slug          string `json:"slug"`
	ParentSlug    string `json:"parentSlug"`
	Name          string `json:"name"`
	NameFa        string `json:"nameFa"`
	ImageURL      string `json:"imageUrl"`
	Description   string `json:"description"`
	DescriptionFa string `json:"descriptionFa"`
	Position      int    `json:"position"`
	Form          *Form  `json:"form"`
}

// Form describes the fields of a category's products and listings.
type Form struct {
	Title   string  `json:"title"`
	TitleFa string  `json:"titleFa"`
	Fields  []Field `json:"fields"`
}

type Field struct {
	Key      string   `json:"key"`
	Label    string   `json:"label"`
	LabelFa  string   `json:"labelFa"`
	Type     string   `json:"type"` // text, number, boolean, select, multiselect
	Unit     string   `json:"unit"`
	UnitFa   string   `json:"unitFa"`
	Required bool     `json:"required"`
	Options  []Option `json:"options"`
}

type Option struct {
	Value   string `json:"value"`
	Label   string `json:"label"`
	LabelFa string `json:"labelFa"`
}

type Image struct {
	MediaID string `json:"mediaId"`
	URL     string `json:"url"`
	Alt     string `json:"alt"`
	AltFa   string `json:"altFa"`
	Size
}

// Size is the size and colour shown while an image loads.
type Size struct {
	Width            int    `json:"width"`
	Height           int    `json:"height"`
	PlaceholderColor string `json:"placeholderColor"`
}

type SEO struct {
	Title         string `json:"title"`
	Description   string `json:"description"`
	DescriptionFa string `json:"descriptionFa"`
}

type Slider struct {
	Key      string  `json:"key"`
	Title    string  `json:"title"`
	TitleFa  string  `json:"titleFa"`
	Position int     `json:"position"`
	Slides   []Slide `json:"slides"`
}

type Slide struct {
	Title      string `json:"title"`
	TitleFa    string `json:"titleFa"`
	Subtitle   string `json:"subtitle"`
	SubtitleFa string `json:"subtitleFa"`
	ImageURL   string `json:"imageUrl"`
	Alt        string `json:"alt"`
	AltFa      string `json:"altFa"`
	Size
	LinkURL      string `json:"linkUrl"`
	ButtonText   string `json:"buttonText"`
	ButtonTextFa string `json:"buttonTextFa"`
	Position     int    `json:"position"`
}

// Group is a category group or a brand group: one of the two lists is set.
type Group struct {
	Key        string   `json:"key"`
	Title      string   `json:"title"`
	TitleFa    string   `json:"titleFa"`
	Categories []string `json:"categories"`
	Brands     []string `json:"brands"`
}

type Special struct {
	Key      string    `json:"key"`
	Title    string    `json:"title"`
	TitleFa  string    `json:"titleFa"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt"`
	Variants []string  `json:"variants"` // SKUs
}

type Product struct {
	Slug        string         `json:"slug"`
	TitleFa     string         `json:"titleFa"`
	TitleEn     string         `json:"titleEn"`
	Summary     string         `json:"summary"`
	Description string         `json:"description"`
	Category    string         `json:"category"`
	Brand       string         `json:"brand"`
	Tags        []string       `json:"tags"`
	Images      []Image        `json:"images"`
	SEO         *SEO           `json:"seo"`
	Status      string         `json:"status"`
	PublishedAt time.Time      `json:"publishedAt"`
	Values      map[string]any `json:"values"`
	Variations  []Variation    `json:"variations"`
	Variants    []Variant      `json:"variants"`
}

type Variation struct {
	Key    string           `json:"key"`
	Name   string           `json:"name"`
	NameFa string           `json:"nameFa"`
	Values []VariationValue `json:"values"`
}

type VariationValue struct {
	Key      string `json:"key"`
	Label    string `json:"label"`
	LabelFa  string `json:"labelFa"`
	ColorHex string `json:"colorHex"`
}

type Variant struct {
	SKU              string            `json:"sku"`
	Options          map[string]string `json:"options"`
	Price            Amount            `json:"price"`
	CompareAtPrice   Amount            `json:"compareAtPrice"`
	PriceCurrency    string            `json:"priceCurrency"`
	Stock            int               `json:"stock"`
	IsFestival       bool              `json:"isFestival"`
	MaxOrderQuantity *int              `json:"maxOrderQuantity"`
	ImageURL         string            `json:"imageUrl"`
	OnSale           bool              `json:"onSale"`
}

type UserProduct struct {
	Slug           string         `json:"slug"`
	TitleFa        string         `json:"titleFa"`
	TitleEn        string         `json:"titleEn"`
	Description    string         `json:"description"`
	Price          Amount         `json:"price"`
	PriceCurrency  string         `json:"priceCurrency"`
	Condition      string         `json:"condition"`
	Category       string         `json:"category"`
	City           string         `json:"city"`
	Province       string         `json:"province"`
	Country        string         `json:"country"`
	Images         []Image        `json:"images"`
	Promoted       bool           `json:"promoted"`
	Status         string         `json:"status"`
	PublishedAt    time.Time      `json:"publishedAt"`
	Values         map[string]any `json:"values"`
	DeliveryNotes  string         `json:"deliveryNotes"`
	TechnicalNotes string         `json:"technicalNotes"`
}

type Blog struct {
	Slug        string    `json:"slug"`
	Type        string    `json:"type"` // news, article, blog
	TitleFa     string    `json:"titleFa"`
	TitleEn     string    `json:"titleEn"`
	Summary     string    `json:"summary"`
	SummaryFa   string    `json:"summaryFa"`
	Body        string    `json:"body"`
	Category    string    `json:"category"`
	Tags        []string  `json:"tags"`
	AuthorName  string    `json:"authorName"`
	Images      []Image   `json:"images"`
	SEO         *SEO      `json:"seo"`
	Status      string    `json:"status"`
	PublishedAt time.Time `json:"publishedAt"`
}

type Portfolio struct {
	Slug        string    `json:"slug"`
	TitleFa     string    `json:"titleFa"`
	TitleEn     string    `json:"titleEn"`
	Summary     string    `json:"summary"`
	Body        string    `json:"body"`
	Category    string    `json:"category"`
	Tags        []string  `json:"tags"`
	Images      []Image   `json:"images"`
	SEO         *SEO      `json:"seo"`
	ClientName  string    `json:"clientName"`
	CompletedOn string    `json:"completedOn"` // YYYY-MM-DD
	Status      string    `json:"status"`
	PublishedAt time.Time `json:"publishedAt"`
}

type Comment struct {
	EntityType  string    `json:"entityType"`
	Entity      string    `json:"entity"` // slug
	AuthorName  string    `json:"authorName"`
	AuthorEmail string    `json:"authorEmail"`
	Text        string    `json:"text"`
	Status      string    `json:"status"`
	CreatedAt   time.Time `json:"createdAt"`
}

type Review struct {
	Product        string    `json:"product"` // slug
	AuthorName     string    `json:"authorName"`
	AuthorEmail    string    `json:"authorEmail"`
	Rate           int       `json:"rate"` // 1..10
	PositivePoints []string  `json:"positivePoints"`
	NegativePoints []string  `json:"negativePoints"`
	Text           string    `json:"text"`
	Status         string    `json:"status"`
	CreatedAt      time.Time `json:"createdAt"`
}
