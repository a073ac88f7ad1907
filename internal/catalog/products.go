package catalog

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The shapes of lists of products.
type (
	ProductPage struct {
		ListPage[*ent.Product]
		Facets *ProductFacets
	}
	ProductConnection struct {
		*Connection[*ent.Product]
		Facets *ProductFacets
	}
	ProductEdge = Edge[*ent.Product]
)

// PublishedProducts returns the query that every public read of products starts from.
func (r *Catalog) PublishedProducts(ctx context.Context) *ent.ProductQuery {
	now := request.Of(ctx).Now
	return r.store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(now))
}

// ProductArguments are the arguments of products and productsConnection that choose records.
type ProductArguments struct {
	Name                *string
	CategoryID, BrandID *uuid.UUID
	Categories, Brands  []string
	Tag                 *string
	Tags                []string
	Options             []*api.OptionFilter
	InStore             *bool
	MinPrice, MaxPrice  *api.Decimal
	Values              []*api.TechnicalFilter
	Sort                api.ProductSort
}

func (a ProductArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f Filter, err error) {
	f = Filter{
		list: productList, tenant: t.ID,
		words: searchWordsOf(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
		tag: optionalOf(a.Tag), tags: someTags(a.Tags), options: optionConditions(a.Options),
		inStore: optionalOf(a.InStore), sku: searchPhraseOf(a.Name),
	}
	if a.Sort == api.ProductSortRelevance {
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
	f.indexed = f.held.few()
	return f, err
}

// ProductsIn returns the filter for the products of a category and its descendants. A category of articles
// has none.
func ProductsIn(c *ent.Category) Filter {
	f := Filter{list: productList, tenant: c.TenantID, category: optionalOf(&c.ID)}
	if c.EntityType != record.Product {
		f.categories = choice{given: true} // nothing
	}
	return f
}

// ProductsOf returns the filter for the products of a brand.
func ProductsOf(b *ent.Brand) Filter {
	return Filter{list: productList, tenant: b.TenantID, brand: optionalOf(&b.ID)}
}

// productSortKeys are the keys of all orders except newest first.
var productSortKeys = map[api.ProductSort]sortKey[*ent.Product]{
	api.ProductSortPriceAsc: {
		column: product.FieldSortCheap,
		value:  func(p *ent.Product) any { return p.SortCheap },
	},
	api.ProductSortPriceDesc: {
		column: product.FieldSortDear,
		value:  func(p *ent.Product) any { return p.SortDear },
	},
	api.ProductSortRating: {
		column: product.FieldSortRating,
		value:  func(p *ent.Product) any { return p.SortRating },
	},
	api.ProductSortTitle: {
		column:    product.FieldSortTitle,
		ascending: true,
		value:     func(p *ent.Product) any { return p.SortTitle },
	},
}

// Products returns a shop's published products.
func (r *Catalog) Products(ctx context.Context, filter Filter, sort api.ProductSort) List[*ent.Product] {
	byPrice := sort == api.ProductSortPriceAsc || sort == api.ProductSortPriceDesc
	computed := byPrice && filter.asksVariants()
	newest := publicList(r, filter, r.PublishedProducts,
		func(ctx context.Context, q *ent.ProductQuery, columns *selection.Set) {
			CollectProducts(ctx, q, columns)
			if computed {
				q.Modify(func(s *sql.Selector) {
					s.AppendSelectAs(inFound(variant.FieldPriceMilli), "found_price")
				})
			}
		},
		func(p *ent.Product) int64 { return p.TenantVersion },
		func(p *ent.Product) Position { return Position{Time: p.PublishedAt, ID: p.ID} })
	if sort == api.ProductSortRelevance {
		return byRelevance(newest, filter, func(p *ent.Product) string { return p.SearchText })
	}
	if computed {
		return filter.sortByFoundPrice(newest, sort)
	}
	return sortBy(newest, filter, sort, productSortKeys)
}

// LookupSlug returns the stored form of a slug that came from outside, so that a link typed with Arabic
// letters still works.
func LookupSlug(slug string) string { return search.Slug(slug) }
