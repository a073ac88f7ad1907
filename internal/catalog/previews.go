package catalog

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/movedslug"
	"storefront/ent/variant"
	"storefront/internal/record"
)

// Preview notes that a product is shown as it would be published: with the variants that would be on sale then.
func Preview(ctx context.Context, p *ent.Product) {
	s := ScopeOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.previews[p.ID] = true
}

// VariantsOf are the variants on sale of some products: of one that is previewed, what would be on sale.
func (r *Catalog) VariantsOf(ctx context.Context, products []*ent.Product) *ent.VariantQuery {
	s := ScopeOf(ctx)
	s.mu.Lock()
	previewed := !slices.ContainsFunc(products, func(p *ent.Product) bool { return !s.previews[p.ID] })
	s.mu.Unlock()
	of := variant.ProductIDIn(IDsOf(products, func(p *ent.Product) uuid.UUID { return p.ID })...)
	if previewed {
		return r.store.Variant.Query().Where(variant.OnSale(true), of)
	}
	return r.VariantsOnSale(ctx).Where(of)
}

// WasCalled reports whether a slug is the one that a record has, or had before.
func (r *Catalog) WasCalled(
	ctx context.Context, t *ent.Tenant, kind record.SlugKind, id uuid.UUID, now, slug string,
) (bool, error) {
	if slug = LookupSlug(slug); slug == now {
		return true, nil
	}
	return r.store.MovedSlug.Query().
		Where(movedslug.Kind(string(kind)), movedslug.Slug(slug), movedslug.RecordID(id)).Exist(InTenant(ctx, t.ID))
}
