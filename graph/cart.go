package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/auth"
	"storefront/internal/cart"
	"storefront/internal/catalog"
)

// Cart is the customer's cart at a shop.
func (r userResolver) Cart(ctx context.Context, _ *ent.User, businessID uuid.UUID) (*cart.Cart, error) {
	customer, err := r.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return r.r.carts.Read(ctx, customer)
}

// AddCartItem puts a variant into the cart.
func (m mutationResolver) AddCartItem(
	ctx context.Context, businessID uuid.UUID, input model.CartItemInput,
) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Add(ctx, customer, input.StoreItemVariantID, input.Quantity))("The item is in your cart.")
}

// UpdateCartItem sets the units of a line.
func (m mutationResolver) UpdateCartItem(
	ctx context.Context, businessID, itemID uuid.UUID, input model.CartItemChangeInput,
) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Change(ctx, customer, itemID, input.Quantity))("The quantity is changed.")
}

// RemoveCartItem takes a line out.
func (m mutationResolver) RemoveCartItem(
	ctx context.Context, businessID, itemID uuid.UUID,
) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Remove(ctx, customer, itemID))("The item is taken out of your cart.")
}

// ClearCart takes all lines out.
func (m mutationResolver) ClearCart(ctx context.Context, businessID uuid.UUID) (*model.CartPayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Clear(ctx, customer))("Your cart is empty.")
}

// GuestCart is the cart of a guest at a shop.
func (r queryResolver) GuestCart(ctx context.Context, businessID uuid.UUID, cartToken string) (*cart.Cart, error) {
	guest, err := r.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	return r.r.carts.Read(ctx, guest)
}

// guestOf is the owner of a guest's cart.
func (r *Resolver) guestOf(ctx context.Context, businessID uuid.UUID, cartToken string) (cart.Owner, error) {
	return r.carts.Guest(businessID, cartToken, auth.CredentialsOf(ctx).Client), r.checkOpen(ctx, businessID)
}

// CreateCart gives a guest the token of a cart.
func (m mutationResolver) CreateCart(ctx context.Context, businessID uuid.UUID) (*model.GuestCartPayload, error) {
	if err := m.r.checkOpen(ctx, businessID); err != nil {
		return nil, err
	}
	made, token, err := m.r.carts.NewGuest(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return &model.GuestCartPayload{Message: "Your cart is ready.", CartToken: token, Cart: made}, nil
}

// AddGuestCartItem puts a variant into a guest's cart.
func (m mutationResolver) AddGuestCartItem(
	ctx context.Context, businessID uuid.UUID, cartToken string, input model.CartItemInput,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Add(ctx, guest, input.StoreItemVariantID, input.Quantity))("The item is in your cart.")
}

// UpdateGuestCartItem sets the units of a line.
func (m mutationResolver) UpdateGuestCartItem(
	ctx context.Context, businessID uuid.UUID, cartToken string, itemID uuid.UUID, input model.CartItemChangeInput,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Change(ctx, guest, itemID, input.Quantity))("The quantity is changed.")
}

// RemoveGuestCartItem takes a line out.
func (m mutationResolver) RemoveGuestCartItem(
	ctx context.Context, businessID uuid.UUID, cartToken string, itemID uuid.UUID,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Remove(ctx, guest, itemID))("The item is taken out of your cart.")
}

// ClearGuestCart takes all lines out.
func (m mutationResolver) ClearGuestCart(
	ctx context.Context, businessID uuid.UUID, cartToken string,
) (*model.CartPayload, error) {
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	return withCart(m.r.carts.Clear(ctx, guest))("Your cart is empty.")
}

// MergeCart puts a guest's cart into that of the customer who has signed in.
func (m mutationResolver) MergeCart(
	ctx context.Context, businessID uuid.UUID, cartToken string,
) (*model.CartMergePayload, error) {
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	guest, err := m.r.guestOf(ctx, businessID, cartToken)
	if err != nil {
		return nil, err
	}
	merged, left, err := m.r.carts.Merge(ctx, customer, guest)
	if err != nil {
		return nil, err
	}
	message := model.Message("Both carts are one now.")
	if len(left) > 0 {
		message = "Both carts are one now; some items did not fit."
	}
	return &model.CartMergePayload{Message: message, Cart: merged, LeftOut: catalog.Pointers(left)}, nil
}

// withCart answers an edit with words and the cart.
func withCart(edited *cart.Cart, err error) func(message model.Message) (*model.CartPayload, error) {
	return func(message model.Message) (*model.CartPayload, error) {
		if err != nil {
			return nil, err
		}
		return &model.CartPayload{Message: message, Cart: edited}, nil
	}
}
