package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/graph/model"
)

// These mutations come in pairs, one for customers and one for guests. They are deprecated in favour of those in
// cart.go, which serve both.

// AddCartItem adds a variant to the customer's cart.
func (m mutationResolver) AddCartItem(
	ctx context.Context, businessID uuid.UUID, input model.CartItemInput,
) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	return m.r.add(ctx, customer, err, input)
}

// UpdateCartItem sets the quantity of a line.
func (m mutationResolver) UpdateCartItem(
	ctx context.Context, businessID, itemID uuid.UUID, input model.CartItemChangeInput,
) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	return m.r.setQuantity(ctx, customer, err, itemID, input.Quantity)
}

// RemoveCartItem removes a line.
func (m mutationResolver) RemoveCartItem(
	ctx context.Context, businessID, itemID uuid.UUID,
) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	return m.r.takeOut(ctx, customer, err, itemID)
}

// ClearCart removes all lines.
func (m mutationResolver) ClearCart(ctx context.Context, businessID uuid.UUID) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	return m.r.takeAllOut(ctx, customer, err)
}

// CreateCart gives a guest a new cart and its token.
func (m mutationResolver) CreateCart(ctx context.Context, businessID uuid.UUID) (*model.GuestCartPayload, error) {
	if err := m.r.checkOpen(ctx, businessID); err != nil {
		return nil, err
	}
	made, token, err := m.r.Carts.NewGuest(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return &model.GuestCartPayload{Message: "Your cart is ready.", CartToken: token, Cart: made}, nil
}

// AddGuestCartItem adds a variant to a guest's cart.
func (m mutationResolver) AddGuestCartItem(
	ctx context.Context, businessID uuid.UUID, cartToken string, input model.CartItemInput,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	return m.r.add(ctx, guest, err, input)
}

// UpdateGuestCartItem sets the quantity of a line.
func (m mutationResolver) UpdateGuestCartItem(
	ctx context.Context, businessID uuid.UUID, cartToken string, itemID uuid.UUID, input model.CartItemChangeInput,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	return m.r.setQuantity(ctx, guest, err, itemID, input.Quantity)
}

// RemoveGuestCartItem removes a line.
func (m mutationResolver) RemoveGuestCartItem(
	ctx context.Context, businessID uuid.UUID, cartToken string, itemID uuid.UUID,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	return m.r.takeOut(ctx, guest, err, itemID)
}

// ClearGuestCart removes all lines.
func (m mutationResolver) ClearGuestCart(
	ctx context.Context, businessID uuid.UUID, cartToken string,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	return m.r.takeAllOut(ctx, guest, err)
}
