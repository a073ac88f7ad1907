package graph

import (
	"context"
	"math"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/money"
	"storefront/internal/record"
	"storefront/internal/search"
	"storefront/internal/selection"
)

// productArguments are the arguments of products and productsConnection that choose records.
type productArguments struct {
	name                *string
	categoryID, brandID *uuid.UUID
	tag                 *string
	inStore             *bool
	minPrice, maxPrice  *Decimal
	values              []*TechnicalFilter
	sort                ProductSort
}

// productFilter is what a list of products is narrowed by.
type productFilter struct {
	words       searchWords
	category    optional[uuid.UUID]
	brand       optional[uuid.UUID]
	tag         optional[string]
	inStore     optional[bool]
	price       priceRange
	values      technicalFilter
	bySortIndex bool // how it is read, see listingFilter
}

func (a productArguments) filter() (f productFilter, err error) {
	f = productFilter{
		words: searchWordsOf(a.name), category: optionalOf(a.categoryID), brand: optionalOf(a.brandID),
		tag: optionalOf(a.tag), inStore: optionalOf(a.inStore),
	}
	if f.price, err = priceRangeOf(a.minPrice, a.maxPrice); err != nil {
		return f, err
	}
	f.values, err = technicalFilterOf(a.values)
	return f, err
}

func (f productFilter) listings() listingFilter {
	listings := listedUnder(listing.KindProduct, f.category, f.tag)
	listings.bySortIndex = f.bySortIndex
	return listings
}

func (f productFilter) narrow(q *ent.ProductQuery) *ent.ProductQuery {
	q.Where(f.words.narrow, f.listings().narrow, f.values.narrow)
	if f.price.min.given || f.price.max.given {
		q.Where(product.SortDearGTE(max(f.price.min.value, 0))) // it is negative where there is no price
	}
	if f.price.max.given {
		q.Where(product.SortDearLTE(f.price.max.value))
	}
	if f.brand.given {
		q.Where(product.BrandID(f.brand.value))
	}
	if f.inStore.given {
		q.Where(product.InStore(f.inStore.value))
	}
	return q
}

// productSortKeys are the keys of all orders but newest first.
var productSortKeys = map[ProductSort]sortKey[*ent.Product]{
	ProductSortPriceAsc: {
		column: product.FieldSortCheap,
		value:  func(p *ent.Product) any { return p.SortCheap },
	},
	ProductSortPriceDesc: {
		column: product.FieldSortDear,
		value:  func(p *ent.Product) any { return p.SortDear },
	},
	ProductSortRating: {
		column: product.FieldSortRating,
		value:  func(p *ent.Product) any { return p.SortRating },
	},
	ProductSortTitle: {
		column:    product.FieldSortTitle,
		ascending: true,
		value:     func(p *ent.Product) any { return p.SortTitle },
	},
}

// products are a shop's published products.
func (r *Resolver) products(t *ent.Tenant, filter productFilter, sort ProductSort) list[*ent.Product] {
	total := publicTotal{
		Resolver: r,
		subject:  subject{tenant: t.ID, what: "products.total", filter: filter},
		size:     func(ctx context.Context) (int, error) { return filter.narrow(r.publishedProducts(ctx)).Count(ctx) },
	}
	newest := list[*ent.Product]{
		order: filter.listings().newestFirst("products"),
		read: func(ctx context.Context, part stretch) ([]*ent.Product, error) {
			filter, err := filter, error(nil)
			if len(filter.listings().facets) > 0 {
				filter.bySortIndex, err = readBySortIndex(ctx, part, total)
			}
			if err != nil {
				return nil, err
			}
			found := filter.narrow(r.publishedProducts(part.published(ctx))).
				Where(part.bounded).Order(part.sorted).Limit(part.limit).
				Modify(part.idsFirst(filter.words))
			return collectProducts(ctx, found.ProductQuery, part.columns).Modify(selectVersion(t.ID)).All(inTenant(ctx, t.ID))
		},
		version: func(p *ent.Product) int64 { return p.TenantVersion },
		tenant:  t.ID,
		place:   func(p *ent.Product) place { return place{time: p.PublishedAt, id: p.ID} },
		total:   total,
	}
	return sortBy(newest, "products", sort, productSortKeys)
}

// Products is a page of a shop's published products.
func (r tenantResolver) Products(
	ctx context.Context, t *ent.Tenant, page, pageSize int, name *string, categoryID, brandID *uuid.UUID, tag *string,
	inStore *bool, minPrice, maxPrice *Decimal, values []*TechnicalFilter, sort ProductSort,
) (*ProductPage, error) {
	asked := productArguments{
		name: name, categoryID: categoryID, brandID: brandID, tag: tag, inStore: inStore,
		minPrice: minPrice, maxPrice: maxPrice, values: values, sort: sort,
	}
	filter, err := asked.filter()
	if err != nil {
		return nil, err
	}
	return &ProductPage{
		ListPage: pageOf(r.products(t, filter, asked.sort), page, pageSize),
		Facets:   r.productFacets(t, filter),
	}, nil
}

// ProductsConnection walks a shop's published products.
func (r tenantResolver) ProductsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name *string,
	categoryID, brandID *uuid.UUID, tag *string, inStore *bool, minPrice, maxPrice *Decimal, values []*TechnicalFilter,
	sort ProductSort,
) (*ProductConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := productArguments{
		name: name, categoryID: categoryID, brandID: brandID, tag: tag, inStore: inStore,
		minPrice: minPrice, maxPrice: maxPrice, values: values, sort: sort,
	}
	filter, err := asked.filter()
	if err != nil {
		return nil, err
	}
	c, err := walk(ctx, r.products(t, filter, asked.sort), window, defaultSize)
	return &ProductConnection{Connection: c, Facets: r.productFacets(t, filter)}, err
}

// Product is a published product of a shop.
func (r tenantResolver) Product(ctx context.Context, t *ent.Tenant, slug string) (*ent.Product, error) {
	found := r.publishedProducts(ctx).Where(product.Slug(lookupSlug(slug)))
	return collectProducts(ctx, found, selection.Of(ctx)).Only(inTenant(ctx, t.ID))
}

// Price is that of the cheapest variant on sale.
func (productResolver) Price(_ context.Context, p *ent.Product) (*money.Amount, error) {
	return amount(p.PriceMin, p.PriceCurrency), nil
}

// MaxPrice is that of the dearest variant on sale.
func (productResolver) MaxPrice(_ context.Context, p *ent.Product) (*money.Amount, error) {
	return amount(p.PriceMax, p.PriceCurrency), nil
}

func amount(minor *int64, currency *string) *money.Amount {
	if minor == nil || currency == nil {
		return nil
	}
	return &money.Amount{Minor: *minor, Currency: *currency}
}

// RatingAverage is the mean of the approved reviews' rates, to one decimal.
func (productResolver) RatingAverage(_ context.Context, p *ent.Product) (*float64, error) {
	if p.RatingCount == 0 {
		return nil, nil
	}
	mean := math.Round(10*float64(p.RatingSum)/float64(p.RatingCount)) / 10
	return &mean, nil
}

// Variants are the variants on sale of each product, oldest first.
func (r productResolver) Variants(ctx context.Context, products []*ent.Product) ([][]*ent.Variant, error) {
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([][]*ent.Variant, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		found, err := r.variantsOnSale(ctx).Where(variant.ProductIDIn(ids...)).Order(variant.ByID()).
			Collect(selection.Of(ctx).And("product_id")).All(inTenant(ctx, products[0].TenantID))
		return group(ids, found, func(v *ent.Variant) uuid.UUID { return v.ProductID }), err
	})
}

// Comments are the approved comments on each product.
func (r productResolver) Comments(ctx context.Context, products []*ent.Product) ([][]*ent.Comment, error) {
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([][]*ent.Comment, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.commentsOn(ctx, products[0].TenantID, record.Product, ids, 0)
	})
}

// ExpertReviews are the approved reviews of each product.
func (r productResolver) ExpertReviews(
	ctx context.Context, products []*ent.Product,
) ([][]*ent.ExpertReview, error) {
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([][]*ent.ExpertReview, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.reviewsOf(ctx, products[0].TenantID, ids, 0)
	})
}

// CommentsConnection walks the approved comments on each product.
func (r productResolver) CommentsConnection(
	ctx context.Context, products []*ent.Product, first *int, after *string, last *int, before *string,
) ([]*CommentConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([]*CommentConnection, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.commentConnections(ctx, products[0].TenantID, record.Product, ids, window)
	})
}

// lookupSlug is the stored form of a slug that came from outside, so that a link typed with Arabic letters
// still works.
func lookupSlug(slug string) string { return search.Slug(slug) }
