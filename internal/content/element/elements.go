// Package element has the records of a shop as elements of a bundle: as staff read and edit them, and as an export
// writes them. Contents reads one for staff, Read all of a shop.
package element

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"storefront/ent"
	"storefront/internal/content/plan"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// The records of a shop as staff read them: types of the schema, each with the version that staff need to
// change the record. Their method members returns them as elements of a bundle (contract 6.2).

// ShopContent is the shop itself.
type ShopContent struct {
	*ent.Tenant
	Version string
}

func (c ShopContent) members() members { return membersOf(c.Tenant, nil) }

// BusinessProfileContent is the profile of the business.
type BusinessProfileContent struct {
	*ent.BusinessProfile
	Version *string // nil if none was written
}

func (c BusinessProfileContent) members() members { return membersOf(c.BusinessProfile, nil) }

// BrandContent is a brand.
type BrandContent struct {
	*ent.Brand
	Version string
}

func (c BrandContent) members() members { return membersOf(c.Brand, nil) }

// CategoryContent is a category with its own form.
type CategoryContent struct {
	*ent.Category
	Version    string
	ParentSlug *string
	Form       *FormContent
}

func (c CategoryContent) members() members {
	return membersOf(c.Category, members{"parentSlug": c.ParentSlug, "form": c.Form})
}

// FormContent is a technical form.
type FormContent struct {
	Title   string             `json:"title"`
	TitleFa string             `json:"titleFa"`
	Fields  []record.FormField `json:"fields"`
}

// ProductContent is a product with all its variants.
type ProductContent struct {
	*ent.Product
	Version             string
	Category, Brand     *string // slugs
	Values, OtherValues record.Values
	Variations          []VariationContent
	Variants            []VariantContent
}

func (c ProductContent) members() members {
	variants := make([]members, len(c.Variants))
	for i, one := range c.Variants {
		variants[i] = membersOf(one.Variant, members{"price": one.Price, "compareAtPrice": one.CompareAtPrice,
			"expectedStock": one.Stock})
	}
	own := members{"category": c.Category, "brand": c.Brand, "values": c.Values, "otherValues": c.OtherValues,
		"variations": c.Variations, "variants": variants}
	return own.content(c.Product, c.Images, &c.Seo, c.DateInFile())
}

// DateInFile returns the publishedAt of a product for a file; zero is left out.
func (c ProductContent) DateInFile() time.Time {
	return dateInFile(c.CreatedAt, c.PublishedAt, string(c.Status))
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
	ID       string  `json:"-"`
	Key      string  `json:"key"`
	Label    string  `json:"label"`
	LabelFa  string  `json:"labelFa"`
	ColorHex *string `json:"colorHex"`
}

// VariantContent is a variant, on sale or not.
type VariantContent struct {
	*ent.Variant
	SKU                   string
	Price, CompareAtPrice *money.Amount
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

// UserProductContent is a customer's listing.
type UserProductContent struct {
	*ent.UserProduct
	Version                           string
	Price                             *money.Amount
	Category, City, Province, Country *string // slugs
	Values, OtherValues               record.Values
}

func (c UserProductContent) members() members {
	own := members{"price": c.Price, "category": c.Category, "city": c.City, "province": c.Province,
		"country": c.Country, "values": c.Values, "otherValues": c.OtherValues}
	return own.content(c.UserProduct, c.Images, nil, dateInFile(c.CreatedAt, c.PublishedAt, string(c.Status)))
}

// ValueList returns the values in the form of the schema.
func (c UserProductContent) ValueList() []TechnicalAnswer { return answersOf(c.Values) }

// OtherList returns the other values in the form of the schema.
func (c UserProductContent) OtherList() []TechnicalAnswer { return answersOf(c.OtherValues) }

// BlogContent is a blog.
type BlogContent struct {
	*ent.Blog
	Version  string
	Category *string // a slug
}

func (c BlogContent) members() members {
	date := dateInFile(c.CreatedAt, c.PublishedAt, string(c.Status))
	return members{"category": c.Category}.content(c.Blog, c.Images, &c.Seo, date)
}

// PortfolioContent is a portfolio.
type PortfolioContent struct {
	*ent.Portfolio
	Version  string
	Category *string // a slug
}

func (c PortfolioContent) members() members {
	date := dateInFile(c.CreatedAt, c.PublishedAt, string(c.Status))
	return members{"category": c.Category}.content(c.Portfolio, c.Images, &c.Seo, date)
}

// content returns an element with the members that m has in the stead of columns, its images, SEO texts and
// date.
func (m members) content(row any, images []record.Media, seo *record.SEO, date time.Time) members {
	out := convert.All(images, func(one record.Media) imageOut { return imageOut(one) })
	m["images"] = out
	if seo != nil {
		m["seo"] = seoOut(*seo)
	}
	all := membersOf(row, m)
	if delete(all, "publishedAt"); !date.IsZero() {
		all["publishedAt"] = date
	}
	return all
}

// dateInFile returns the publishedAt of a record for a file: zero, which is left out, for a record that is
// not published yet and has the default.
func dateInFile(created, at time.Time, status string) time.Time {
	if at.Equal(created) && status != string(record.Published) && status != string(record.Archived) {
		return time.Time{}
	}
	return at.UTC()
}

// imageOut is a record.Media with all members, even if null, because an import does not change absent ones.
type imageOut struct {
	MediaID          string  `json:"mediaId"`
	URL              string  `json:"url"`
	Alt              *string `json:"alt"`
	AltFa            *string `json:"altFa"`
	Width            *int    `json:"width"`
	Height           *int    `json:"height"`
	PlaceholderColor *string `json:"placeholderColor"`
}

type seoOut struct {
	Title         *string `json:"title"`
	TitleFa       *string `json:"titleFa"`
	Description   *string `json:"description"`
	DescriptionFa *string `json:"descriptionFa"`
}

// SliderContent is a slider.
type SliderContent struct {
	*ent.Slider
	Version string
	Slides  []SlideContent
}

func (c SliderContent) members() members { return membersOf(c.Slider, members{"slides": c.Slides}) }

// SlideContent is a slide of a slider.
type SlideContent struct {
	ID           string  `json:"-"`
	Title        *string `json:"title"`
	TitleFa      *string `json:"titleFa"`
	Subtitle     *string `json:"subtitle"`
	SubtitleFa   *string `json:"subtitleFa"`
	ImageURL     string  `json:"imageUrl"`
	LinkURL      *string `json:"linkUrl"`
	ButtonText   *string `json:"buttonText"`
	ButtonTextFa *string `json:"buttonTextFa"`
	Position     int     `json:"position"`

	Alt              *string `json:"alt"`
	AltFa            *string `json:"altFa"`
	Width            *int    `json:"width"`
	Height           *int    `json:"height"`
	PlaceholderColor *string `json:"placeholderColor"`
}

// CategoryGroupContent is a group of categories.
type CategoryGroupContent struct {
	*ent.CategoryGroup
	Version    string
	Categories []string // slugs
}

func (c CategoryGroupContent) members() members {
	return membersOf(c.CategoryGroup, members{"categories": c.Categories})
}

// BrandGroupContent is a group of brands.
type BrandGroupContent struct {
	*ent.BrandGroup
	Version string
	Brands  []string // slugs
}

func (c BrandGroupContent) members() members {
	return membersOf(c.BrandGroup, members{"brands": c.Brands})
}

// StoreSpecialContent is a special offer, whether it is active or not.
type StoreSpecialContent struct {
	*ent.StoreSpecial
	Version  string
	Variants []string // SKUs
}

func (c StoreSpecialContent) members() members {
	return membersOf(c.StoreSpecial,
		members{"variants": c.Variants, "startsAt": utc(c.StartsAt), "endsAt": utc(c.EndsAt)})
}

// DeliveryMethodContent is a delivery method, active or not.
type DeliveryMethodContent struct {
	*ent.DeliveryMethod
	Version                      string
	Price, FreeFrom              *money.Amount
	Countries, Provinces, Cities []string // slugs
	Steps                        []DeliveryStepContent
}

// DeliveryStepContent is a step of a delivery method.
type DeliveryStepContent struct {
	UpTo  int          `json:"upTo"`
	Price money.Amount `json:"price"`
}

func (c DeliveryMethodContent) members() members {
	return membersOf(c.DeliveryMethod, members{"price": c.Price, "freeFrom": c.FreeFrom, "countries": c.Countries,
		"provinces": c.Provinces, "cities": c.Cities, "steps": c.Steps})
}

// TaxRateContent is a tax rate, whether it holds or not.
type TaxRateContent struct {
	*ent.TaxRate
	Version string
}

func (c TaxRateContent) members() members { return membersOf(c.TaxRate, nil) }

// priceOut returns a price in the form in which it is written: in its currency's unit, nil as null.
func priceOut(minor *int64, currency string) *money.Amount {
	if minor == nil {
		return nil
	}
	return &money.Amount{Minor: *minor, Currency: currency}
}

func utc(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	return new(at.UTC())
}

// OtherValues returns the values of a record that its form would refuse now.
func OtherValues(values record.Values, form *record.Form) []TechnicalAnswer {
	_, others := plan.SplitValues(values, form)
	return answersOf(others)
}
