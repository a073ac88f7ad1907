package bundle

import "time"

type Product struct {
	Slug        string         `json:"slug"`
	TitleFa     string         `json:"titleFa"`
	TitleEn     Text           `json:"titleEn"`
	Summary     Text           `json:"summary"`
	Description Text           `json:"description"`
	Category    Text           `json:"category"`
	Brand       Text           `json:"brand"`
	Tags        []string       `json:"tags,omitempty"`
	Images      []Image        `json:"images,omitempty"`
	SEO         *SEO           `json:"seo,omitempty"`
	Status      string         `json:"status"`
	PublishedAt time.Time      `json:"publishedAt"`
	Values      map[string]any `json:"values,omitempty"`
	Variations  []Variation    `json:"variations,omitempty"`
	Variants    []Variant      `json:"variants,omitempty"`
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
	ColorHex string `json:"colorHex,omitempty"`
}

type Variant struct {
	SKU              string            `json:"sku"`
	Options          map[string]string `json:"options,omitempty"`
	Price            Amount            `json:"price"`
	CompareAtPrice   Amount            `json:"compareAtPrice"`
	PriceCurrency    string            `json:"priceCurrency"`
	Stock            int               `json:"stock"`
	IsFestival       bool              `json:"isFestival"`
	MaxOrderQuantity *int              `json:"maxOrderQuantity"`
	ImageURL         string            `json:"imageUrl,omitempty"`
	OnSale           bool              `json:"onSale"`
}

type UserProduct struct {
	Slug           string         `json:"slug"`
	TitleFa        string         `json:"titleFa"`
	TitleEn        Text           `json:"titleEn"`
	Description    Text           `json:"description"`
	Price          Amount         `json:"price"`
	PriceCurrency  string         `json:"priceCurrency"`
	Condition      string         `json:"condition"`
	Category       Text           `json:"category"`
	City           Text           `json:"city"`
	Province       Text           `json:"province"`
	Country        Text           `json:"country"`
	Images         []Image        `json:"images,omitempty"`
	Promoted       bool           `json:"promoted"`
	Status         string         `json:"status"`
	PublishedAt    time.Time      `json:"publishedAt"`
	Values         map[string]any `json:"values,omitempty"`
	DeliveryNotes  Text           `json:"deliveryNotes"`
	TechnicalNotes Text           `json:"technicalNotes"`
}

type Blog struct {
	Slug        string    `json:"slug"`
	Type        string    `json:"type"` // news, article, blog
	TitleFa     string    `json:"titleFa"`
	TitleEn     Text      `json:"titleEn"`
	Summary     Text      `json:"summary"`
	Body        string    `json:"body"`
	Category    Text      `json:"category"`
	Tags        []string  `json:"tags,omitempty"`
	AuthorName  Text      `json:"authorName"`
	Images      []Image   `json:"images,omitempty"`
	SEO         *SEO      `json:"seo,omitempty"`
	Status      string    `json:"status"`
	PublishedAt time.Time `json:"publishedAt"`
}

type Portfolio struct {
	Slug        string    `json:"slug"`
	TitleFa     string    `json:"titleFa"`
	TitleEn     Text      `json:"titleEn"`
	Summary     Text      `json:"summary"`
	Body        string    `json:"body"`
	Category    Text      `json:"category"`
	Tags        []string  `json:"tags,omitempty"`
	Images      []Image   `json:"images,omitempty"`
	SEO         *SEO      `json:"seo,omitempty"`
	ClientName  Text      `json:"clientName"`
	CompletedOn Text      `json:"completedOn"` // YYYY-MM-DD
	Status      string    `json:"status"`
	PublishedAt time.Time `json:"publishedAt"`
}

type Comment struct {
	EntityType  string    `json:"entityType"`
	Entity      string    `json:"entity"` // slug
	AuthorName  string    `json:"authorName"`
	AuthorEmail Text      `json:"authorEmail"`
	Text        string    `json:"text"`
	Status      string    `json:"status"`
	CreatedAt   time.Time `json:"createdAt"`
}

type Review struct {
	Product        string    `json:"product"` // slug
	AuthorName     string    `json:"authorName"`
	AuthorEmail    Text      `json:"authorEmail"`
	Rate           int       `json:"rate"` // 1..10
	PositivePoints []string  `json:"positivePoints"`
	NegativePoints []string  `json:"negativePoints"`
	Text           string    `json:"text"`
	Status         string    `json:"status"`
	CreatedAt      time.Time `json:"createdAt"`
}
