package catalog

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/platform/convert"
)

// Preview notes that a product is shown as if it were published, with the variants that would be on sale.
func Preview(ctx context.Context, p *ent.Product) {
	s := ScopeOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.previews[p.ID] = true
}

// VariantsOf returns the query for the variants on sale of products. For a previewed product these are the
// variants that would be on sale.
func (r *Catalog) VariantsOf(ctx context.Context, products []*ent.Product) *ent.VariantQuery {
	s := ScopeOf(ctx)
	s.mu.Lock()
	previewed := !slices.ContainsFunc(products, func(p *ent.Product) bool { return !s.previews[p.ID] })
	s.mu.Unlock()
	of := variant.ProductIDIn(convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })...)
	if previewed {
		return r.Store.Variant.Query().Where(variant.OnSale(true), of)
	}
	return r.VariantsOnSale(ctx).Where(of)
}
