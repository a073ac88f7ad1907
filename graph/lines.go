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

// What lines of carts and orders, and favorites, lead to: products and variants as the public sees them.

// Product is the product of each line, where it is published.
func (r cartItemResolver) Product(ctx context.Context, lines []*cart.Item) ([]*ent.Product, error) {
	ids := catalog.IDsOf(lines, func(i *cart.Item) uuid.UUID { return i.ProductID })
	return r.r.published(ctx, lines[0].BusinessID, ids)
}

// Variant is the variant of each line, where it is on sale.
func (r cartItemResolver) Variant(ctx context.Context, lines []*cart.Item) ([]*ent.Variant, error) {
	ids := catalog.IDsOf(lines, func(i *cart.Item) uuid.UUID { return i.StoreItemVariantID })
	return r.r.onSale(ctx, lines[0].BusinessID, ids)
}

// Product is the product of each line, where it is published.
func (r orderItemResolver) Product(ctx context.Context, lines []*ent.OrderItem) ([]*ent.Product, error) {
	ids := catalog.IDsOf(lines, func(i *ent.OrderItem) uuid.UUID { return i.ProductID })
	return r.r.published(ctx, lines[0].TenantID, ids)
}

// Variant is the variant of each line, where it is on sale.
func (r orderItemResolver) Variant(ctx context.Context, lines []*ent.OrderItem) ([]*ent.Variant, error) {
	ids := catalog.IDsOf(lines, func(i *ent.OrderItem) uuid.UUID { return i.StoreItemVariantID })
	return r.r.onSale(ctx, lines[0].TenantID, ids)
}

// Image is the image at the line's address.
func (orderItemResolver) Image(_ context.Context, i *ent.OrderItem) (*record.Media, error) {
	return imageAt(i.ImageURL, i.ID), nil
}

// published returns the products of some ids, nil for those that are not published.
func (r *Resolver) published(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*ent.Product, error) {
	ctx = catalog.InTenant(ctx, shop)
	found, err := catalog.CollectProducts(ctx, r.catalog.PublishedProducts(ctx).Where(product.IDIn(ids...)),
		selection.Of(ctx)).All(ctx)
	return inOrder(ctx, ids, found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// onSale returns the variants of some ids, nil for those that are not on sale.
func (r *Resolver) onSale(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*ent.Variant, error) {
	ctx = catalog.InTenant(ctx, shop)
	found, err := r.catalog.VariantsOnSale(ctx).Where(variant.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx)
	return inOrder(ctx, ids, found, func(v *ent.Variant) uuid.UUID { return v.ID }), err
}

// inOrder returns the records of some ids, nil where there is none. Each stands in a record of its own, and their
// fields are loaded together.
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
