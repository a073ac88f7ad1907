package catalog

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/record"
	"storefront/internal/request"
)

// VariantsOnSale returns the query that every public read of variants starts from.
func (r *Catalog) VariantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.Store.Variant.Query().Where(variant.ListedAtLTE(request.Of(ctx).Now))
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
		words: searchWordsOf(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
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
