package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/record"
)

// Variation is a property that tells a product's variants apart, with what can be had of each choice.
type Variation struct {
	record.Variation
	Values []*VariationValue
}

// VariationValue is one choice of a variation and the variants on sale that have it.
type VariationValue struct {
	record.VariationValue
	InStock    bool
	VariantIds []uuid.UUID
}

// Variations are the variations of each product.
func (r productResolver) Variations(ctx context.Context, products []*ent.Product) ([][]*Variation, error) {
	return loadForSiblings(ctx, products, func(products []*ent.Product) ([][]*Variation, error) {
		ids := idsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })
		found, err := r.r.catalog.variantsOnSale(ctx).Where(variant.ProductIDIn(ids...)).Order(variant.ByID()).
			Select(variant.FieldProductID, variant.FieldOptions, variant.FieldStock).All(inTenant(ctx, products[0].TenantID))
		if err != nil {
			return nil, err
		}
		variants := group(ids, found, func(v *ent.Variant) uuid.UUID { return v.ProductID })
		variations := make([][]*Variation, len(products))
		for i, p := range products {
			for _, v := range p.Variations {
				variations[i] = append(variations[i], withVariants(v, variants[i]))
			}
		}
		return variations, nil
	})
}

// withVariants joins a variation with the variants on sale of its product.
func withVariants(v record.Variation, variants []*ent.Variant) *Variation {
	joined := &Variation{Variation: v}
	for _, choice := range v.Values {
		value := &VariationValue{VariationValue: choice}
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

// Options are the choices that make a variant, in the order of its product's variations.
func (variantResolver) Options(_ context.Context, v *ent.Variant) ([]*record.VariantOption, error) {
	if v.Edges.Product == nil {
		return nil, nil
	}
	return pointers(record.OptionsOf(v.Edges.Product.Variations, v.Options)), nil
}
