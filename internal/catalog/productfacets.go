package catalog

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
)

// ProductFacets counts the products of a list by property. Each property is counted when a field asks for it.
type ProductFacets struct{ listFacets[ProductFilter] }

// VariantFacets counts the variants of a list, as ProductFacets does products.
type VariantFacets struct{ listFacets[variantFilter] }

// listFacets are the common facets of products and variants.
type listFacets[F facetFilter[F]] struct {
	r      *Catalog
	tenant uuid.UUID
	filter F
	source facetSource[F]
}

// facetFilter is a filter that can drop its condition on one property.
type facetFilter[F any] interface {
	comparable
	withoutCategory() F
	withoutBrand() F
	withoutPrice() F
}

// facetSource describes where the properties of a list's records are found.
type facetSource[F any] struct {
	list     string // the first part of the names of its counts
	category string // column, as are brand, price and currency
	brand    string
	price    string
	currency string
	scan     func(ctx context.Context, filter F, build func(*sql.Selector), rows any) error
}

func (r *Catalog) ProductFacets(filter ProductFilter) *ProductFacets {
	source := facetSource[ProductFilter]{
		list:     "products",
		category: product.FieldCategoryID,
		brand:    product.FieldBrandID,
		price:    product.FieldSortDear,
		currency: product.FieldPriceCurrency,
		scan: func(ctx context.Context, filter ProductFilter, build func(*sql.Selector), rows any) error {
			return filter.narrow(r.PublishedProducts(ctx), RequestTime(ctx)).Modify(build).Scan(ctx, rows)
		},
	}
	return &ProductFacets{listFacets[ProductFilter]{r: r, tenant: filter.tenant, filter: filter.unranked(),
		source: source}}
}

func (r *Catalog) VariantFacets(t *ent.Tenant, filter variantFilter) *VariantFacets {
	source := facetSource[variantFilter]{
		list:     "storeItems",
		category: variant.FieldProductCategoryID,
		brand:    variant.FieldProductBrandID,
		price:    variant.FieldSortDear,
		currency: variant.FieldPriceCurrency,
		scan: func(ctx context.Context, filter variantFilter, build func(*sql.Selector), rows any) error {
			return filter.narrow(r.VariantsOnSale(ctx)).Modify(build).Scan(ctx, rows)
		},
	}
	return &VariantFacets{listFacets[variantFilter]{r: r, tenant: t.ID, filter: filter.unsorted(), source: source}}
}

func (f ProductFilter) withoutCategory() ProductFilter {
	f.category, f.categories = optional[uuid.UUID]{}, choice{}
	return f
}

func (f ProductFilter) withoutBrand() ProductFilter {
	f.brand, f.brands = optional[uuid.UUID]{}, choice{}
	return f
}

func (f ProductFilter) withoutPrice() ProductFilter {
	f.price = priceRange{}
	return f
}

func (f variantFilter) withoutCategory() variantFilter {
	f.category, f.categories = optional[uuid.UUID]{}, choice{}
	return f
}

func (f variantFilter) withoutBrand() variantFilter {
	f.brand, f.brands = optional[uuid.UUID]{}, choice{}
	return f
}

func (f variantFilter) withoutPrice() variantFilter {
	f.price = priceRange{}
	return f
}

// subject returns the subject of the count of one property under a filter.
func (f *listFacets[F]) subject(property string, filter F) subject {
	return subject{tenant: f.tenant, what: f.source.list + "." + property, filter: filter}
}

// Categories returns the categories of the records.
func (f *listFacets[F]) Categories(ctx context.Context) ([]*CategoryFacet, error) {
	others := f.filter.withoutCategory()
	return countFacets(ctx, facetCount[*CategoryFacet]{
		r: f.r, subject: f.subject("categories", others),
		count: func(ctx context.Context) ([]*CategoryFacet, error) {
			counted, err := f.countBy(ctx, others, f.source.category)
			if err != nil {
				return nil, err
			}
			return f.r.categoryFacets(ctx, counted)
		},
	})
}

// Brands returns the brands of the records.
func (f *listFacets[F]) Brands(ctx context.Context) ([]*BrandFacet, error) {
	others := f.filter.withoutBrand()
	return countFacets(ctx, facetCount[*BrandFacet]{
		r: f.r, subject: f.subject("brands", others),
		count: func(ctx context.Context) ([]*BrandFacet, error) {
			counted, err := f.countBy(ctx, others, f.source.brand)
			if err != nil {
				return nil, err
			}
			return f.r.brandFacets(ctx, counted)
		},
	})
}

// countBy counts records by a column.
func (f *listFacets[F]) countBy(
	ctx context.Context, filter F, column string,
) (counted []recordCount, err error) {
	err = f.source.scan(ctx, filter, func(s *sql.Selector) {
		s.Select(sql.As(s.C(column), "id"), sql.As(sql.Count("*"), "count")).GroupBy(s.C(column))
	}, &counted)
	return counted, err
}

// Prices returns the prices of the records, by currency.
func (f *listFacets[F]) Prices(ctx context.Context) ([]*PriceFacet, error) {
	others := f.filter.withoutPrice()
	return countFacets(ctx, facetCount[*PriceFacet]{
		r: f.r, subject: f.subject("prices", others),
		count: func(ctx context.Context) ([]*PriceFacet, error) {
			var steps []priceStep
			err := f.source.scan(ctx, others, func(s *sql.Selector) {
				selectPriceSteps(s, f.source.price, f.source.currency)
			}, &steps)
			return priceFacets(steps), err
		},
	})
}
