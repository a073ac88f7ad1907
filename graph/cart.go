package graph

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
)

func (q queryResolver) Cart(ctx context.Context, businessID uuid.UUID, cartToken *string) (*cart.Cart, error) {
	if isNewcomer(ctx, cartToken) {
		return nil, q.r.newcomerAt(ctx, businessID)
	}
	of, err := q.r.shopperAt(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	return q.r.Carts.Read(ctx, of)
}

// guestOf returns the owner of a guest's cart.
func (r *Resolver) guestOf(ctx context.Context, businessID uuid.UUID, cartToken string) (cart.Owner, error) {
	return r.Carts.Guest(businessID, cartToken, request.Of(ctx).Credentials.Client), r.checkOpen(ctx, businessID)
}

// isNewcomer reports whether a caller has no cart yet: a visitor who sends neither a cart token nor an access token,
// not even an invalid one.
func isNewcomer(ctx context.Context, cartToken *string) bool {
	return request.Of(ctx).Credentials.Authorization == "" && record.TextOf(cartToken) == ""
}

// shopperAt returns the owner of the caller's cart: the signed-in customer, else the guest with the token.
func (r *Resolver) shopperAt(ctx context.Context, business uuid.UUID, cartToken *string) (cart.Owner, error) {
	if request.Of(ctx).Credentials.Authorization == "" && record.TextOf(cartToken) != "" {
		return r.guestOf(ctx, business, *cartToken)
	}
	return r.customerOf(ctx, business)
}

// newcomerAt checks that a shop can give a newcomer a cart.
func (r *Resolver) newcomerAt(ctx context.Context, business uuid.UUID) error {
	if err := r.checkOpen(ctx, business); err != nil {
		return err
	}
	return r.reachBusiness(ctx, business)
}

func (m mutationResolver) AddToCart(
	ctx context.Context, businessID uuid.UUID, cartToken *string, items []*api.CartItemInput,
) (*api.AddToCartPayload, error) {
	if len(items) == 0 {
		return nil, fault.Invalid("items", "must not be empty")
	}
	added := make([]cart.Added, len(items))
	for i, item := range items {
		added[i] = cart.Added{
			Variant: item.StoreItemVariantID, Quantity: item.Quantity, At: fmt.Sprintf("items.%d.", i),
		}
	}
	var of cart.Owner
	var made *string
	var err error
	if isNewcomer(ctx, cartToken) {
		var secret string
		of, secret = m.r.Carts.Newcomer(businessID, request.Of(ctx).Credentials.Client)
		made, err = &secret, m.r.newcomerAt(ctx, businessID)
	} else {
		of, err = m.r.shopperAt(ctx, businessID, cartToken)
	}
	if err != nil {
		return nil, err
	}
	edited, err := m.r.Carts.Add(ctx, of, added...)
	message := api.Message("The item is in your cart.")
	if len(items) > 1 {
		message = "The items are in your cart."
	}
	return &api.AddToCartPayload{Message: message, Cart: edited, CartToken: made}, err
}

// SetCartQuantity sets the quantity of a line of the caller's cart; 0 removes it.
func (m mutationResolver) SetCartQuantity(
	ctx context.Context, businessID uuid.UUID, cartToken *string, itemID uuid.UUID, quantity int,
) (*api.CartPayload, error) {
	of, err := m.r.shopperAt(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	if quantity == 0 {
		edited, err := m.r.Carts.Remove(ctx, of, itemID)
		return &api.CartPayload{Message: "The item is taken out of your cart.", Cart: edited}, err
	}
	edited, err := m.r.Carts.Change(ctx, of, itemID, quantity)
	return &api.CartPayload{Message: "The quantity is changed.", Cart: edited}, err
}

func (m mutationResolver) EmptyCart(
	ctx context.Context, businessID uuid.UUID, cartToken *string,
) (*api.CartPayload, error) {
	of, err := m.r.shopperAt(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	emptied, err := m.r.Carts.Clear(ctx, of)
	return &api.CartPayload{Message: "Your cart is empty.", Cart: emptied}, err
}

func (m mutationResolver) MergeCart(
	ctx context.Context, businessID uuid.UUID, cartToken string,
) (*api.CartMergePayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	merged, left, err := m.r.Carts.Merge(ctx, customer, guest)
	message := api.Message("Both carts are one now.")
	if len(left) > 0 {
		message = "Both carts are one now; some items did not fit."
	}
	return &api.CartMergePayload{Message: message, Cart: merged, LeftOut: list.Pointers(left)}, err
}

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

// inOrder returns rows in the order of ids, nil where a record is missing. It marks them as
// siblings whose fields are loaded together.
func inOrder[R any](ctx context.Context, ids []uuid.UUID, rows []R, idOf func(R) uuid.UUID) []R {
	list.RememberSiblings(ctx, rows)
	by := convert.ByKey(rows, idOf)
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
