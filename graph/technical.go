package graph

import (
	"context"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/catalog"
)

// TechnicalInfo returns the technical form of each product with its values.
func (r productResolver) TechnicalInfo(
	ctx context.Context, products []*ent.Product,
) ([]*model.TechnicalInfo, error) {
	return catalog.LoadForSiblings(ctx, products, func(products []*ent.Product) ([]*model.TechnicalInfo, error) {
		forms, err := r.r.Catalog.Forms(ctx, products[0].TenantID)
		infos := make([]*model.TechnicalInfo, len(products))
		for i, p := range products {
			infos[i] = catalog.TechnicalInfoOf(forms, p.CategoryID, p.Values)
		}
		return infos, err
	})
}

// TechnicalInfo returns the technical form of each listing with its values.
func (r userProductResolver) TechnicalInfo(
	ctx context.Context, listings []*ent.UserProduct,
) ([]*model.TechnicalInfo, error) {
	return catalog.LoadForSiblings(ctx, listings, func(listings []*ent.UserProduct) ([]*model.TechnicalInfo, error) {
		forms, err := r.r.Catalog.Forms(ctx, listings[0].TenantID)
		infos := make([]*model.TechnicalInfo, len(listings))
		for i, l := range listings {
			infos[i] = catalog.TechnicalInfoOf(forms, l.CategoryID, l.Values)
		}
		return infos, err
	})
}

// TechnicalValues returns the technical values of each listing.
func (r userProductResolver) TechnicalValues(
	ctx context.Context, listings []*ent.UserProduct,
) ([][]*model.TechnicalValue, error) {
	infos, err := r.TechnicalInfo(ctx, listings)
	values := make([][]*model.TechnicalValue, len(listings))
	for i, info := range infos {
		values[i] = info.Values
	}
	return values, err
}
