package graph

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/ent/variant"
)

// storeItemArguments are the arguments of storeItems and storeItemsConnection that choose records.
type storeItemArguments struct {
	categoryID, brandID, productID *uuid.UUID
	name                           *string
	inStock, isFestival            *bool
	minPrice, maxPrice             *Decimal
	sort                           StoreItemSort
}

// variantFilter is what a list of store items is narrowed by.
type variantFilter struct {
	tenant      uuid.UUID
	words       searchWords
	category    optional[uuid.UUID]
	brand       optional[uuid.UUID]
	product     optional[uuid.UUID]
	inStock     optional[bool]
	isFestival  optional[bool]
	price       priceRange
	bySortIndex bool // how it is read, see listingFilter
}

func (a storeItemArguments) filter(t *ent.Tenant) (f variantFilter, err error) {
	f = variantFilter{
		tenant: t.ID, words: searchWordsOf(a.name), category: optionalOf(a.categoryID), brand: optionalOf(a.brandID),
		product: optionalOf(a.productID), inStock: optionalOf(a.inStock), isFestival: optionalOf(a.isFestival),
	}
	f.price, err = priceRangeOf(a.minPrice, a.maxPrice)
	return f, err
}

func (f variantFilter) narrow(q *ent.VariantQuery) *ent.VariantQuery {
	q.Where(f.words.narrow)
	if f.category.given {
		q.Where(f.inCategory)
	}
	if f.brand.given {
		q.Where(f.ofBrand)
	}
	if f.product.given {
		q.Where(variant.ProductID(f.product.value))
	}
	if f.inStock.given && f.inStock.value {
		q.Where(variant.StockGT(0))
	} else if f.inStock.given {
		q.Where(variant.Stock(0))
	}
	if f.isFestival.given {
		q.Where(variant.IsFestival(f.isFestival.value))
	}
	if f.price.min.given {
		q.Where(variant.PriceMilliGTE(f.price.min.value))
	}
	if f.price.max.given {
		q.Where(variant.PriceMilliLTE(f.price.max.value))
	}
	return q
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
func (r *Resolver) storeItems(t *ent.Tenant, filter variantFilter, sort StoreItemSort) list[*ent.Variant] {
	total := publicTotal{
		Resolver: r,
		subject:  subject{tenant: t.ID, what: "storeItems.total", filter: filter},
		size:     func(ctx context.Context) (int, error) { return filter.narrow(r.variantsOnSale(ctx)).Count(ctx) },
	}
	newest := list[*ent.Variant]{
		order: filter.newestFirst(),
		read: func(ctx context.Context, part stretch) ([]*ent.Variant, error) {
			filter, err := filter, error(nil)
			if filter.category.given {
				filter.bySortIndex, err = readBySortIndex(ctx, part, total)
			}
			if err != nil {
				return nil, err
			}
			return filter.narrow(r.variantsOnSale(part.published(ctx))).
				Where(part.bounded).Order(part.sorted).Limit(part.limit).
				Modify(part.idsFirst(filter.words)).
				Collect(part.columns).Modify(selectVersion(t.ID)).All(inTenant(ctx, t.ID))
		},
		version: func(v *ent.Variant) int64 { return v.TenantVersion },
		tenant:  t.ID,
		place:   func(v *ent.Variant) place { return place{time: *v.ListedAt, id: v.ID} },
		total:   total,
	}
	return sortBy(newest, "storeItems", sort, variantSortKeys)
}

// StoreItems is a page of a shop's variants on sale.
func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, page, pageSize int, categoryID, brandID, productID *uuid.UUID, name *string,
	inStock, isFestival *bool, minPrice, maxPrice *Decimal, sort StoreItemSort,
) (*VariantPage, error) {
	asked := storeItemArguments{
		categoryID: categoryID, brandID: brandID, productID: productID, name: name, inStock: inStock,
		isFestival: isFestival, minPrice: minPrice, maxPrice: maxPrice, sort: sort,
	}
	filter, err := asked.filter(t)
	if err != nil {
		return nil, err
	}
	return &VariantPage{
		ListPage: pageOf(r.storeItems(t, filter, asked.sort), page, pageSize),
		Facets:   r.variantFacets(t, filter),
	}, nil
}

// StoreItemsConnection walks a shop's variants on sale.
func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string,
	categoryID, brandID, productID *uuid.UUID, name *string, inStock, isFestival *bool, minPrice, maxPrice *Decimal,
	sort StoreItemSort,
) (*VariantConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := storeItemArguments{
		categoryID: categoryID, brandID: brandID, productID: productID, name: name, inStock: inStock,
		isFestival: isFestival, minPrice: minPrice, maxPrice: maxPrice, sort: sort,
	}
	filter, err := asked.filter(t)
	if err != nil {
		return nil, err
	}
	c, err := walk(ctx, r.storeItems(t, filter, asked.sort), window, defaultSizeLarge)
	return &VariantConnection{Connection: c, Facets: r.variantFacets(t, filter)}, err
}
