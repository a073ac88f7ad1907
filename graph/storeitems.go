package graph

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/record"
)

// storeItemArguments are the arguments of storeItems and storeItemsConnection that choose records.
type storeItemArguments struct {
	categoryID, brandID, productID *uuid.UUID
	categories, brands             []string
	options                        []*OptionFilter
	name                           *string
	inStock, isFestival            *bool
	minPrice, maxPrice             *Decimal
	sort                           StoreItemSort
}

// variantFilter is what a list of store items is narrowed by.
type variantFilter struct {
	tenant      uuid.UUID
	words       searchWords
	phrase      searchPhrase // where the list is sorted by relevance
	category    optional[uuid.UUID]
	categories  choice
	brand       optional[uuid.UUID]
	brands      choice
	product     optional[uuid.UUID]
	options     optionFilter
	inStock     optional[bool]
	isFestival  optional[bool]
	price       priceRange
	bySortIndex bool // how it is read, see listingFilter
	walk        bool // see listingFilter
	walkWords   bool // see searchWalk
}

func (a storeItemArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f variantFilter, err error) {
	f = variantFilter{
		tenant: t.ID, words: searchWordsOf(a.name), category: optionalOf(a.categoryID), brand: optionalOf(a.brandID),
		product: optionalOf(a.productID), inStock: optionalOf(a.inStock), isFestival: optionalOf(a.isFestival),
		options: optionFilterOf(a.options),
	}
	if f.price, err = priceRangeOf(a.minPrice, a.maxPrice); err != nil {
		return f, err
	}
	if f.categories, err = r.someCategories(ctx, t, record.Product, a.categories); err != nil {
		return f, err
	}
	if a.sort == StoreItemSortRelevance {
		f.phrase = searchPhraseOf(a.name)
	}
	f.brands, err = r.someBrands(ctx, t, a.brands)
	f.categories.singleID(&f.category)
	f.brands.singleID(&f.brand)
	return f, err
}

// unsorted is the filter without what sorts its list: it finds the same.
func (f variantFilter) unsorted() variantFilter {
	f.phrase = ""
	return f
}

// allButWords is the filter without its search.
func (f variantFilter) allButWords() variantFilter {
	f.words, f.phrase = "", ""
	return f
}

func (f variantFilter) narrow(q *ent.VariantQuery) *ent.VariantQuery {
	return q.Where(f.conditions()...)
}

// conditions are all that the filter demands of variants.
func (f variantFilter) conditions() []predicate.Variant {
	all := []predicate.Variant{f.words.narrow(f.walkWords), f.options.met(f.walk)}
	if f.categories.given {
		under := listingFilter{kind: listing.KindProduct}.orUnder(f.tenant, f.categories, choice{}, f.walk)
		all = append(all, func(s *sql.Selector) {
			s.Where(under.underAny(s, under.anyOf[0], s.C(variant.FieldProductID), s.C(variant.FieldListedAt)))
		})
	}
	if f.brands.given {
		all = append(all, isAmong(variant.FieldProductBrandID, f.brands, f.walk))
	}
	if f.category.given {
		all = append(all, f.inCategory)
	}
	if f.brand.given {
		all = append(all, f.ofBrand)
	}
	if f.product.given {
		all = append(all, variant.ProductID(f.product.value))
	}
	if f.inStock.given && f.inStock.value {
		all = append(all, variant.StockGT(0))
	} else if f.inStock.given {
		all = append(all, variant.Stock(0))
	}
	if f.isFestival.given {
		all = append(all, variant.IsFestival(f.isFestival.value))
	}
	if f.price.min.given {
		all = append(all, variant.PriceMilliGTE(f.price.min.value))
	}
	if f.price.max.given {
		all = append(all, variant.PriceMilliLTE(f.price.max.value))
	}
	return all
}

// ofBrand keeps the variants of a brand's products. The tenant is named inside too, where tenancy.Guard
// does not reach, so that the index of products that begins with it serves.
func (f variantFilter) ofBrand(s *sql.Selector) {
	p := sql.Table(product.Table)
	s.Where(sql.In(s.C(variant.FieldProductID), sql.Select(p.C(product.FieldID)).From(p).Where(sql.And(
		sql.EQ(p.C(product.FieldTenantID), f.tenant),
		sql.EQ(p.C(product.FieldBrandID), f.brand.value),
	))))
}

// inCategory keeps the variants of products that are listed under the category.
func (f variantFilter) inCategory(s *sql.Selector) {
	l := joinedListing()
	listed := sql.And(
		sql.ColumnsEQ(l.C(listing.FieldTenantID), s.C(variant.FieldTenantID)),
		sql.EQ(l.C(listing.FieldKind), listing.KindProduct),
		sql.EQ(l.C(listing.FieldFacet), categoryFacet(f.category.value)),
	)
	if !f.bySortIndex {
		s.Join(l).On(s.C(variant.FieldProductID), l.C(listing.FieldEntityID)).Where(listed)
		return
	}
	s.Where(sql.Exists(sql.Select(l.C(listing.FieldID)).From(l).Where(sql.And(
		listed,
		sql.ColumnsEQ(l.C(listing.FieldPublishedAt), s.C(variant.FieldListedAt)),
		sql.ColumnsEQ(l.C(listing.FieldEntityID), s.C(variant.FieldProductID)),
	))))
}

// newestFirst is the order by the time from which a variant is on sale.
func (f variantFilter) newestFirst() order {
	o := order{name: "storeItems.newest", time: variant.FieldListedAt}
	if f.category.given { // the index that narrows the list has the same time
		o.split = true
		o.indexColumns = func() (time, id string) {
			return joinedListing().C(listing.FieldPublishedAt), sql.Table(variant.Table).C(variant.FieldID)
		}
	}
	return o
}

// variantSortKeys are the keys of all orders but newest first.
var variantSortKeys = map[StoreItemSort]sortKey[*ent.Variant]{
	StoreItemSortPriceAsc: {
		column: variant.FieldSortCheap,
		value:  func(v *ent.Variant) any { return v.SortCheap },
	},
	StoreItemSortPriceDesc: {
		column: variant.FieldSortDear,
		value:  func(v *ent.Variant) any { return v.SortDear },
	},
	StoreItemSortDiscount: {
		column: variant.FieldSortDiscount,
		value:  func(v *ent.Variant) any { return v.SortDiscount },
	},
}

// storeItems are a shop's variants on sale.
func (r *Catalog) storeItems(t *ent.Tenant, filter variantFilter, sort StoreItemSort) list[*ent.Variant] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "storeItems.total", filter: filter.unsorted()},
		size:    func(ctx context.Context) (int, error) { return filter.narrow(r.variantsOnSale(ctx)).Count(ctx) },
	}
	newest := list[*ent.Variant]{
		order: filter.newestFirst(),
		read: func(ctx context.Context, part stretch) ([]*ent.Variant, error) {
			filter, err := filter, error(nil)
			if filter.category.given {
				filter.bySortIndex, err = readBySortIndex(ctx, part, total)
			}
			if err == nil && (filter.categories.given || filter.brands.given || filter.options != "") {
				filter.walk, err = isMany(ctx, total)
			}
			if all := (variantFilter{tenant: filter.tenant}); err == nil && filter.words != "" && filter.allButWords() == all {
				filter.walkWords, err = r.searchWalk(ctx, part, total, r.storeItems(t, all, "").total)
			}
			if err != nil {
				return nil, err
			}
			return filter.narrow(r.variantsOnSale(part.published(ctx))).
				Where(part.bounded).Order(part.sorted).Limit(part.limit).
				Modify(part.idsFirst(filter.words != "" && !filter.walkWords)).
				Collect(part.columns).Modify(selectVersion(t.ID)).All(inTenant(ctx, t.ID))
		},
		version: func(v *ent.Variant) int64 { return v.TenantVersion },
		tenant:  t.ID,
		place:   func(v *ent.Variant) place { return place{time: *v.ListedAt, id: v.ID} },
		total:   total,
	}
	if sort == StoreItemSortRelevance {
		return byRelevance(newest, "storeItems", filter.phrase, func(v *ent.Variant) string { return v.SearchText })
	}
	return sortBy(newest, "storeItems", sort, variantSortKeys)
}

// StoreItems is a page of a shop's variants on sale.
func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, page, pageSize int, categoryID *uuid.UUID, categories []string,
	brandID *uuid.UUID, brands []string, productID *uuid.UUID, options []*OptionFilter, name *string, inStock,
	isFestival *bool, minPrice, maxPrice *Decimal, sort StoreItemSort,
) (*VariantPage, error) {
	asked := storeItemArguments{
		categoryID: categoryID, brandID: brandID, productID: productID, name: name, inStock: inStock,
		isFestival: isFestival, minPrice: minPrice, maxPrice: maxPrice, sort: sort,
		categories: categories, brands: brands, options: options,
	}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return &VariantPage{
		ListPage: pageOf(r.r.catalog.storeItems(t, filter, asked.sort), page, pageSize),
		Facets:   r.r.catalog.variantFacets(t, filter),
	}, nil
}

// StoreItemsConnection walks a shop's variants on sale.
func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string,
	categoryID *uuid.UUID, categories []string, brandID *uuid.UUID, brands []string, productID *uuid.UUID,
	options []*OptionFilter, name *string, inStock, isFestival *bool, minPrice, maxPrice *Decimal,
	sort StoreItemSort,
) (*VariantConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := storeItemArguments{
		categoryID: categoryID, brandID: brandID, productID: productID, name: name, inStock: inStock,
		isFestival: isFestival, minPrice: minPrice, maxPrice: maxPrice, sort: sort,
		categories: categories, brands: brands, options: options,
	}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	c, err := walk(ctx, r.r.catalog.storeItems(t, filter, asked.sort), window, defaultSizeLarge)
	return &VariantConnection{Connection: c, Facets: r.r.catalog.variantFacets(t, filter)}, err
}
