package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/cart"
)

// Cart is the customer's cart at a shop.
func (r userResolver) Cart(ctx context.Context, _ *ent.User, businessID uuid.UUID) (*cart.Cart, error) {
	customer, err := customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return r.carts.Read(ctx, customer)
}

// AddCartItem puts a variant into the cart.
func (m mutationResolver) AddCartItem(
	ctx context.Context, businessID uuid.UUID, input CartItemInput,
) (*CartPayload, error) {
	customer, err := customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.carts.Add(ctx, customer, input.StoreItemVariantID, input.Quantity))("The item is in your cart.")
}

// UpdateCartItem sets the units of a line.
func (m mutationResolver) UpdateCartItem(
	ctx context.Context, businessID, itemID uuid.UUID, input CartItemChangeInput,
) (*CartPayload, error) {
	customer, err := customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.carts.Change(ctx, customer, itemID, input.Quantity))("The quantity is changed.")
}

// RemoveCartItem takes a line out.
func (m mutationResolver) RemoveCartItem(
	ctx context.Context, businessID, itemID uuid.UUID,
) (*CartPayload, error) {
	customer, err := customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.carts.Remove(ctx, customer, itemID))("The item is taken out of your cart.")
}

// ClearCart takes all lines out.
func (m mutationResolver) ClearCart(ctx context.Context, businessID uuid.UUID) (*CartPayload, error) {
	customer, err := customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.carts.Clear(ctx, customer))("Your cart is empty.")
}

// withCart answers an edit with words and the cart.
func withCart(edited *cart.Cart, err error) func(message Message) (*CartPayload, error) {
	return func(message Message) (*CartPayload, error) {
		if err != nil {
			return nil, err
		}
		return &CartPayload{Message: message, Cart: edited}, nil
	}
}
