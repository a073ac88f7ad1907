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

// productFilter is what a list of products is narrowed by.
type productFilter struct {
	name     words
	category maybe[uuid.UUID]
	brand    maybe[uuid.UUID]
	tag      maybe[string]
	inStore  maybe[bool]
	minPrice maybe[int64] // thousandths of the unit
	maxPrice maybe[int64] // thousandths of the unit
	values   demands
	walked   bool // how it is read, see facets
}

// productFilterOf reads the filter of a list of products.
func productFilterOf(name *string, categoryID, brandID *uuid.UUID, tag *string, inStore *bool, minPrice, maxPrice *Decimal, values []*TechnicalFilter) (f productFilter, err error) {
	f = productFilter{name: wordsOf(name), category: of(categoryID), brand: of(brandID), tag: of(tag), inStore: of(inStore)}
	if f.minPrice, f.maxPrice, err = prices(minPrice, maxPrice); err != nil {
		return f, err
	}
	f.values, err = demandsOf(values)
	return f, err
}

func (f productFilter) facets() facets {
	under := under(listing.KindProduct, f.category, f.tag)
	under.walked = f.walked
	return under
}

func (f productFilter) narrow(q *ent.ProductQuery) *ent.ProductQuery {
	q.Where(f.name.narrow, f.facets().narrow, f.values.narrow)
	if f.minPrice.given || f.maxPrice.given {
		q.Where(product.SortDearGTE(max(f.minPrice.value, 0))) // which is less where there is no price
	}
	if f.maxPrice.given {
		q.Where(product.SortDearLTE(f.maxPrice.value))
	}
	if f.brand.given {
		q.Where(product.BrandID(f.brand.value))
	}
	if f.inStore.given {
		q.Where(product.InStore(f.inStore.value))
	}
	return q
}

// order is that of a list of products.
func (f productFilter) order(sort ProductSort) order {
	o := order{list: "products." + string(sort), time: product.FieldPublishedAt}
	switch sort {
	case ProductSortPriceAsc:
		o.key = product.FieldSortCheap
	case ProductSortPriceDesc:
		o.key = product.FieldSortDear
	case ProductSortRating:
		o.key = product.FieldSortRating
	case ProductSortTitle:
		o.key, o.rising = product.FieldSortTitle, true
	default:
		return f.facets().newest("products")
	}
	return o
}

// placeOf is where a product stands in an order.
func placeOf(sort ProductSort, p *ent.Product) place {
	at := place{time: p.PublishedAt, id: p.ID}
	switch sort {
	case ProductSortPriceAsc:
		at.key = p.SortCheap
	case ProductSortPriceDesc:
		at.key = p.SortDear
	case ProductSortRating:
		at.key = p.SortRating
	case ProductSortTitle:
		at.key = p.SortTitle
	}
	return at
}

// products are a shop's published products.
func (r *Resolver) products(t *ent.Tenant, filter productFilter, sort ProductSort) (list[*ent.Product], tally) {
	n := tally{r, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.publishedProducts(ctx)).Count(ctx) }, r.nextProduct}
	return list[*ent.Product]{
		order: filter.order(sort),
		read: func(ctx context.Context, part stretch) ([]*ent.Product, error) {
			filter := filter
			if sort != ProductSortNewest && len(filter.facets().names) > 0 {
				total, err := n.total(ctx)
				if err != nil {
					return nil, err
				}
				filter.walked = total >= manyListed
			}
			return filter.narrow(r.publishedProducts(part.shown(ctx))).Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).
				Collect(part.columns).All(in(ctx, t.ID))
		},
		place: func(p *ent.Product) place { return placeOf(sort, p) },
	}, n
}

// Products is a page of a shop's published products.
func (r tenantResolver) Products(ctx context.Context, t *ent.Tenant, number, size int, name *string, categoryID, brandID *uuid.UUID, tag *string, inStore *bool, minPrice, maxPrice *Decimal, values []*TechnicalFilter, sort ProductSort) (*ProductPage, error) {
	filter, err := productFilterOf(name, categoryID, brandID, tag, inStore, minPrice, maxPrice, values)
	if err != nil {
		return nil, err
	}
	l, n := r.products(t, filter, sort)
	return &ProductPage{pageOf(l, n, number, size), &ProductFacets{r.Resolver, t.ID, filter}}, nil
}

// ProductsConnection walks a shop's published products.
func (r tenantResolver) ProductsConnection(ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name *string, categoryID, brandID *uuid.UUID, tag *string, inStore *bool, minPrice, maxPrice *Decimal, values []*TechnicalFilter, sort ProductSort) (*ProductConnection, error) {
	filter, err := productFilterOf(name, categoryID, brandID, tag, inStore, minPrice, maxPrice, values)
	if err != nil {
		return nil, err
	}
	l, n := r.products(t, filter, sort)
	c, err := walk(ctx, l, window{first, last, after, before}, defaultSize, n.total)
	return &ProductConnection{c, &ProductFacets{r.Resolver, t.ID, filter}}, err
}

// Product is a published product of a shop.
func (r tenantResolver) Product(ctx context.Context, t *ent.Tenant, slug string) (*ent.Product, error) {
	return r.publishedProducts(ctx).Where(product.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
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

// InStock tells of each product whether a variant on sale is in stock. It is read when asked, as stock changes all the time.
func (r productResolver) InStock(ctx context.Context, products []*ent.Product) ([]bool, error) {
	return ofAll(ctx, products, func(products []*ent.Product) ([]bool, error) {
		var stocked []uuid.UUID
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		err := r.variantsOnSale(ctx).Where(variant.ProductIDIn(ids...), variant.StockGT(0)).
			GroupBy(variant.FieldProductID).Scan(in(ctx, products[0].TenantID), &stocked)
		answers := make([]bool, len(products))
		has := make(map[uuid.UUID]bool, len(stocked))
		for _, id := range stocked {
			has[id] = true
		}
		for i, id := range ids {
			answers[i] = has[id]
		}
		return answers, err
	})
}

// Variants are the variants on sale of each product, oldest first.
func (r productResolver) Variants(ctx context.Context, products []*ent.Product) ([][]*ent.Variant, error) {
	return ofAll(ctx, products, func(products []*ent.Product) ([][]*ent.Variant, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		found, err := r.variantsOnSale(ctx).Where(variant.ProductIDIn(ids...)).Order(variant.ByID()).
			Collect(selection.Of(ctx).Merge(selection.Path("product_id"))).All(in(ctx, products[0].TenantID))
		return group(ids, found, func(v *ent.Variant) uuid.UUID { return v.ProductID }), err
	})
}

// Comments are the approved comments on each product.
func (r productResolver) Comments(ctx context.Context, products []*ent.Product) ([][]*ent.Comment, error) {
	return ofAll(ctx, products, func(products []*ent.Product) ([][]*ent.Comment, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.commentsOn(ctx, products[0].TenantID, record.Product, ids)
	})
}

// ExpertReviews are the approved reviews of each product.
func (r productResolver) ExpertReviews(ctx context.Context, products []*ent.Product) ([][]*ent.ExpertReview, error) {
	return ofAll(ctx, products, func(products []*ent.Product) ([][]*ent.ExpertReview, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.reviewsOf(ctx, products[0].TenantID, ids)
	})
}

// CommentsConnection walks the approved comments on each product.
func (r productResolver) CommentsConnection(ctx context.Context, products []*ent.Product, first *int, after *string, last *int, before *string) ([]*CommentConnection, error) {
	return ofAll(ctx, products, func(products []*ent.Product) ([]*CommentConnection, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.commentConnections(ctx, products[0].TenantID, record.Product, ids, window{first, last, after, before})
	})
}

// lookupSlug is the stored form of a slug that came from outside, so that a link typed with Arabic letters still works.
func lookupSlug(slug string) string { return search.Slug(slug) }
