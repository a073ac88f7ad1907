package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

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
