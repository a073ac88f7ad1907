package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
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
	before := *v.CompareAtPrice // at most money.Max, so that 201 times as much is an int64
	percent := max(int((200*(before-*v.Price)+before)/(2*before)), 1)
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
