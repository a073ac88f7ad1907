package bundle

import (
	"encoding/json"
	"maps"
	"slices"

	"storefront/internal/money"
	"storefront/internal/record"
)

// ProductContent is a product with all its variants.
type ProductContent struct {
	contentOut
	Description   *string            `json:"description"`
	DescriptionFa *string            `json:"descriptionFa"`
	Brand         *string            `json:"brand"`
	Values        record.Values      `json:"values"`
	OtherValues   record.Values      `json:"otherValues"`
	Variations    []VariationContent `json:"variations"`
	Variants      []VariantContent   `json:"variants"`
}

// ValueList returns the values in the form of the schema.
func (c ProductContent) ValueList() []TechnicalAnswer { return answersOf(c.Values) }

// OtherList returns the other values in the form of the schema.
func (c ProductContent) OtherList() []TechnicalAnswer { return answersOf(c.OtherValues) }

// TechnicalAnswer is an answer to a field of a technical form.
type TechnicalAnswer struct {
	Key   string
	Value json.RawMessage
}

func answersOf(values record.Values) []TechnicalAnswer {
	answers := make([]TechnicalAnswer, 0, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		answers = append(answers, TechnicalAnswer{key, values[key]})
	}
	return answers
}

// VariationContent is a property that distinguishes the variants of a product.
type VariationContent struct {
	Key    string                  `json:"key"`
	Name   string                  `json:"name"`
	NameFa string                  `json:"nameFa"`
	Values []VariationValueContent `json:"values"`
}

// VariationValueContent is a value of a variation.
type VariationValueContent struct {
	Key      string  `json:"key"`
	Label    string  `json:"label"`
	LabelFa  string  `json:"labelFa"`
	ColorHex *string `json:"colorHex"`
}

// VariantContent is a variant, on sale or not.
type VariantContent struct {
	SKU              string            `json:"sku"`
	Options          map[string]string `json:"options"`
	Price            *money.Amount     `json:"price"`
	CompareAtPrice   *money.Amount     `json:"compareAtPrice"`
	PriceCurrency    string            `json:"priceCurrency"`
	Stock            int               `json:"stock"`
	LowStockAt       *int              `json:"lowStockAt"`
	IsFestival       bool              `json:"isFestival"`
	MaxOrderQuantity *int              `json:"maxOrderQuantity"`
	ImageURL         *string           `json:"imageUrl"`
	OnSale           bool              `json:"onSale"`
}

// VariantChoice is a variant's value of a variation: the keys of both.
type VariantChoice struct{ Variation, Value string }

// OptionList returns the options in the form of the schema.
func (c VariantContent) OptionList() []VariantChoice {
	choices := make([]VariantChoice, 0, len(c.Options))
	for _, variation := range slices.Sorted(maps.Keys(c.Options)) {
		choices = append(choices, VariantChoice{variation, c.Options[variation]})
	}
	return choices
}
