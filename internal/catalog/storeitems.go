package catalog

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// VariantsOnSale returns the query that every public read of variants starts from.
func (r *Catalog) VariantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.Store.Variant.Query().Where(variant.ListedAtLTE(request.Of(ctx).Now))
}

// VariantsOf returns the query for the variants on sale of products. For a previewed product these are the
// variants that would be on sale.
func (r *Catalog) VariantsOf(ctx context.Context, products []*ent.Product) *ent.VariantQuery {
	s := ScopeOf(ctx)
	s.mu.Lock()
	previewed := !slices.ContainsFunc(products, func(p *ent.Product) bool { return !s.previews[p.ID] })
	s.mu.Unlock()
	of := variant.ProductIDIn(convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })...)
	if previewed {
		return r.Store.Variant.Query().Where(variant.OnSale(true), of)
	}
	return r.VariantsOnSale(ctx).Where(of)
}

// StoreItemArguments are the arguments of storeItems and storeItemsConnection that choose records.
type StoreItemArguments struct {
	CategoryID, BrandID, ProductID *uuid.UUID
	Categories, Brands             []string
	Options                        []*OptionFilter
	Name                           *string
	InStock, IsFestival            *bool
	MinPrice, MaxPrice             *json.Number
	Sort                           record.StoreItemSort
}

func (a StoreItemArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f Filter, err error) {
	f = Filter{
		list: storeItemList, tenant: t.ID,
		searched: searchFor(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
		product: optionalOf(a.ProductID), inStock: optionalOf(a.InStock), isFestival: optionalOf(a.IsFestival),
		options: optionConditions(a.Options),
	}
	if a.Sort == record.SortRelevance {
		f.phrase = searchPhraseOf(a.Name)
	}
	if f.price, err = priceRangeOf(a.MinPrice, a.MaxPrice); err != nil {
		return f, err
	}
	return f, r.choose(ctx, t, &f, a.Categories, a.Brands)
}

// variantSortKeys are the keys of all orders except newest first.
var variantSortKeys = map[record.StoreItemSort]sortKey[*ent.Variant]{
	record.SortPriceAsc:  {variant.FieldSortCheap, false, func(v *ent.Variant) any { return v.SortCheap }},
	record.SortPriceDesc: {variant.FieldSortDear, false, func(v *ent.Variant) any { return v.SortDear }},
	record.SortDiscount:  {variant.FieldSortDiscount, false, func(v *ent.Variant) any { return v.SortDiscount }},
}

// StoreItems returns the variants on sale of a shop, and the filter that finds them.
func (r *Catalog) StoreItems(
	ctx context.Context, t *ent.Tenant, a StoreItemArguments,
) (list.List[*ent.Variant], Filter, error) {
	f, err := a.filter(ctx, r, t)
	newest := publicList(r, f, r.VariantsOnSale,
		func(_ context.Context, q *ent.VariantQuery, columns *selection.Set) { q.Collect(columns) },
		func(v *ent.Variant) int64 { return v.TenantVersion },
		func(v *ent.Variant) list.Position { return list.Position{Time: *v.ListedAt, ID: v.ID} })
	if a.Sort == record.SortRelevance {
		return byRelevance(newest, f, func(v *ent.Variant) string { return v.SearchText }), f, err
	}
	return sortBy(newest, f, a.Sort, variantSortKeys), f, err
}

// StoreItem is a product with all its variants on sale, at least one, oldest first.
type StoreItem struct {
	*ent.Product
	Variants []*ent.Variant
}

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
