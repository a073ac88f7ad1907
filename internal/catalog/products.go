package catalog

import (
	"context"
	"encoding/json"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// PublishedProducts returns the query that every public read of products starts from.
func (r *Catalog) PublishedProducts(ctx context.Context) *ent.ProductQuery {
	now := request.Of(ctx).Now
	return r.Store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(now))
}

// ProductArguments are the arguments of products and productsConnection that choose records.
type ProductArguments struct {
	Name                *string
	CategoryID, BrandID *uuid.UUID
	Categories, Brands  []string
	Tag                 *string
	Tags                []string
	Options             []*OptionFilter
	InStore             *bool
	MinPrice, MaxPrice  *json.Number
	Values              []*TechnicalFilter
	Sort                record.ProductSort
}

func (a ProductArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f Filter, err error) {
	f = Filter{
		list: productList, tenant: t.ID,
		searched: searchFor(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
		tag: optionalOf(a.Tag), choices: choices{tags: choiceOf(convert.All(a.Tags, search.Tag))},
		options: optionConditions(a.Options), inStore: optionalOf(a.InStore),
	}
	if f.sku = searchPhraseOf(a.Name); a.Sort == record.SortRelevance {
		f.phrase = f.sku
	}
	if f.price, err = priceRangeOf(a.MinPrice, a.MaxPrice); err != nil {
		return f, err
	}
	if len(a.Values) > 0 {
		forms, err := r.Forms(ctx, t.ID)
		if err != nil {
			return f, err
		}
		if f.values, err = technicalConditions(a.Values, forms); err != nil {
			return f, err
		}
	}
	if err := r.choose(ctx, t, &f, a.Categories, a.Brands); err != nil {
		return f, err
	}
	f.held, err = r.heldBy(ctx, t.ID, f.words)
	f.indexed = f.held.areFew()
	return f, err
}

// ProductsIn returns the filter for the products of a category and its descendants. A category of articles has none.
func ProductsIn(c *ent.Category) Filter {
	f := Filter{list: productList, tenant: c.TenantID, category: optionalOf(&c.ID)}
	if c.EntityType != record.Product {
		f.categories.given = true // nothing
	}
	return f
}

// ProductsOf returns the filter for the products of a brand.
func ProductsOf(b *ent.Brand) Filter {
	return Filter{list: productList, tenant: b.TenantID, brand: optionalOf(&b.ID)}
}

// productSortKeys are the keys of all orders except newest first.
var productSortKeys = map[record.ProductSort]sortKey[*ent.Product]{
	record.SortPriceAsc:  {product.FieldSortCheap, false, func(p *ent.Product) any { return p.SortCheap }},
	record.SortPriceDesc: {product.FieldSortDear, false, func(p *ent.Product) any { return p.SortDear }},
	record.SortRating:    {product.FieldSortRating, false, func(p *ent.Product) any { return p.SortRating }},
	record.SortTitle:     {product.FieldSortTitle, true, func(p *ent.Product) any { return p.SortTitle }},
}

// Products returns the published products of a shop, and the filter that finds them.
func (r *Catalog) Products(
	ctx context.Context, t *ent.Tenant, a ProductArguments,
) (list.List[*ent.Product], Filter, error) {
	f, err := a.filter(ctx, r, t)
	return r.products(f, a.Sort), f, err
}

func (r *Catalog) products(filter Filter, sort record.ProductSort) list.List[*ent.Product] {
	byPrice := sort == record.SortPriceAsc || sort == record.SortPriceDesc
	filter.joinsFound = byPrice && filter.asksVariants()
	newest := publicList(r, filter, r.PublishedProducts,
		func(ctx context.Context, q *ent.ProductQuery, columns *selection.Set) {
			CollectProducts(ctx, q, columns)
			if filter.joinsFound {
				q.Modify(func(s *sql.Selector) {
					s.AppendSelectAs(inFound(variant.FieldPriceMilli), "found_price")
				})
			}
		},
		func(p *ent.Product) int64 { return p.TenantVersion },
		func(p *ent.Product) list.Position { return list.Position{Time: p.PublishedAt, ID: p.ID} })
	if sort == record.SortRelevance {
		return byRelevance(newest, filter, func(p *ent.Product) string { return p.SearchText })
	}
	if filter.joinsFound {
		return filter.sortByFoundPrice(newest, sort)
	}
	return sortBy(newest, filter, sort, productSortKeys)
}

// sortByFoundPrice returns the list of a filter that is newest first in the order of the prices that were found.
func (f Filter) sortByFoundPrice(newest list.List[*ent.Product], sort record.ProductSort) list.List[*ent.Product] {
	sign, without := int64(1), int64(record.Unranked) // as sort_dear and sort_cheap
	if sort == record.SortPriceAsc {
		sign, without = -1, record.NoPrice
	}
	sorted := sortBy(newest, f, sort, productSortKeys)
	sorted.Order.Joined = func() (key, time, id string) {
		return inFound(sorted.Order.Key), inFound(variant.FieldListedAt), inFound(variant.FieldProductID)
	}
	sorted.Position = func(p *ent.Product) list.Position {
		at := newest.Position(p)
		at.Key = without
		if p.FoundPrice != nil {
			at.Key = sign * *p.FoundPrice
		}
		return at
	}
	return sorted
}
