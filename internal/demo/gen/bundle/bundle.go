// Package bundle holds the records of a tenant bundle (contract 6.2) as the demo generator writes
// them.
package bundle

import "time"

// Format is the value of the first member of every bundle.
const Format = "storefront-bundle/1"

// Bundle is one tenant with all its content.
type Bundle struct {
	Format         string        `json:"format"`
	Tenant         Tenant        `json:"tenant"`
	Profile        Profile       `json:"profile"`
	Brands         []Brand       `json:"brands,omitempty"`
	Categories     []Category    `json:"categories,omitempty"`
	Products       []Product     `json:"products,omitempty"`
	UserProducts   []UserProduct `json:"userProducts,omitempty"`
	Blogs          []Blog        `json:"blogs,omitempty"`
	Portfolios     []Portfolio   `json:"portfolios,omitempty"`
	Sliders        []Slider      `json:"sliders,omitempty"`
	CategoryGroups []Group       `json:"categoryGroups,omitempty"`
	BrandGroups    []Group       `json:"brandGroups,omitempty"`
	Specials       []Special     `json:"specials,omitempty"`
	Comments       []Comment     `json:"comments,omitempty"`
	ExpertReviews  []Review      `json:"expertReviews,omitempty"`
}

type Tenant struct {
	Domain        string `json:"domain"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	NameFa        string `json:"nameFa"`
	PrimaryColor  Text   `json:"primaryColor"`
	DefaultLocale string `json:"defaultLocale"`
	LogoURL       Text   `json:"logoUrl"`
	FaviconURL    Text   `json:"faviconUrl"`
}

type Profile struct {
	About        Text         `json:"about"`
	AboutFa      Text         `json:"aboutFa"`
	Phones       []string     `json:"phones"`
	Emails       []string     `json:"emails"`
	Addresses    []Address    `json:"addresses"`
	SocialLinks  []SocialLink `json:"socialLinks"`
	WorkingHours Text         `json:"workingHours"`
}

type Address struct {
	Title      string  `json:"title,omitempty"`
	Address    string  `json:"address"`
	Province   string  `json:"province,omitempty"`
	City       string  `json:"city,omitempty"`
	PostalCode string  `json:"postalCode,omitempty"`
	Latitude   float64 `json:"latitude,omitempty"`
	Longitude  float64 `json:"longitude,omitempty"`
}

type SocialLink struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type Brand struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	NameFa  string `json:"nameFa"`
	LogoURL Text   `json:"logoUrl"`
}

type Category struct {
	EntityType  string `json:"entityType"`
	Slug        string `json:"slug"`
	ParentSlug  string `json:"parentSlug,omitempty"`
	Name        string `json:"name"`
	NameFa      string `json:"nameFa"`
	ImageURL    string `json:"imageUrl,omitempty"`
	Description string `json:"description,omitempty"`
	Position    int    `json:"position"`
	Form        *Form  `json:"form,omitempty"`
}

// Form is what a category asks about its products and listings.
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
	Unit     string   `json:"unit,omitempty"`
	UnitFa   string   `json:"unitFa,omitempty"`
	Required bool     `json:"required,omitempty"`
	Options  []Option `json:"options,omitempty"`
}

type Option struct {
	Value   string `json:"value"`
	Label   string `json:"label"`
	LabelFa string `json:"labelFa"`
}

type Image struct {
	MediaID string `json:"mediaId,omitempty"`
	URL     string `json:"url"`
	Alt     string `json:"alt,omitempty"`
	Size
}

// Size is how an image is shown before it is there.
type Size struct {
	Width            int    `json:"width,omitempty"`
	Height           int    `json:"height,omitempty"`
	PlaceholderColor string `json:"placeholderColor,omitempty"`
}

type SEO struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
}

type Slider struct {
	Key      string  `json:"key"`
	Title    string  `json:"title,omitempty"`
	Position int     `json:"position"`
	Slides   []Slide `json:"slides"`
}

type Slide struct {
	Title    string `json:"title,omitempty"`
	Subtitle string `json:"subtitle,omitempty"`
	ImageURL string `json:"imageUrl"`
	Alt      string `json:"alt,omitempty"`
	Size
	LinkURL    string `json:"linkUrl,omitempty"`
	ButtonText string `json:"buttonText,omitempty"`
	Position   int    `json:"position"`
}

// Group is a category group or a brand group: one of the two lists is set.
type Group struct {
	Key        string   `json:"key"`
	Title      string   `json:"title"`
	Categories []string `json:"categories,omitempty"`
	Brands     []string `json:"brands,omitempty"`
}

type Special struct {
	Key      string    `json:"key"`
	Title    string    `json:"title"`
	StartsAt time.Time `json:"startsAt,omitzero"`
	EndsAt   time.Time `json:"endsAt,omitzero"`
	Variants []string  `json:"variants"` // SKUs
}
