package graph

import (
	"context"
	"math/bits"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/fault"
	"storefront/internal/money"
	"storefront/internal/selection"
)

// variantFilter is what a list of store items is narrowed by.
type variantFilter struct {
	tenant     uuid.UUID
	name       words
	category   maybe[uuid.UUID]
	brand      maybe[uuid.UUID]
	product    maybe[uuid.UUID]
	inStock    maybe[bool]
	isFestival maybe[bool]
	minPrice   maybe[int64] // thousandths of the unit
	maxPrice   maybe[int64] // thousandths of the unit
	walked     bool         // how it is read, see facets
}

// storeItemFilter reads the filter of a list of store items.
func storeItemFilter(t *ent.Tenant, categoryID, brandID, productID *uuid.UUID, name *string, inStock, isFestival *bool, minPrice, maxPrice *Decimal) (variantFilter, error) {
	f := variantFilter{
		tenant: t.ID, name: wordsOf(name), category: of(categoryID), brand: of(brandID), product: of(productID),
		inStock: of(inStock), isFestival: of(isFestival),
	}
	var err error
	f.minPrice, f.maxPrice, err = prices(minPrice, maxPrice)
	return f, err
}

func (f variantFilter) narrow(q *ent.VariantQuery) *ent.VariantQuery {
	q.Where(f.name.narrow)
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
	if f.minPrice.given {
		q.Where(variant.PriceMilliGTE(f.minPrice.value))
	}
	if f.maxPrice.given {
		q.Where(variant.PriceMilliLTE(f.maxPrice.value))
	}
	return q
}

// ofBrand keeps the variants of a brand's products. The tenant is named inside too, where the guard does not reach, so that
// the index of products that begins with it serves.
func (f variantFilter) ofBrand(s *sql.Selector) {
	p := sql.Table(product.Table)
	s.Where(sql.In(s.C(variant.FieldProductID), sql.Select(p.C(product.FieldID)).From(p).Where(sql.And(
		sql.EQ(p.C(product.FieldTenantID), f.tenant),
		sql.EQ(p.C(product.FieldBrandID), f.brand.value),
	))))
}

// inCategory keeps the variants of products that are listed under the category.
func (f variantFilter) inCategory(s *sql.Selector) {
	l := first()
	stands := sql.And(
		sql.ColumnsEQ(l.C(listing.FieldTenantID), s.C(variant.FieldTenantID)),
		sql.EQ(l.C(listing.FieldKind), listing.KindProduct),
		sql.EQ(l.C(listing.FieldFacet), categoryFacet(f.category.value)),
	)
	if !f.walked {
		s.Join(l).On(s.C(variant.FieldProductID), l.C(listing.FieldEntityID)).Where(stands)
		return
	}
	s.Where(sql.Exists(sql.Select(l.C(listing.FieldID)).From(l).Where(sql.And(stands,
		sql.ColumnsEQ(l.C(listing.FieldPublishedAt), s.C(variant.FieldListedAt)),
		sql.ColumnsEQ(l.C(listing.FieldEntityID), s.C(variant.FieldProductID))))))
}

// order is that of a list of store items.
func (f variantFilter) order(sort StoreItemSort) order {
	o := order{list: "storeItems." + string(sort), time: variant.FieldListedAt}
	switch sort {
	case StoreItemSortPriceAsc:
		o.key = variant.FieldSortCheap
	case StoreItemSortPriceDesc:
		o.key = variant.FieldSortDear
	case StoreItemSortDiscount:
		o.key = variant.FieldSortDiscount
	default:
		if f.category.given { // the time is the same in the index that narrows the list
			o.split = true
			o.index = func() (time, id string) {
				return first().C(listing.FieldPublishedAt), sql.Table(variant.Table).C(variant.FieldID)
			}
		}
	}
	return o
}

// placeOfVariant is where a variant stands in an order.
func placeOfVariant(sort StoreItemSort, v *ent.Variant) place {
	at := place{time: *v.ListedAt, id: v.ID}
	switch sort {
	case StoreItemSortPriceAsc:
		at.key = v.SortCheap
	case StoreItemSortPriceDesc:
		at.key = v.SortDear
	case StoreItemSortDiscount:
		at.key = v.SortDiscount
	}
	return at
}

// storeItems are a shop's variants on sale.
func (r *Resolver) storeItems(t *ent.Tenant, filter variantFilter, sort StoreItemSort) (list[*ent.Variant], tally) {
	n := tally{r, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.variantsOnSale(ctx)).Count(ctx) }, r.nextVariant}
	return list[*ent.Variant]{
		order: filter.order(sort),
		read: func(ctx context.Context, part stretch) ([]*ent.Variant, error) {
			filter := filter
			if sort != StoreItemSortNewest && filter.category.given {
				total, err := n.total(ctx)
				if err != nil {
					return nil, err
				}
				filter.walked = total >= manyListed
			}
			return filter.narrow(r.variantsOnSale(part.shown(ctx))).Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).
				Collect(part.columns).All(in(ctx, t.ID))
		},
		place: func(v *ent.Variant) place { return placeOfVariant(sort, v) },
	}, n
}

// StoreItems is a page of a shop's variants on sale.
func (r tenantResolver) StoreItems(ctx context.Context, t *ent.Tenant, number, size int, categoryID, brandID, productID *uuid.UUID, name *string, inStock, isFestival *bool, minPrice, maxPrice *Decimal, sort StoreItemSort) (*VariantPage, error) {
	filter, err := storeItemFilter(t, categoryID, brandID, productID, name, inStock, isFestival, minPrice, maxPrice)
	if err != nil {
		return nil, err
	}
	l, n := r.storeItems(t, filter, sort)
	return &VariantPage{pageOf(l, n, number, size), &VariantFacets{r.Resolver, t.ID, filter}}, nil
}

// StoreItemsConnection walks a shop's variants on sale.
func (r tenantResolver) StoreItemsConnection(ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, categoryID, brandID, productID *uuid.UUID, name *string, inStock, isFestival *bool, minPrice, maxPrice *Decimal, sort StoreItemSort) (*VariantConnection, error) {
	filter, err := storeItemFilter(t, categoryID, brandID, productID, name, inStock, isFestival, minPrice, maxPrice)
	if err != nil {
		return nil, err
	}
	l, n := r.storeItems(t, filter, sort)
	c, err := walk(ctx, l, window{first, last, after, before}, defaultItems, n.total)
	return &VariantConnection{c, &VariantFacets{r.Resolver, t.ID, filter}}, err
}

// StoreVariant is one variant on sale.
func (r tenantResolver) StoreVariant(ctx context.Context, t *ent.Tenant, id uuid.UUID) (*ent.Variant, error) {
	return r.variantsOnSale(ctx).Where(variant.ID(id)).Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
}

// StoreItem is a product with all its variants on sale, oldest first; it has one at least.
type StoreItem struct {
	*ent.Product
	Variants []*ent.Variant
}

// StoreItem finds what is on sale of a product.
func (r tenantResolver) StoreItem(ctx context.Context, t *ent.Tenant, productID uuid.UUID) (*StoreItem, error) {
	ctx, asked := in(ctx, t.ID), selection.Of(ctx)
	needed := selection.Set{"stock": nil, "is_festival": nil}
	found, err := r.variantsOnSale(ctx).Where(variant.ProductID(productID)).Order(variant.ByID()).
		Collect(needed.Merge(asked["variants"])).All(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "nothing of this product is on sale")
	}
	p, err := r.publishedProducts(ctx).Where(product.ID(productID)).Only(ctx)
	return &StoreItem{p, found}, err
}

// ProductID is the product's id.
func (s *StoreItem) ProductID() uuid.UUID { return s.Product.ID }

// ProductSlug is the product's slug.
func (s *StoreItem) ProductSlug() string { return s.Product.Slug }

// ImageURL is the product's picture.
func (s *StoreItem) ImageURL() *string { return s.Product.ImageURL() }

// PriceMin is the price of the cheapest variant.
func (s *StoreItem) PriceMin() *money.Amount {
	return amount(s.Product.PriceMin, s.Product.PriceCurrency)
}

// PriceMax is the price of the dearest variant.
func (s *StoreItem) PriceMax() *money.Amount {
	return amount(s.Product.PriceMax, s.Product.PriceCurrency)
}

// PriceCurrency is the currency of all variants.
func (s *StoreItem) PriceCurrency() string { return *s.Product.PriceCurrency }

// InStock tells whether any variant is in stock.
func (s *StoreItem) InStock() bool {
	for _, v := range s.Variants {
		if v.Stock > 0 {
			return true
		}
	}
	return false
}

// IsFestival tells whether any variant is a festival offer.
func (s *StoreItem) IsFestival() bool {
	for _, v := range s.Variants {
		if v.IsFestival {
			return true
		}
	}
	return false
}

// Price is what the variant costs; nil: ask.
func (variantResolver) Price(_ context.Context, v *ent.Variant) (*money.Amount, error) {
	return amount(v.Price, &v.PriceCurrency), nil
}

// CompareAtPrice is what it cost before, or costs elsewhere.
func (variantResolver) CompareAtPrice(_ context.Context, v *ent.Variant) (*money.Amount, error) {
	return amount(v.CompareAtPrice, &v.PriceCurrency), nil
}

// DiscountPercent is how much it costs less than before, in whole percent, rounded down so as never to promise too much.
func (variantResolver) DiscountPercent(_ context.Context, v *ent.Variant) (*int, error) {
	if v.Price == nil || v.CompareAtPrice == nil || *v.CompareAtPrice <= *v.Price {
		return nil, nil
	}
	off, before := uint64(*v.CompareAtPrice-*v.Price), uint64(*v.CompareAtPrice)
	high, low := bits.Mul64(off, 100) // amounts go up to 2^53, a hundred of them beyond int64
	whole, _ := bits.Div64(high, low, before)
	percent := int(whole)
	return &percent, nil
}

// ImageURL is the variant's own picture, else the product's.
func (variantResolver) ImageURL(_ context.Context, v *ent.Variant) (*string, error) {
	if v.ImageURL != nil || v.Edges.Product == nil {
		return v.ImageURL, nil
	}
	return v.Edges.Product.ImageURL(), nil
}

// InStock tells whether it can be had now.
func (variantResolver) InStock(_ context.Context, v *ent.Variant) (bool, error) {
	return v.Stock > 0, nil
}

// shownStock is the most units that are told exactly, so that public answers seldom change.
const shownStock = 10

// StockQuantity is how many are left, told when they are few.
func (variantResolver) StockQuantity(_ context.Context, v *ent.Variant) (*int, error) {
	if v.Stock > shownStock {
		return nil, nil
	}
	return &v.Stock, nil
}
