package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/cart"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// The products and variants of cart lines, order lines and favorites, as the public sees them.

// Product returns the product of each line, where it is published.
func (r cartItemResolver) Product(ctx context.Context, lines []*cart.Item) ([]*ent.Product, error) {
	ids := catalog.IDsOf(lines, func(i *cart.Item) uuid.UUID { return i.ProductID })
	return r.r.published(ctx, lines[0].BusinessID, ids)
}

// Variant returns the variant of each line, where it is on sale.
func (r cartItemResolver) Variant(ctx context.Context, lines []*cart.Item) ([]*ent.Variant, error) {
	ids := catalog.IDsOf(lines, func(i *cart.Item) uuid.UUID { return i.StoreItemVariantID })
	return r.r.onSale(ctx, lines[0].BusinessID, ids)
}

// Product returns the product of each line, where it is published.
func (r orderItemResolver) Product(ctx context.Context, lines []*ent.OrderItem) ([]*ent.Product, error) {
	ids := catalog.IDsOf(lines, func(i *ent.OrderItem) uuid.UUID { return i.ProductID })
	return r.r.published(ctx, lines[0].TenantID, ids)
}

// Variant returns the variant of each line, where it is on sale.
func (r orderItemResolver) Variant(ctx context.Context, lines []*ent.OrderItem) ([]*ent.Variant, error) {
	ids := catalog.IDsOf(lines, func(i *ent.OrderItem) uuid.UUID { return i.StoreItemVariantID })
	return r.r.onSale(ctx, lines[0].TenantID, ids)
}

// Image returns the image at the line's address.
func (orderItemResolver) Image(_ context.Context, i *ent.OrderItem) (*record.Media, error) {
	return imageAt(i.ImageURL, i.ID), nil
}

// published returns the products with the given ids, in their order; nil for a product that is not published.
func (r *Resolver) published(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*ent.Product, error) {
	ctx = catalog.InTenant(ctx, shop)
	found, err := catalog.CollectProducts(ctx, r.Catalog.PublishedProducts(ctx).Where(product.IDIn(ids...)),
		selection.Of(ctx)).All(ctx)
	return inOrder(ctx, ids, found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// onSale returns the variants with the given ids, in their order; nil for a variant that is not on sale.
func (r *Resolver) onSale(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*ent.Variant, error) {
	ctx = catalog.InTenant(ctx, shop)
	found, err := r.Catalog.VariantsOnSale(ctx).Where(variant.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx)
	return inOrder(ctx, ids, found, func(v *ent.Variant) uuid.UUID { return v.ID }), err
}

// inOrder returns the found records in the order of ids, nil where a record is missing. It marks them as
// siblings whose fields are loaded together.
func inOrder[R comparable](ctx context.Context, ids []uuid.UUID, found []R, idOf func(R) uuid.UUID) []R {
	catalog.RememberSiblings(ctx, found)
	by := make(map[uuid.UUID]R, len(found))
	for _, one := range found {
		by[idOf(one)] = one
	}
	records := make([]R, len(ids))
	for i, id := range ids {
		records[i] = by[id]
	}
	return records
}
