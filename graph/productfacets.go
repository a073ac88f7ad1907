package graph

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/ent/variant"
)

// ProductFacets are how a list of products divides. Each part is counted when it is asked for, under the list's filter but
// for what that says of the same thing.
type ProductFacets struct {
	r      *Resolver
	tenant uuid.UUID
	filter productFilter
}

// Categories are those that hold any of the products.
func (f *ProductFacets) Categories(ctx context.Context) ([]*CategoryFacet, error) {
	type categoriesOf struct{ productFilter }
	others := f.filter
	others.category.given, others.category.value = false, uuid.Nil
	return divide(ctx, division[*CategoryFacet]{f.r, f.tenant, categoriesOf{others}, func(ctx context.Context) ([]*CategoryFacet, error) {
		shelves, err := f.shelves(ctx, others, product.FieldCategoryID)
		if err != nil {
			return nil, err
		}
		return f.r.categoryFacets(ctx, shelves)
	}, f.r.nextProduct})
}

// Brands are those of the products.
func (f *ProductFacets) Brands(ctx context.Context) ([]*BrandFacet, error) {
	type brandsOf struct{ productFilter }
	others := f.filter
	others.brand.given, others.brand.value = false, uuid.Nil
	return divide(ctx, division[*BrandFacet]{f.r, f.tenant, brandsOf{others}, func(ctx context.Context) ([]*BrandFacet, error) {
		shelves, err := f.shelves(ctx, others, product.FieldBrandID)
		if err != nil {
			return nil, err
		}
		return f.r.brandFacets(ctx, shelves)
	}, f.r.nextProduct})
}

// shelves counts products by a column.
func (f *ProductFacets) shelves(ctx context.Context, filter productFilter, column string) (shelves []shelf, err error) {
	err = filter.narrow(f.r.publishedProducts(ctx)).Modify(func(s *sql.Selector) {
		s.Select(sql.As(s.C(column), "id"), sql.As(sql.Count("*"), "count")).GroupBy(s.C(column))
	}).Scan(ctx, &shelves)
	return shelves, err
}

// Prices are those of the products, currency by currency.
func (f *ProductFacets) Prices(ctx context.Context) ([]*PriceFacet, error) {
	type pricesOf struct{ productFilter }
	others := f.filter
	others.minPrice, others.maxPrice = maybe[int64]{}, maybe[int64]{}
	return divide(ctx, division[*PriceFacet]{f.r, f.tenant, pricesOf{others}, func(ctx context.Context) ([]*PriceFacet, error) {
		var steps []priceStep
		err := others.narrow(f.r.publishedProducts(ctx)).Modify(func(s *sql.Selector) {
			priceSteps(s, product.FieldSortDear, product.FieldPriceCurrency)
		}).Scan(ctx, &steps)
		return priceFacets(steps), err
	}, f.r.nextProduct})
}

// VariantFacets are how a list of variants divides, as ProductFacets.
type VariantFacets struct {
	r      *Resolver
	tenant uuid.UUID
	filter variantFilter
}

// Categories are those of the variants' products.
func (f *VariantFacets) Categories(ctx context.Context) ([]*CategoryFacet, error) {
	type categoriesOf struct{ variantFilter }
	others := f.filter
	others.category = maybe[uuid.UUID]{}
	return divide(ctx, division[*CategoryFacet]{f.r, f.tenant, categoriesOf{others}, func(ctx context.Context) ([]*CategoryFacet, error) {
		shelves, err := f.shelves(ctx, others, variant.FieldProductCategoryID)
		if err != nil {
			return nil, err
		}
		return f.r.categoryFacets(ctx, shelves)
	}, f.r.nextVariant})
}

// Brands are those of the variants' products.
func (f *VariantFacets) Brands(ctx context.Context) ([]*BrandFacet, error) {
	type brandsOf struct{ variantFilter }
	others := f.filter
	others.brand = maybe[uuid.UUID]{}
	return divide(ctx, division[*BrandFacet]{f.r, f.tenant, brandsOf{others}, func(ctx context.Context) ([]*BrandFacet, error) {
		shelves, err := f.shelves(ctx, others, variant.FieldProductBrandID)
		if err != nil {
			return nil, err
		}
		return f.r.brandFacets(ctx, shelves)
	}, f.r.nextVariant})
}

// shelves counts variants by a column.
func (f *VariantFacets) shelves(ctx context.Context, filter variantFilter, column string) (shelves []shelf, err error) {
	err = filter.narrow(f.r.variantsOnSale(ctx)).Modify(func(s *sql.Selector) {
		s.Select(sql.As(s.C(column), "id"), sql.As(sql.Count("*"), "count")).GroupBy(s.C(column))
	}).Scan(ctx, &shelves)
	return shelves, err
}

// Prices are those of the variants, currency by currency.
func (f *VariantFacets) Prices(ctx context.Context) ([]*PriceFacet, error) {
	type pricesOf struct{ variantFilter }
	others := f.filter
	others.minPrice, others.maxPrice = maybe[int64]{}, maybe[int64]{}
	return divide(ctx, division[*PriceFacet]{f.r, f.tenant, pricesOf{others}, func(ctx context.Context) ([]*PriceFacet, error) {
		var steps []priceStep
		err := others.narrow(f.r.variantsOnSale(ctx)).Modify(func(s *sql.Selector) {
			priceSteps(s, variant.FieldSortDear, variant.FieldPriceCurrency)
		}).Scan(ctx, &steps)
		return priceFacets(steps), err
	}, f.r.nextVariant})
}
