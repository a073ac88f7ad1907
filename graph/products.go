package graph

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/record"
	"storefront/internal/search"
	"storefront/internal/selection"
)

// productArguments are the arguments of products and productsConnection that choose records.
type productArguments struct {
	name                *string
	categoryID, brandID *uuid.UUID
	categories, brands  []string
	tag                 *string
	tags                []string
	options             []*OptionFilter
	inStore             *bool
	minPrice, maxPrice  *Decimal
	values              []*TechnicalFilter
	sort                ProductSort
}

// productFilter is what a list of products is narrowed by.
type productFilter struct {
	tenant      uuid.UUID
	words       searchWords
	phrase      searchPhrase // where the list is sorted by relevance
	category    optional[uuid.UUID]
	categories  choice
	brand       optional[uuid.UUID]
	brands      choice
	tag         optional[string]
	tags        choice
	options     optionFilter
	inStore     optional[bool]
	price       priceRange
	values      technicalFilter
	bySortIndex bool // how it is read, see listingFilter
	walk        bool // see listingFilter
	walkWords   bool // see searchWalk
	fewHold     bool // see fewHold
}

func (a productArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f productFilter, err error) {
	f = productFilter{
		tenant: t.ID,
		words:  searchWordsOf(a.name), category: optionalOf(a.categoryID), brand: optionalOf(a.brandID),
		tag: optionalOf(a.tag), tags: someTags(a.tags), options: optionFilterOf(a.options),
		inStore: optionalOf(a.inStore),
	}
	if f.price, err = priceRangeOf(a.minPrice, a.maxPrice); err != nil {
		return f, err
	}
	if len(a.values) > 0 {
		forms, err := r.forms(ctx, t.ID)
		if err != nil {
			return f, err
		}
		if f.values, err = technicalFilterOf(a.values, forms); err != nil {
			return f, err
		}
	}
	if f.categories, err = r.someCategories(ctx, t, record.Product, a.categories); err != nil {
		return f, err
	}
	if a.sort == ProductSortRelevance {
		f.phrase = searchPhraseOf(a.name)
	}
	if f.brands, err = r.someBrands(ctx, t, a.brands); err != nil {
		return f, err
	}
	f.categories.singleID(&f.category)
	f.brands.singleID(&f.brand)
	f.fewHold, err = r.fewHold(ctx, t.ID, f.words)
	return f, err
}

// productsIn finds the products of a category and all below it: none where the category is of articles. Listings of
// customers have the categories of products.
func productsIn(c *ent.Category) productFilter {
	f := productFilter{tenant: c.TenantID, category: optional[uuid.UUID]{value: c.ID, given: true}}
	if c.EntityType != record.Product {
		f.categories = choice{given: true} // nothing
	}
	return f
}

// productsOf finds the products of a brand.
func productsOf(b *ent.Brand) productFilter {
	return productFilter{tenant: b.TenantID, brand: optional[uuid.UUID]{value: b.ID, given: true}}
}

func (f productFilter) listings() listingFilter {
	listings := listedUnder(listing.KindProduct, f.category, f.tag)
	listings.bySortIndex = f.bySortIndex
	return listings.orUnder(f.tenant, f.categories, f.tags, f.walk)
}

// unranked is the filter without what sorts its list: it finds the same.
func (f productFilter) unranked() productFilter {
	f.phrase = ""
	return f
}

// unsorted is the filter without what says how its list is read: it finds the same.
func (f productFilter) unsorted() productFilter {
	f.phrase, f.fewHold = "", false
	return f
}

// allButWords is the filter without its search.
func (f productFilter) allButWords() productFilter {
	f.words, f.phrase, f.fewHold = "", "", false
	return f
}

// listedAlone reports whether the listings alone say which products the list has.
func (f productFilter) listedAlone() bool {
	return f.listings().alone() && f.unsorted() == productFilter{tenant: f.tenant, category: f.category, tag: f.tag}
}

// hasChoice reports whether the filter has a part that no index of a list finds in its order.
func (f productFilter) hasChoice() bool {
	return f.categories.given || f.brands.given || f.tags.given || f.options != ""
}

func (f productFilter) narrow(q *ent.ProductQuery, at time.Time) *ent.ProductQuery {
	return q.Where(f.conditions(at)...)
}

// conditions are all that the filter demands of products, of which at is the request's time.
func (f productFilter) conditions(at time.Time) []predicate.Product {
	all := []predicate.Product{
		f.words.narrow(f.walkWords), f.listings().narrow, f.values.narrow, f.options.narrow(f.tenant, at, f.walk),
	}
	if f.fewHold {
		all = append(all, f.words.indexed(f.tenant))
	}
	if f.brands.given {
		all = append(all, isAmong(product.FieldBrandID, f.brands, f.walk))
	}
	if f.price.min.given || f.price.max.given {
		all = append(all, product.SortDearGTE(max(f.price.min.value, 0))) // it is negative where there is no price
	}
	if f.price.max.given {
		all = append(all, product.SortDearLTE(f.price.max.value))
	}
	if f.brand.given {
		all = append(all, product.BrandID(f.brand.value))
	}
	if f.inStore.given {
		all = append(all, product.InStore(f.inStore.value))
	}
	return all
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
func (r *Catalog) products(filter productFilter, sort ProductSort) list[*ent.Product] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: filter.tenant, what: "products.total", filter: filter.unsorted()},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.publishedProducts(ctx), requestTime(ctx)).Count(ctx)
		},
	}
	newest := list[*ent.Product]{
		order: filter.listings().newestFirst("products"),
		read: func(ctx context.Context, part stretch) ([]*ent.Product, error) {
			filter, err := filter, error(nil)
			if len(filter.listings().facets) > 0 {
				filter.bySortIndex, err = readBySortIndex(ctx, part, total)
			}
			if err == nil && filter.hasChoice() {
				filter.walk, err = isMany(ctx, total)
			}
			all := productFilter{tenant: filter.tenant}
			if err == nil && filter.words != "" && filter.allButWords() == all {
				filter.walkWords, err = r.searchWalk(ctx, part, total, r.products(all, "").total)
			}
			if err != nil {
				return nil, err
			}
			found := r.publishedProducts(ctx)
			if part.key == "" && filter.listedAlone() {
				found.Where(filter.listings().newest(part, requestTime(part.published(ctx)))).
					Order(part.ofRecords().sorted)
			} else {
				found = filter.narrow(r.publishedProducts(part.published(ctx)), requestTime(ctx)).
					Where(part.bounded).Order(part.sorted).Limit(part.limit)
				found.Modify(part.idsFirst(filter.words != "" && !filter.walkWords))
			}
			return collectProducts(ctx, found, part.columns).Modify(selectVersion(filter.tenant)).
				All(inTenant(ctx, filter.tenant))
		},
		version: func(p *ent.Product) int64 { return p.TenantVersion },
		tenant:  filter.tenant,
		place:   func(p *ent.Product) place { return place{time: p.PublishedAt, id: p.ID} },
		total:   total,
	}
	if sort == ProductSortRelevance {
		return byRelevance(newest, "products", filter.phrase, func(p *ent.Product) string { return p.SearchText })
	}
	return sortBy(newest, "products", sort, productSortKeys)
}

// Products is a page of a shop's published products.
func (r tenantResolver) Products(
	ctx context.Context, t *ent.Tenant, page, pageSize int, name *string, categoryID *uuid.UUID, categories []string,
	brandID *uuid.UUID, brands []string, tag *string, tags []string, options []*OptionFilter, inStore *bool,
	minPrice, maxPrice *Decimal, values []*TechnicalFilter, sort ProductSort,
) (*ProductPage, error) {
	asked := productArguments{
		name: name, categoryID: categoryID, brandID: brandID, tag: tag, inStore: inStore,
		minPrice: minPrice, maxPrice: maxPrice, values: values, sort: sort,
		categories: categories, brands: brands, tags: tags, options: options,
	}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return &ProductPage{
		ListPage: pageOf(r.r.catalog.products(filter, asked.sort), page, pageSize),
		Facets:   r.r.catalog.productFacets(filter),
	}, nil
}

// ProductsConnection walks a shop's published products.
func (r tenantResolver) ProductsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name *string,
	categoryID *uuid.UUID, categories []string, brandID *uuid.UUID, brands []string, tag *string, tags []string,
	options []*OptionFilter, inStore *bool, minPrice, maxPrice *Decimal, values []*TechnicalFilter,
	sort ProductSort,
) (*ProductConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := productArguments{
		name: name, categoryID: categoryID, brandID: brandID, tag: tag, inStore: inStore,
		minPrice: minPrice, maxPrice: maxPrice, values: values, sort: sort,
		categories: categories, brands: brands, tags: tags, options: options,
	}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	c, err := walk(ctx, r.r.catalog.products(filter, asked.sort), window, defaultSize)
	return &ProductConnection{Connection: c, Facets: r.r.catalog.productFacets(filter)}, err
}

// Product is a published product of a shop.
func (r tenantResolver) Product(ctx context.Context, t *ent.Tenant, slug string) (*ent.Product, error) {
	found := r.r.catalog.publishedProducts(ctx).Where(product.Slug(lookupSlug(slug)))
	return collectProducts(ctx, found, selection.Of(ctx)).Only(inTenant(ctx, t.ID))
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
		found, err := r.r.catalog.variantsOnSale(ctx).Where(variant.ProductIDIn(ids...)).Order(variant.ByID()).
			Collect(selection.Of(ctx).And("product_id")).All(inTenant(ctx, products[0].TenantID))
		return group(ids, found, func(v *ent.Variant) uuid.UUID { return v.ProductID }), err
	})
}

// Comments are the approved comments on each product.
func (r productResolver) Comments(ctx context.Context, products []*ent.Product) ([][]*ent.Comment, error) {
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([][]*ent.Comment, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.r.catalog.commentsOn(ctx, products[0].TenantID, record.Product, ids, 0)
	})
}

// ExpertReviews are the approved reviews of each product.
func (r productResolver) ExpertReviews(
	ctx context.Context, products []*ent.Product,
) ([][]*ent.ExpertReview, error) {
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([][]*ent.ExpertReview, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.r.catalog.reviewsOf(ctx, products[0].TenantID, ids, 0)
	})
}

// CommentsConnection walks the approved comments on each product.
func (r productResolver) CommentsConnection(
	ctx context.Context, products []*ent.Product, first *int, after *string, last *int, before *string,
) ([]*CommentConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([]*CommentConnection, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		return r.r.catalog.commentConnections(ctx, products[0].TenantID, record.Product, ids, window)
	})
}

// lookupSlug is the stored form of a slug that came from outside, so that a link typed with Arabic letters
// still works.
func lookupSlug(slug string) string { return search.Slug(slug) }
