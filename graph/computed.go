package graph

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/catalog"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/convert"
)

// InStock reports for each product whether a variant on sale is in stock. It is computed, because stock changes all the
// time. Products that were joined to a variant were read without it.
func (r productResolver) InStock(ctx context.Context, products []*ent.Product) ([]bool, error) {
	if !slices.ContainsFunc(products, func(p *ent.Product) bool { return p.InStock == nil }) {
		return catalog.Computed(products, func(p *ent.Product) (uuid.UUID, *bool) { return p.ID, p.InStock })
	}
	var stocked []struct {
		ID uuid.UUID `json:"product_id"`
	}
	err := r.r.Catalog.VariantsOf(ctx, products).Where(variant.StockGT(0)).Unique(true).
		Select(variant.FieldProductID).Scan(tenancy.In(ctx, products[0].TenantID), &stocked)
	is := map[uuid.UUID]bool{}
	for _, s := range stocked {
		is[s.ID] = true
	}
	return convert.All(products, func(p *ent.Product) bool { return is[p.ID] }), err
}

func (blogResolver) CommentCount(_ context.Context, blogs []*ent.Blog) ([]int, error) {
	return catalog.Computed(blogs, func(b *ent.Blog) (uuid.UUID, *int) { return b.ID, b.CommentCount })
}

func (portfolioResolver) CommentCount(_ context.Context, portfolios []*ent.Portfolio) ([]int, error) {
	return catalog.Computed(portfolios, func(p *ent.Portfolio) (uuid.UUID, *int) { return p.ID, p.CommentCount })
}
