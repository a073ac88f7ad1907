package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/record"

	"github.com/google/uuid"
)

func (r productResolver) TechnicalInfo(
	ctx context.Context, products []*ent.Product,
) ([]*catalog.TechnicalInfo, error) {
	return technicalInfo(ctx, r.r, products, func(p *ent.Product) (uuid.UUID, *uuid.UUID, record.Values) {
		return p.TenantID, p.CategoryID, p.Values
	})
}

func (r userProductResolver) TechnicalInfo(
	ctx context.Context, listings []*ent.UserProduct,
) ([]*catalog.TechnicalInfo, error) {
	return technicalInfo(ctx, r.r, listings, func(l *ent.UserProduct) (uuid.UUID, *uuid.UUID, record.Values) {
		return l.TenantID, l.CategoryID, l.Values
	})
}

func technicalInfo[R any](
	ctx context.Context, r *Resolver, records []R, of func(R) (shop uuid.UUID, category *uuid.UUID, _ record.Values),
) ([]*catalog.TechnicalInfo, error) {
	shop, _, _ := of(records[0])
	forms, err := r.Catalog.Forms(ctx, shop)
	infos := make([]*catalog.TechnicalInfo, len(records))
	for i, one := range records {
		_, category, values := of(one)
		infos[i] = catalog.TechnicalInfoOf(forms, category, values)
	}
	return infos, err
}

func (r userProductResolver) TechnicalValues(
	ctx context.Context, listings []*ent.UserProduct,
) ([][]*catalog.TechnicalValue, error) {
	infos, err := r.TechnicalInfo(ctx, listings)
	values := make([][]*catalog.TechnicalValue, len(listings))
	for i, info := range infos {
		values[i] = info.Values
	}
	return values, err
}
