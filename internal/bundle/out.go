package bundle

import (
	"time"

	"github.com/google/uuid"

	"storefront/internal/money"
	"storefront/internal/record"
)

// The elements of a bundle as they are written, with every member (contract 6.2). Staff read records in the
// same form: the types with Content in their names are types of the schema, and fields that JSON omits are
// only for staff.

// versioned holds the id and version that staff need to change a record.
type versioned struct {
	ID      uuid.UUID `json:"-"`
	Version string    `json:"-"`
}

func versionedAs(id uuid.UUID, updatedAt time.Time) versioned {
	return versioned{id, VersionOf(updatedAt)}
}

// ShopContent is the shop itself.
type ShopContent struct {
	versioned
	Domain        string  `json:"domain"`
	Slug          string  `json:"slug"`
	Name          string  `json:"name"`
	NameFa        string  `json:"nameFa"`
	PrimaryColor  *string `json:"primaryColor"`
	DefaultLocale string  `json:"defaultLocale"`
	TimeZone      *string `json:"timeZone"`
	LogoURL       *string `json:"logoUrl"`
	FaviconURL    *string `json:"faviconUrl"`

	Pages *record.PageAddresses `json:"pages"`
}

// BusinessProfileContent is the profile of the business.
type BusinessProfileContent struct {
	Version        *string                  `json:"-"`
	About          *string                  `json:"about"`
	AboutFa        *string                  `json:"aboutFa"`
	Phones         []string                 `json:"phones"`
	Emails         []string                 `json:"emails"`
	Addresses      []record.BusinessAddress `json:"addresses"`
	SocialLinks    []record.SocialLink      `json:"socialLinks"`
	WorkingHours   *string                  `json:"workingHours"`
	WorkingHoursFa *string                  `json:"workingHoursFa"`
}

// BrandContent is a brand.
type BrandContent struct {
	versioned
	Slug    string  `json:"slug"`
	Name    string  `json:"name"`
	NameFa  string  `json:"nameFa"`
	LogoURL *string `json:"logoUrl"`
}

// CategoryContent is a category with its own form.
type CategoryContent struct {
	versioned
	EntityType    record.EntityType `json:"entityType"`
	Slug          string            `json:"slug"`
	ParentSlug    *string           `json:"parentSlug"`
	Name          string            `json:"name"`
	NameFa        string            `json:"nameFa"`
	ImageURL      *string           `json:"imageUrl"`
	Description   *string           `json:"description"`
	DescriptionFa *string           `json:"descriptionFa"`
	Position      int               `json:"position"`
	Form          *FormContent      `json:"form"`
}

// FormContent is a technical form.
type FormContent struct {
	Title   string             `json:"title"`
	TitleFa string             `json:"titleFa"`
	Fields  []record.FormField `json:"fields"`
}

type seoOut struct {
	Title         *string `json:"title"`
	TitleFa       *string `json:"titleFa"`
	Description   *string `json:"description"`
	DescriptionFa *string `json:"descriptionFa"`
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

func imagesOut(images []record.Media) []imageOut {
	out := make([]imageOut, len(images))
	for i, one := range images {
		out[i] = imageOut(one)
	}
	return out
}

// contentOut holds the common members of products, blogs and portfolios.
type contentOut struct {
	versioned
	Slug        string        `json:"slug"`
	TitleFa     string        `json:"titleFa"`
	TitleEn     *string       `json:"titleEn"`
	Summary     *string       `json:"summary"`
	SummaryFa   *string       `json:"summaryFa"`
	Category    *string       `json:"category"`
	Tags        []string      `json:"tags"`
	Images      []imageOut    `json:"images"`
	SEO         seoOut        `json:"seo"`
	Status      record.Status `json:"status"`
	PublishedAt time.Time     `json:"publishedAt,omitzero"`
}

// Media returns the images in the form of the schema.
func (c contentOut) Media() []record.Media { return mediaOf(c.Images) }

// Meta returns the SEO texts in the form of the schema.
func (c contentOut) Meta() record.SEO { return record.SEO(c.SEO) }

func mediaOf(images []imageOut) []record.Media {
	media := make([]record.Media, len(images))
	for i, one := range images {
		media[i] = record.Media(one)
	}
	return media
}

// UserProductContent is a customer's listing.
type UserProductContent struct {
	versioned
	Slug            string           `json:"slug"`
	TitleFa         string           `json:"titleFa"`
	TitleEn         *string          `json:"titleEn"`
	Description     *string          `json:"description"`
	DescriptionFa   *string          `json:"descriptionFa"`
	Price           *money.Amount    `json:"price"`
	PriceCurrency   string           `json:"priceCurrency"`
	Condition       record.Condition `json:"condition"`
	Category        *string          `json:"category"`
	City            *string          `json:"city"`
	Province        *string          `json:"province"`
	Country         *string          `json:"country"`
	Images          []imageOut       `json:"images"`
	Promoted        bool             `json:"promoted"`
	Status          string           `json:"status"`
	RejectionReason *string          `json:"rejectionReason"`
	PublishedAt     time.Time        `json:"publishedAt,omitzero"`
	Values          record.Values    `json:"values"`
	OtherValues     record.Values    `json:"otherValues"`
	DeliveryNotes   *string          `json:"deliveryNotes"`
	TechnicalNotes  *string          `json:"technicalNotes"`
}

// Media returns the images in the form of the schema.
func (c UserProductContent) Media() []record.Media { return mediaOf(c.Images) }

// ValueList returns the values in the form of the schema.
func (c UserProductContent) ValueList() []TechnicalAnswer { return answersOf(c.Values) }

// OtherList returns the other values in the form of the schema.
func (c UserProductContent) OtherList() []TechnicalAnswer { return answersOf(c.OtherValues) }

// BlogContent is a blog.
type BlogContent struct {
	contentOut
	Type       record.BlogType `json:"type"`
	Body       string          `json:"body"`
	BodyFa     *string         `json:"bodyFa"`
	AuthorName *string         `json:"authorName"`
}

// PortfolioContent is a portfolio.
type PortfolioContent struct {
	contentOut
	Body        string  `json:"body"`
	BodyFa      *string `json:"bodyFa"`
	ClientName  *string `json:"clientName"`
	CompletedOn *string `json:"completedOn"`
}

// SliderContent is a slider.
type SliderContent struct {
	versioned
	Key      string         `json:"key"`
	Title    *string        `json:"title"`
	TitleFa  *string        `json:"titleFa"`
	Position int            `json:"position"`
	Slides   []SlideContent `json:"slides"`
}

// SlideContent is a slide of a slider.
type SlideContent struct {
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
	versioned
	Key        string   `json:"key"`
	Title      string   `json:"title"`
	TitleFa    *string  `json:"titleFa"`
	Categories []string `json:"categories"`
}

// BrandGroupContent is a group of brands.
type BrandGroupContent struct {
	versioned
	Key     string   `json:"key"`
	Title   string   `json:"title"`
	TitleFa *string  `json:"titleFa"`
	Brands  []string `json:"brands"`
}

// StoreSpecialContent is a special offer, whether it is active or not.
type StoreSpecialContent struct {
	versioned
	Key      string     `json:"key"`
	Title    string     `json:"title"`
	TitleFa  *string    `json:"titleFa"`
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
	opinionOut
	CreatedAt time.Time `json:"createdAt"`
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
	opinionOut
	CreatedAt time.Time `json:"createdAt"`
}

// opinionOut holds the rejection reason and the reply of a comment or review.
type opinionOut struct {
	RejectionReason *string    `json:"rejectionReason"`
	Reply           *string    `json:"reply"`
	RepliedAt       *time.Time `json:"repliedAt"`
}

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
	moved := at.UTC()
	return &moved
}
