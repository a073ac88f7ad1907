package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/facets"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (r tenantResolver) StoreVariant(ctx context.Context, t *ent.Tenant, id uuid.UUID) (*ent.Variant, error) {
	return r.r.Catalog.VariantsOnSale(ctx).Where(variant.ID(id)).Collect(selection.Of(ctx)).
		Only(tenancy.In(ctx, t.ID))
}

func (r tenantResolver) StoreItem(
	ctx context.Context, t *ent.Tenant, productID uuid.UUID,
) (*catalog.StoreItem, error) {
	ctx, asked := tenancy.In(ctx, t.ID), selection.Of(ctx)
	found, err := r.r.Catalog.VariantsOnSale(ctx).Where(variant.ProductID(productID)).Order(variant.ByID()).
		Collect(asked.At("variants").And("stock", "is_festival", "price", "price_currency")).All(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "nothing of this product is on sale")
	}
	p, err := r.r.Catalog.PublishedProducts(ctx).Where(product.ID(productID)).Only(ctx)
	return &catalog.StoreItem{Product: p, Variants: found}, err
}

// DiscountPercent returns the discount from the former price in whole percent, rounded half up: at least 1, and 100 for
// what is free alone.
func (variantResolver) DiscountPercent(_ context.Context, v *ent.Variant) (*int, error) {
	if v.Price == nil || v.CompareAtPrice == nil || *v.CompareAtPrice <= *v.Price {
		return nil, nil
	}
	percent := max(int(money.Fraction(100, *v.CompareAtPrice-*v.Price, *v.CompareAtPrice)), 1)
	if *v.Price > 0 {
		percent = min(percent, 99)
	}
	return &percent, nil
}

func (variantResolver) ImageURL(_ context.Context, v *ent.Variant) (*string, error) {
	if v.ImageURL != nil || v.Edges.Product == nil {
		return v.ImageURL, nil
	}
	return v.Edges.Product.ImageURL(), nil
}

func (variantResolver) Image(_ context.Context, v *ent.Variant) (*record.Media, error) {
	var images []record.Media
	if v.Edges.Product != nil {
		images = v.Edges.Product.Images
	}
	if v.ImageURL == nil {
		return record.First(images), nil
	}
	return record.WithURL(images, *v.ImageURL, v.ID.String()), nil
}

func (variantResolver) InStock(_ context.Context, v *ent.Variant) (bool, error) {
	return v.Stock > 0, nil
}

func (variantResolver) StockQuantity(_ context.Context, v *ent.Variant) (*int, error) {
	if v.Stock > record.ShownStock {
		return nil, nil
	}
	return &v.Stock, nil
}

func (r productResolver) Variations(ctx context.Context, products []*ent.Product) ([][]*api.Variation, error) {
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	found, err := r.r.Catalog.VariantsOf(ctx, products).Order(variant.ByID()).
		Select(variant.FieldProductID, variant.FieldOptions, variant.FieldStock).
		All(tenancy.In(ctx, products[0].TenantID))
	if err != nil {
		return nil, err
	}
	variants := list.Group(ids, found, func(v *ent.Variant) uuid.UUID { return v.ProductID })
	variations := make([][]*api.Variation, len(products))
	for i, p := range products {
		for _, v := range p.Variations {
			variations[i] = append(variations[i], withVariants(v, variants[i]))
		}
	}
	return variations, nil
}

// withVariants joins a variation with the variants on sale of its product.
func withVariants(v record.Variation, variants []*ent.Variant) *api.Variation {
	joined := &api.Variation{Variation: v}
	for _, choice := range v.Values {
		value := &api.VariationValue{VariationValue: choice}
		for _, variant := range variants {
			if variant.Options[v.Key] == choice.Key {
				value.VariantIds = append(value.VariantIds, variant.ID)
				value.InStock = value.InStock || variant.Stock > 0
			}
		}
		joined.Values = append(joined.Values, value)
	}
	return joined
}

func (variantResolver) Options(_ context.Context, v *ent.Variant) ([]*record.VariantOption, error) {
	if v.Edges.Product == nil {
		return nil, nil
	}
	return list.Pointers(record.OptionsOf(v.Edges.Product.Variations, v.Options)), nil
}

func (r tenantResolver) StoreItems(
	ctx context.Context, t *ent.Tenant, args catalog.StoreItemArguments, page, pageSize int,
) (*facets.VariantPage, error) {
	variants, filter, err := r.r.Catalog.StoreItems(ctx, t, args)
	counts := facets.OfVariants(r.r.Catalog, filter)
	return &facets.VariantPage{Page: list.NewPage(variants, page, pageSize), Facets: counts}, err
}

func (r tenantResolver) StoreItemsConnection(
	ctx context.Context, t *ent.Tenant, args catalog.StoreItemArguments, window list.Window,
) (*facets.VariantConnection, error) {
	variants, filter, err := r.r.Catalog.StoreItems(ctx, t, args)
	if err != nil {
		return nil, err
	}
	c, err := list.NewConnection(ctx, variants, window, list.DefaultSizeLarge)
	return &facets.VariantConnection{Connection: c, Facets: facets.OfVariants(r.r.Catalog, filter)}, err
}
