package catalog

import (
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// StoreItem is a product with all its variants on sale, at least one, oldest first.
type StoreItem struct {
	*ent.Product
	Variants []*ent.Variant
}

// ProductID returns the product's id.
func (s *StoreItem) ProductID() uuid.UUID { return s.Product.ID }

// ProductSlug returns the product's slug.
func (s *StoreItem) ProductSlug() string { return s.Product.Slug }

// ImageURL returns the address of the product's picture.
func (s *StoreItem) ImageURL() *string { return s.Product.ImageURL() }

// Image returns the product's picture.
func (s *StoreItem) Image() *record.Media { return record.First(s.Images) }

// PriceMin returns the price of the cheapest variant, or nil if none has a price.
func (s *StoreItem) PriceMin() *money.Amount {
	return s.price(func(a, b int64) bool { return a < b })
}

// PriceMax returns the price of the most expensive variant, or nil if none has a price.
func (s *StoreItem) PriceMax() *money.Amount {
	return s.price(func(a, b int64) bool { return a > b })
}

// price returns the first price of the variants in the order of first, or nil if none has a price. Prices and
// currency come from the variants, because the product was read later, when less may have been on sale.
func (s *StoreItem) price(first func(a, b int64) bool) (price *money.Amount) {
	for _, v := range s.Variants {
		if v.Price != nil && (price == nil || first(*v.Price, price.Minor)) {
			price = &money.Amount{Minor: *v.Price, Currency: v.PriceCurrency}
		}
	}
	return price
}

// PriceCurrency returns the currency of all variants.
func (s *StoreItem) PriceCurrency() string { return s.Variants[0].PriceCurrency }

// InStock reports whether any variant is in stock.
func (s *StoreItem) InStock() bool {
	return slices.ContainsFunc(s.Variants, func(v *ent.Variant) bool { return v.Stock > 0 })
}

// IsFestival reports whether any variant is a festival offer.
func (s *StoreItem) IsFestival() bool {
	return slices.ContainsFunc(s.Variants, func(v *ent.Variant) bool { return v.IsFestival })
}
