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
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

// The products and variants of cart lines, order lines and favorites, as the public sees them.

func (r cartItemResolver) Product(ctx context.Context, lines []*cart.Item) ([]*ent.Product, error) {
	ids := convert.All(lines, func(i *cart.Item) uuid.UUID { return i.ProductID })
	return r.r.published(ctx, lines[0].BusinessID, ids)
}

func (r cartItemResolver) Variant(ctx context.Context, lines []*cart.Item) ([]*ent.Variant, error) {
	ids := convert.All(lines, func(i *cart.Item) uuid.UUID { return i.StoreItemVariantID })
	return r.r.onSale(ctx, lines[0].BusinessID, ids)
}

func (r orderItemResolver) Product(ctx context.Context, lines []*ent.OrderItem) ([]*ent.Product, error) {
	ids := convert.All(lines, func(i *ent.OrderItem) uuid.UUID { return i.ProductID })
	return r.r.published(ctx, lines[0].TenantID, ids)
}

func (r orderItemResolver) Variant(ctx context.Context, lines []*ent.OrderItem) ([]*ent.Variant, error) {
	ids := convert.All(lines, func(i *ent.OrderItem) uuid.UUID { return i.StoreItemVariantID })
	return r.r.onSale(ctx, lines[0].TenantID, ids)
}

func (orderItemResolver) Image(_ context.Context, i *ent.OrderItem) (*record.Media, error) {
	return imageAt(i.ImageURL, i.ID), nil
}

// published returns the products with the given ids, in their order; nil for a product that is not published.
func (r *Resolver) published(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*ent.Product, error) {
	ctx = tenancy.In(ctx, shop)
	found, err := catalog.CollectProducts(ctx, r.Catalog.PublishedProducts(ctx).Where(product.IDIn(ids...)),
		selection.Of(ctx)).All(ctx)
	return inOrder(ctx, ids, found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// onSale returns the variants with the given ids, in their order; nil for a variant that is not on sale.
func (r *Resolver) onSale(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*ent.Variant, error) {
	ctx = tenancy.In(ctx, shop)
	found, err := r.Catalog.VariantsOnSale(ctx).Where(variant.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx)
	return inOrder(ctx, ids, found, func(v *ent.Variant) uuid.UUID { return v.ID }), err
}

// inOrder returns the found records in the order of ids, nil where a record is missing. It marks them as
// siblings whose fields are loaded together.
func inOrder[R any](ctx context.Context, ids []uuid.UUID, found []R, idOf func(R) uuid.UUID) []R {
	list.RememberSiblings(ctx, found)
	by := convert.ByKey(found, idOf)
	return convert.All(ids, func(id uuid.UUID) R { return by[id] })
}

// referred returns what each record refers to, or nil where refOf returns nil. find returns it by id; it is not called
// without any.
func referred[From, To any](
	records []From, refOf func(From) *uuid.UUID, find func(ids []uuid.UUID) (map[uuid.UUID]*To, error),
) ([]*To, error) {
	var ids []uuid.UUID
	for _, r := range records {
		if id := refOf(r); id != nil {
			ids = append(ids, *id)
		}
	}
	var found map[uuid.UUID]*To
	var err error
	if len(ids) > 0 {
		found, err = find(ids)
	}
	return convert.All(records, func(r From) *To { return found[convert.Value(refOf(r))] }), err
}
