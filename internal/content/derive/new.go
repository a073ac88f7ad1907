package derive

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// What follows is computed from the records themselves, before they are written for the first time, and is
// what Records would find in the database. A test compares the two.

// Product sets the derived columns of a new product; variants are all of its variants.
func Product(p *ent.Product, variants []*ent.Variant) {
	p.PriceMin, p.PriceMax, p.PriceCurrency, p.InStore = nil, nil, nil, false
	p.RatingSum, p.RatingCount, p.SortRating = 0, 0, record.Unranked
	var milli *int64
	for _, v := range variants {
		if !v.OnSale {
			continue
		}
		p.InStore = true
		if p.PriceCurrency == nil || v.PriceCurrency < *p.PriceCurrency {
			p.PriceCurrency = &v.PriceCurrency
		}
		if v.Price != nil && (p.PriceMin == nil || *v.Price < *p.PriceMin) {
			p.PriceMin = v.Price
		}
		if v.Price != nil && (p.PriceMax == nil || *v.Price > *p.PriceMax) {
			p.PriceMax = v.Price
		}
		if v.PriceMilli != nil && (milli == nil || *v.PriceMilli < *milli) {
			milli = v.PriceMilli
		}
	}
	p.SortCheap, p.SortDear = sortPrices(milli)
	p.SortTitle = SortTitle(p.SearchText)
}

// Variant sets the derived columns of a variant of a product.
func Variant(v *ent.Variant, p *ent.Product) {
	v.ListedAt = nil
	if v.OnSale && p.Status == record.Published {
		v.ListedAt = &p.PublishedAt
	}
	v.SearchText = VariantText(p.SearchText, v.SkuText)
	v.ProductCategoryID, v.ProductBrandID = p.CategoryID, p.BrandID
	v.SortCheap, v.SortDear = sortPrices(v.PriceMilli)
	v.SortDiscount = record.Unranked
	if v.Price != nil && v.CompareAtPrice != nil && *v.CompareAtPrice > *v.Price {
		v.SortDiscount = (*v.CompareAtPrice - *v.Price) * 1000 / *v.CompareAtPrice
	}
}

func sortPrices(milli *int64) (cheap, dear int64) {
	if milli == nil {
		return record.NoPrice, record.Unranked
	}
	return -*milli, *milli
}

// inAlphabet replaces letters as titleText does.
var inAlphabet = func() *strings.Replacer {
	var pairs []string
	for _, letter := range alphabet {
		pairs = append(pairs, letter.from, letter.to)
	}
	return strings.NewReplacer(pairs...)
}()

// SortTitle returns the text that titleText makes.
func SortTitle(searchText string) []byte {
	n := 0
	for at := range searchText {
		if n++; n > titleLetters {
			searchText = searchText[:at]
			break
		}
	}
	return []byte(inAlphabet.Replace(searchText))
}

// TitlesFrom returns the bounds of the SortTitle of all texts that begin with begin: from first, included,
// to end, excluded.
func TitlesFrom(begin string) (first, end []byte) {
	first = SortTitle(begin)
	return first, append(slices.Clone(first), behind...)
}

// CategoryFacet returns the facet of the records in a category and those below it.
func CategoryFacet(category uuid.UUID) string { return "category:" + category.String() }

// Listing is a row of the index of lists.
type Listing struct {
	Kind        listing.Kind
	Facet       string
	PublishedAt time.Time
	Entity      uuid.UUID
}

// Listings returns the rows of a published record: one for each of categories, which are its category and
// all ancestors, and one for each tag.
func Listings(kind listing.Kind, id uuid.UUID, publishedAt time.Time, categories []uuid.UUID,
	tagKeys []string) []Listing {
	rows := make([]Listing, 0, len(categories)+len(tagKeys))
	for _, category := range categories {
		rows = append(rows, Listing{
			Kind: kind, Facet: CategoryFacet(category), PublishedAt: publishedAt, Entity: id,
		})
	}
	for _, key := range tagKeys {
		rows = append(rows, Listing{Kind: kind, Facet: "tag:" + key, PublishedAt: publishedAt, Entity: id})
	}
	return rows
}

// SearchText makes the search_text of a record from its searched texts: titleFa and titleEn, and for user
// products also the descriptions. They are separated by a space, which no compact text contains, so that no
// match spans two of them and the beginning of each can be found. Empty texts are left out.
func SearchText(texts ...string) string { return search.CompactAll(texts...) }

// SKUText makes the sku_text of a variant.
func SKUText(sku string) string { return search.Compact(sku) }

// VariantText makes the search_text of a variant from its product's and its own sku_text. If the product's
// is not known yet, Records fills it in later.
func VariantText(product, sku string) string { return product + " " + sku }

// TagKeys makes the tag_keys of a product from its tags: search.Tag of each, without duplicates and empty
// ones.
func TagKeys(tags []string) []string {
	keys := make([]string, 0, len(tags))
	seen := map[string]bool{"": true}
	for _, tag := range tags {
		if key := search.Tag(tag); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}
