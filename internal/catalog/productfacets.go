package catalog

import (
	"context"

	"storefront/internal/request"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
)

// ProductFacets counts the products of a list by property. Each property is counted when a field asks for it.
type ProductFacets struct{ listFacets }

// VariantFacets counts the variants of a list, as ProductFacets does products.
type VariantFacets struct{ listFacets }

// listFacets are the common facets of products and variants.
type listFacets struct {
	r      *Catalog
	filter Filter
	// scan runs a statement that build makes of that for the public records.
	scan func(ctx context.Context, rows any, build ...func(*sql.Selector)) error
}

func (r *Catalog) productFacets(filter Filter) *ProductFacets {
	filter.phrase = ""
	scan := func(ctx context.Context, rows any, build ...func(*sql.Selector)) error {
		return r.PublishedProducts(ctx).Modify(build...).Scan(ctx, rows)
	}
	return &ProductFacets{listFacets{r, filter, scan}}
}

func (r *Catalog) variantFacets(filter Filter) *VariantFacets {
	filter.phrase = ""
	scan := func(ctx context.Context, rows any, build ...func(*sql.Selector)) error {
		return r.VariantsOnSale(ctx).Modify(build...).Scan(ctx, rows)
	}
	return &VariantFacets{listFacets{r, filter, scan}}
}

// Categories returns the categories of the records.
func (f listFacets) Categories(ctx context.Context) ([]*CategoryFacet, error) {
	others := f.filter
	others.category, others.categories = optional[uuid.UUID]{}, choice{}
	return countFacets(ctx, f, "categories", others, func(ctx context.Context) ([]*CategoryFacet, error) {
		counted, err := f.countBy(ctx, others, f.filter.list.category)
		if err != nil {
			return nil, err
		}
		return f.r.categoryFacets(ctx, counted)
	})
}

// Brands returns the brands of the records.
func (f listFacets) Brands(ctx context.Context) ([]*BrandFacet, error) {
	others := f.filter
	others.brand, others.brands = optional[uuid.UUID]{}, choice{}
	return countFacets(ctx, f, "brands", others, func(ctx context.Context) ([]*BrandFacet, error) {
		counted, err := f.countBy(ctx, others, f.filter.list.brand)
		if err != nil {
			return nil, err
		}
		return f.r.brandFacets(ctx, counted)
	})
}

// countBy counts the records that match a filter by a column.
func (f listFacets) countBy(ctx context.Context, filter Filter, column string) (counted []recordCount, err error) {
	return counted, f.scan(ctx, &counted, filter.narrow(request.Of(ctx).Now), countBy(column))
}

// Prices returns the prices of the records, by currency.
func (f listFacets) Prices(ctx context.Context) ([]*PriceFacet, error) {
	others := f.filter
	others.price = priceRange{}
	return countFacets(ctx, f, "prices", others, func(ctx context.Context) (_ []*PriceFacet, err error) {
		var steps []priceStep
		if others.list == productList {
			steps, err = f.r.foundPrices(ctx, others)
		} else {
			err = f.scan(ctx, &steps, others.narrow(request.Of(ctx).Now), selectPriceSteps)
		}
		return priceFacets(steps), err
	})
}
