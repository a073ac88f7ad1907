package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/request"
)

// The shapes of lists of variants.
type (
	VariantPage struct {
		ListPage[*ent.Variant]
		Facets *VariantFacets
	}
	VariantConnection struct {
		*Connection[*ent.Variant]
		Facets *VariantFacets
	}
	VariantEdge = Edge[*ent.Variant]
)

// VariantsOnSale returns the query that every public read of variants starts from.
func (r *Catalog) VariantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.store.Variant.Query().Where(variant.ListedAtLTE(request.Of(ctx).Now))
}

// StoreItemArguments are the arguments of storeItems and storeItemsConnection that choose records.
type StoreItemArguments struct {
	CategoryID, BrandID, ProductID *uuid.UUID
	Categories, Brands             []string
	Options                        []*api.OptionFilter
	Name                           *string
	InStock, IsFestival            *bool
	MinPrice, MaxPrice             *api.Decimal
	Sort                           api.StoreItemSort
}

func (a StoreItemArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f Filter, err error) {
	f = Filter{
		list: storeItemList, tenant: t.ID,
		words: searchWordsOf(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
		product: optionalOf(a.ProductID), inStock: optionalOf(a.InStock), isFestival: optionalOf(a.IsFestival),
		options: optionConditions(a.Options),
	}
	if a.Sort == api.StoreItemSortRelevance {
		f.phrase = searchPhraseOf(a.Name)
	}
	if f.price, err = priceRangeOf(a.MinPrice, a.MaxPrice); err != nil {
		return f, err
	}
	return f, r.choose(ctx, t, &f, a.Categories, a.Brands)
}

// variantSortKeys are the keys of all orders except newest first.
var variantSortKeys = map[api.StoreItemSort]sortKey[*ent.Variant]{
	api.StoreItemSortPriceAsc: {
		column: variant.FieldSortCheap,
		value:  func(v *ent.Variant) any { return v.SortCheap },
	},
	api.StoreItemSortPriceDesc: {
		column: variant.FieldSortDear,
		value:  func(v *ent.Variant) any { return v.SortDear },
	},
	api.StoreItemSortDiscount: {
		column: variant.FieldSortDiscount,
		value:  func(v *ent.Variant) any { return v.SortDiscount },
	},
}

// StoreItems returns a shop's variants on sale.
func (r *Catalog) StoreItems(filter Filter, sort api.StoreItemSort) List[*ent.Variant] {
	newest := publicList(r, filter, r.VariantsOnSale,
		func(_ context.Context, q *ent.VariantQuery, columns *selection.Set) { q.Collect(columns) },
		func(v *ent.Variant) int64 { return v.TenantVersion },
		func(v *ent.Variant) Position { return Position{Time: *v.ListedAt, ID: v.ID} })
	if sort == api.StoreItemSortRelevance {
		return byRelevance(newest, filter, func(v *ent.Variant) string { return v.SearchText })
	}
	return sortBy(newest, filter, sort, variantSortKeys)
}
