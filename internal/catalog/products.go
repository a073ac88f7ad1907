package catalog

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/graph/model"
	"storefront/internal/record"
	"storefront/internal/search"
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
	return r.store.Product.Query().Where(product.StatusEQ(record.Published), product.PublishedAtLTE(RequestTime(ctx)))
}

// ProductArguments are the arguments of products and productsConnection that choose records.
type ProductArguments struct {
	Name                *string
	CategoryID, BrandID *uuid.UUID
	Categories, Brands  []string
	Tag                 *string
	Tags                []string
	Options             []*model.OptionFilter
	InStore             *bool
	MinPrice, MaxPrice  *model.Decimal
	Values              []*model.TechnicalFilter
	Sort                model.ProductSort
}

// ProductFilter narrows a list of products.
type ProductFilter struct {
	tenant           uuid.UUID
	words            searchWords
	phrase           searchPhrase // if the list is sorted by relevance
	category         optional[uuid.UUID]
	categories       choice
	brand            optional[uuid.UUID]
	brands           choice
	tag              optional[string]
	tags             choice
	options          optionFilter
	inStore          optional[bool]
	price            priceRange
	values           technicalFilter
	bySortIndex      bool // how it is read, see listingFilter
	inListOrder      bool // see listingFilter
	wordsInListOrder bool // see searchInListOrder
	held             heldWords
	indexed          bool // it is read by SQLite's index of words
}

func (a ProductArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f ProductFilter, err error) {
	f = ProductFilter{
		tenant: t.ID,
		words:  searchWordsOf(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
		tag: optionalOf(a.Tag), tags: someTags(a.Tags), options: optionFilterOf(a.Options),
		inStore: optionalOf(a.InStore),
	}
	if f.price, err = priceRangeOf(a.MinPrice, a.MaxPrice); err != nil {
		return f, err
	}
	if len(a.Values) > 0 {
		forms, err := r.Forms(ctx, t.ID)
		if err != nil {
			return f, err
		}
		if f.values, err = technicalFilterOf(a.Values, forms); err != nil {
			return f, err
		}
	}
	if f.categories, err = r.someCategories(ctx, t, record.Product, a.Categories); err != nil {
		return f, err
	}
	if a.Sort == model.ProductSortRelevance {
		f.phrase = searchPhraseOf(a.Name)
	}
	if f.brands, err = r.someBrands(ctx, t, a.Brands); err != nil {
		return f, err
	}
	f.categories.singleID(&f.category)
	f.brands.singleID(&f.brand)
	f.held, err = r.heldBy(ctx, t.ID, f.words)
	f.indexed = f.held.few()
	return f, err
}

// ProductsIn returns the filter for the products of a category and its descendants. A category of articles
// has none.
func ProductsIn(c *ent.Category) ProductFilter {
	f := ProductFilter{tenant: c.TenantID, category: optional[uuid.UUID]{value: c.ID, given: true}}
	if c.EntityType != record.Product {
		f.categories = choice{given: true} // nothing
	}
	return f
}

// ProductsOf returns the filter for the products of a brand.
func ProductsOf(b *ent.Brand) ProductFilter {
	return ProductFilter{tenant: b.TenantID, brand: optional[uuid.UUID]{value: b.ID, given: true}}
}

func (f ProductFilter) listings() listingFilter {
	listings := listedUnder(listing.KindProduct, f.category, f.tag)
	listings.bySortIndex = f.bySortIndex
	return listings.orUnder(f.tenant, f.categories, f.tags, f.inListOrder)
}

// unranked returns the filter without its ranking. It matches the same products.
func (f ProductFilter) unranked() ProductFilter {
	f.phrase = ""
	return f
}

// unsorted returns the filter without the choice of how its list is read. It matches the same products.
func (f ProductFilter) unsorted() ProductFilter {
	f.phrase, f.held, f.indexed = "", heldWords{}, false
	return f
}

// allButWords returns the filter without its search.
func (f ProductFilter) allButWords() ProductFilter {
	f.words, f.phrase, f.held, f.indexed = "", "", heldWords{}, false
	return f
}

// listedAlone reports whether the listings alone determine the products of the list.
func (f ProductFilter) listedAlone() bool {
	return f.listings().alone() && f.unsorted() == ProductFilter{tenant: f.tenant, category: f.category, tag: f.tag}
}

// hasChoice reports whether the filter has a condition for which no index has the order of the list.
func (f ProductFilter) hasChoice() bool {
	return f.categories.given || f.brands.given || f.tags.given || f.options != ""
}

func (f ProductFilter) narrow(q *ent.ProductQuery, at time.Time) *ent.ProductQuery {
	return q.Where(f.conditions(at)...)
}

// conditions returns the predicates of the filter. at is the time of the request.
func (f ProductFilter) conditions(at time.Time) []predicate.Product {
	all := []predicate.Product{
		f.words.narrow(f.wordsInListOrder), f.listings().narrow, f.values.narrow,
		f.options.narrow(f.tenant, at, f.inListOrder),
	}
	if f.indexed {
		all = append(all, f.words.indexed(f.tenant))
	}
	if f.brands.given {
		all = append(all, isAmong(product.FieldBrandID, f.brands, f.inListOrder))
	}
	if f.price.min.given || f.price.max.given {
		all = append(all, product.SortDearGTE(max(f.price.min.value, 0))) // negative without a price
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

// productSortKeys are the keys of all orders except newest first.
var productSortKeys = map[model.ProductSort]sortKey[*ent.Product]{
	model.ProductSortPriceAsc: {
		column: product.FieldSortCheap,
		value:  func(p *ent.Product) any { return p.SortCheap },
	},
	model.ProductSortPriceDesc: {
		column: product.FieldSortDear,
		value:  func(p *ent.Product) any { return p.SortDear },
	},
	model.ProductSortRating: {
		column: product.FieldSortRating,
		value:  func(p *ent.Product) any { return p.SortRating },
	},
	model.ProductSortTitle: {
		column:    product.FieldSortTitle,
		ascending: true,
		value:     func(p *ent.Product) any { return p.SortTitle },
	},
}

// Products returns a shop's published products.
func (r *Catalog) Products(filter ProductFilter, sort model.ProductSort) List[*ent.Product] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: filter.tenant, what: "products.total", filter: filter.unsorted()},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.PublishedProducts(ctx), RequestTime(ctx)).Count(ctx)
		},
	}
	newest := List[*ent.Product]{
		Order: filter.listings().newestFirst("products"),
		Read: func(ctx context.Context, part Span) ([]*ent.Product, error) {
			filter, err := filter, error(nil)
			if len(filter.listings().facets) > 0 {
				filter.bySortIndex, err = readBySortIndex(ctx, part, total)
			}
			if err == nil && filter.hasChoice() {
				filter.inListOrder, err = isMany(ctx, total)
			}
			all := ProductFilter{tenant: filter.tenant}
			if err == nil && filter.words != "" && filter.allButWords() == all {
				filter.wordsInListOrder, err = r.searchInListOrder(ctx, part, total, r.Products(all, "").Total)
				filter.indexed = filter.indexed && (part.rank != "" || filter.held.fewer(part.Offset+part.Limit))
			}
			if err != nil {
				return nil, err
			}
			found := r.PublishedProducts(ctx)
			if part.Key == "" && filter.listedAlone() {
				found.Where(filter.listings().newest(part, RequestTime(part.published(ctx)))).
					Order(part.ofRecords().Sorted)
			} else {
				found = filter.narrow(r.PublishedProducts(part.published(ctx)), RequestTime(ctx)).
					Where(part.Bounded).Order(part.Sorted).Limit(part.Limit)
				found.Modify(part.idsFirst(filter.words != "" && !filter.wordsInListOrder))
			}
			return CollectProducts(ctx, found, part.Columns).Modify(selectVersion(filter.tenant)).
				All(InTenant(ctx, filter.tenant))
		},
		version:  func(p *ent.Product) int64 { return p.TenantVersion },
		tenant:   filter.tenant,
		Position: func(p *ent.Product) Position { return Position{Time: p.PublishedAt, ID: p.ID} },
		Total:    total,
	}
	if sort == model.ProductSortRelevance {
		return byRelevance(newest, "products", filter.phrase, func(p *ent.Product) string { return p.SearchText })
	}
	return sortBy(newest, "products", sort, productSortKeys)
}

// LookupSlug returns the stored form of a slug that came from outside, so that a link typed with Arabic
// letters still works.
func LookupSlug(slug string) string { return search.Slug(slug) }
