package catalog

import (
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/money"
	"storefront/internal/record"
)

// StoreItem is a product with all its variants on sale, oldest first; it has one at least.
type StoreItem struct {
	*ent.Product
	Variants []*ent.Variant
}

// ProductID is the product's id.
func (s *StoreItem) ProductID() uuid.UUID { return s.Product.ID }

// ProductSlug is the product's slug.
func (s *StoreItem) ProductSlug() string { return s.Product.Slug }

// ImageURL is the product's picture.
func (s *StoreItem) ImageURL() *string { return s.Product.ImageURL() }

// Image is the product's picture.
func (s *StoreItem) Image() *record.Media { return record.First(s.Images) }

// PriceMin is the price of the cheapest variant.
func (s *StoreItem) PriceMin() *money.Amount {
	return s.price(func(a, b int64) bool { return a < b })
}

// PriceMax is the price of the dearest variant.
func (s *StoreItem) PriceMax() *money.Amount {
	return s.price(func(a, b int64) bool { return a > b })
}

// price is the first price of the variants; nil: none has one. Prices and currency are the variants' own: the
// product was read later, when less may have been on sale.
func (s *StoreItem) price(first func(a, b int64) bool) (price *money.Amount) {
	for _, v := range s.Variants {
		if v.Price != nil && (price == nil || first(*v.Price, price.Minor)) {
			price = &money.Amount{Minor: *v.Price, Currency: v.PriceCurrency}
		}
	}
	return price
}

// PriceCurrency is the currency of all variants.
func (s *StoreItem) PriceCurrency() string { return s.Variants[0].PriceCurrency }

// InStock reports whether any variant is in stock.
func (s *StoreItem) InStock() bool {
	for _, v := range s.Variants {
		if v.Stock > 0 {
			return true
		}
	}
	return false
}

// IsFestival reports whether any variant is a festival offer.
func (s *StoreItem) IsFestival() bool {
	for _, v := range s.Variants {
		if v.IsFestival {
			return true
		}
	}
	return false
}
