// Package record holds the parts of a record that are stored as JSON inside its row, and the enumerations
// that several tables share. JSON member names are those of the API and of tenant bundles.
package record

import (
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"storefront/internal/platform/convert"
)

// TextOf returns an optional text of a record, or "" if there is none.
func TextOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Media is an image of a record. The first one in a list is the record's main image.
type Media struct {
	MediaID string  `json:"mediaId"`
	URL     string  `json:"url"`
	Alt     *string `json:"alt,omitempty"`
	AltFa   *string `json:"altFa,omitempty"`

	Width            *int    `json:"width,omitempty"`            // pixels
	Height           *int    `json:"height,omitempty"`           // pixels
	PlaceholderColor *string `json:"placeholderColor,omitempty"` // #rrggbb
}

// First returns the first image, or nil if there is none.
func First(images []Media) *Media {
	if len(images) == 0 {
		return nil
	}
	return &images[0]
}

// WithURL returns the image with an address: one of images, or else a new one without a size and with the
// given id.
func WithURL(images []Media, url, id string) *Media {
	for i := range images {
		if images[i].URL == url {
			return &images[i]
		}
	}
	return ofAddress(url, id)
}

// FirstURL returns the URL of the first image, or nil if there is none.
func FirstURL(images []Media) *string {
	if len(images) == 0 {
		return nil
	}
	return &images[0].URL
}

// FirstID returns the media id of the first image, or nil if there is none.
func FirstID(images []Media) *string {
	if len(images) == 0 {
		return nil
	}
	return &images[0].MediaID
}

// MediaIDs returns the media ids of all images, in order.
func MediaIDs(images []Media) []string {
	return convert.All(images, func(image Media) string { return image.MediaID })
}

// SEO is the data of a page for search engines.
type SEO struct {
	Title         *string `json:"title,omitempty"`
	TitleFa       *string `json:"titleFa,omitempty"`
	Description   *string `json:"description,omitempty"`
	DescriptionFa *string `json:"descriptionFa,omitempty"`
}

// Variation is a property that distinguishes a product's variants, such as its colour.
type Variation struct {
	ID     string           `json:"id"`
	Key    string           `json:"key"`
	Name   string           `json:"name"`
	NameFa string           `json:"nameFa"`
	Values []VariationValue `json:"values"`
}

// VariationValue is one choice of a Variation.
type VariationValue struct {
	ID       string  `json:"id"`
	Key      string  `json:"key"`
	Label    string  `json:"label"`
	LabelFa  string  `json:"labelFa"`
	ColorHex *string `json:"colorHex,omitempty"`
}

// VariantOption is one of the choices that make a variant, with their labels.
type VariantOption struct {
	Key     string `json:"key"` // of the variation
	Name    string `json:"name"`
	NameFa  string `json:"nameFa"`
	Value   string `json:"value"` // key of the choice
	Label   string `json:"label"`
	LabelFa string `json:"labelFa"`
}

// OptionsOf returns the choices of a variant, which are value keys by variation key, in the order of its
// product's variations.
func OptionsOf(variations []Variation, chosen map[string]string) []VariantOption {
	options := []VariantOption{}
	for _, variation := range variations {
		for _, choice := range variation.Values {
			if choice.Key == chosen[variation.Key] {
				options = append(options, VariantOption{
					Key:     variation.Key,
					Name:    variation.Name,
					NameFa:  variation.NameFa,
					Value:   choice.Key,
					Label:   choice.Label,
					LabelFa: choice.LabelFa,
				})
				break
			}
		}
	}
	return options
}

// GoneVariant is what the lines of carts keep of a variant that was deleted.
type GoneVariant struct {
	ID       uuid.UUID       `json:"id"`
	Product  uuid.UUID       `json:"productId"`
	Slug     string          `json:"productSlug"`
	TitleFa  string          `json:"titleFa"`
	TitleEn  *string         `json:"titleEn"`
	Sku      string          `json:"sku"`
	Options  []VariantOption `json:"options"`
	Image    *Media          `json:"image"`
	Currency string          `json:"currency"`
}

// Form is a category's technical form: the fields whose values products and listings of the category give.
type Form struct {
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	TitleFa string      `json:"titleFa"`
	Fields  []FormField `json:"fields"`
}

// Asks reports whether the form has a field that an answer fits. f may be nil.
func (f *Form) Asks(key string, answer json.RawMessage) bool {
	return f != nil && slices.ContainsFunc(f.Fields, func(field FormField) bool {
		return field.Key == key && field.Type.Fits(answer)
	})
}

// FormField is one question of a Form.
type FormField struct {
	Key      string       `json:"key"`
	Label    string       `json:"label"`
	LabelFa  string       `json:"labelFa"`
	Type     FieldType    `json:"type"`
	Unit     *string      `json:"unit,omitempty"`
	UnitFa   *string      `json:"unitFa,omitempty"`
	Required bool         `json:"required,omitempty"`
	Options  []FormOption `json:"options,omitempty"`
}

// JSONKind is a kind of JSON values, as PostgreSQL names them.
type JSONKind string

// The kinds of JSON values that answers may be.
const (
	JSONString  JSONKind = "string"
	JSONNumber  JSONKind = "number"
	JSONBoolean JSONKind = "boolean"
	JSONArray   JSONKind = "array"
)

// JSONKind returns the kind of JSON of the answers to fields of the type.
func (t FieldType) JSONKind() JSONKind {
	switch t {
	case Text, Select:
		return JSONString
	case Boolean:
		return JSONBoolean
	case Multiselect:
		return JSONArray
	default:
		return JSONNumber
	}
}

// Fits reports whether an answer is of the kind that fields of the type have. Other answers were given when
// the field with this key had another type.
func (t FieldType) Fits(answer json.RawMessage) bool {
	if len(answer) == 0 {
		return false
	}
	switch first := answer[0]; t.JSONKind() {
	case JSONString:
		return first == '"'
	case JSONBoolean:
		return first == 't' || first == 'f'
	case JSONArray:
		return first == '['
	default:
		return first == '-' || '0' <= first && first <= '9'
	}
}

// FormOption is one choice of a select or multiselect field.
type FormOption struct {
	Value   string `json:"value"`
	Label   string `json:"label"`
	LabelFa string `json:"labelFa"`
}

// Values are a record's answers to its Form: JSON strings, numbers, booleans or lists of strings by field
// key.
type Values map[string]json.RawMessage

// Slide is one picture of a slider.
type Slide struct {
	ID           string  `json:"id"`
	Title        *string `json:"title,omitempty"`
	TitleFa      *string `json:"titleFa,omitempty"`
	Subtitle     *string `json:"subtitle,omitempty"`
	SubtitleFa   *string `json:"subtitleFa,omitempty"`
	ImageURL     string  `json:"imageUrl"`
	LinkURL      *string `json:"linkUrl,omitempty"`
	ButtonText   *string `json:"buttonText,omitempty"`
	ButtonTextFa *string `json:"buttonTextFa,omitempty"`
	Position     int     `json:"position,omitempty"`

	Alt              *string `json:"alt,omitempty"`
	AltFa            *string `json:"altFa,omitempty"`
	Width            *int    `json:"width,omitempty"`            // of the image, in pixels
	Height           *int    `json:"height,omitempty"`           // of the image, in pixels
	PlaceholderColor *string `json:"placeholderColor,omitempty"` // #rrggbb
}

// Image is the slide's picture. It has the id of the slide.
func (s *Slide) Image() *Media {
	return &Media{
		MediaID: s.ID, URL: s.ImageURL, Alt: s.Alt, AltFa: s.AltFa,
		Width: s.Width, Height: s.Height, PlaceholderColor: s.PlaceholderColor,
	}
}

// SetImage gives the slide's picture the texts, size and colour of an image.
func (s *Slide) SetImage(m Media) {
	s.Alt, s.AltFa = m.Alt, m.AltFa
	s.Width, s.Height, s.PlaceholderColor = m.Width, m.Height, m.PlaceholderColor
}

// BusinessAddress is an address of the business.
type BusinessAddress struct {
	Title      *string  `json:"title,omitempty"`
	TitleFa    *string  `json:"titleFa,omitempty"`
	Address    string   `json:"address"`
	AddressFa  *string  `json:"addressFa,omitempty"`
	Province   *string  `json:"province,omitempty"`
	ProvinceFa *string  `json:"provinceFa,omitempty"`
	City       *string  `json:"city,omitempty"`
	CityFa     *string  `json:"cityFa,omitempty"`
	PostalCode *string  `json:"postalCode,omitempty"`
	Latitude   *float64 `json:"latitude,omitempty"`  // degrees
	Longitude  *float64 `json:"longitude,omitempty"` // degrees
}

// SocialLink is a page of the business on another site; Type is a word such as "instagram".
type SocialLink struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// ShownStock is the largest stock of a variant that public answers show exactly, so that they seldom change.
const ShownStock = 10

// MostStock is the largest stock of a variant that an import or staff may set.
const MostStock = 1_000_000_000
