package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/favorite"
	"storefront/ent/product"
	"storefront/internal/api"
	"storefront/internal/customer/favorites"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
)

func (r userResolver) Favorites(
	ctx context.Context, _ *ent.User, businessID uuid.UUID, page, pageSize int,
) (*api.FavoritePage, error) {
	customer, err := r.r.customerAt(ctx, businessID)
	return list.FreshPage(ctx, list.RowList(businessID, list.NewestMade("favorites.newest"),
		func() *ent.FavoriteQuery { return r.r.favoritesOf(customer) },
		func(f *ent.Favorite) (time.Time, uuid.UUID) { return f.CreatedAt, f.ID }), page, pageSize), err
}

// favoritesOf returns the query for a customer's own favorites. All reads of favorites start from it.
func (r *Resolver) favoritesOf(customer cart.Owner) *ent.FavoriteQuery {
	return r.Store.Favorite.Query().Where(favorite.UserID(customer.User))
}

func (r favoriteResolver) Product(ctx context.Context, favorites []*ent.Favorite) ([]*ent.Product, error) {
	ids := convert.All(favorites, func(f *ent.Favorite) uuid.UUID { return f.ProductID })
	return r.r.published(ctx, favorites[0].TenantID, ids)
}

// IsFavorite reports for each product whether it is a favorite of the signed-in customer. It is nil for visitors.
func (r productResolver) IsFavorite(ctx context.Context, products []*ent.Product) ([]*bool, error) {
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return make([]*bool, len(products)), nil // visitors may ask for it
	}
	customer := cart.Owner{Business: products[0].TenantID, User: caller.User}
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	found, err := r.r.favoritesOf(customer).Where(favorite.ProductIDIn(ids...)).All(customer.In(ctx))
	kept := map[uuid.UUID]bool{}
	for _, f := range found {
		kept[f.ProductID] = true
	}
	return convert.All(ids, func(id uuid.UUID) *bool { return new(kept[id]) }), err
}

func (m mutationResolver) AddFavorite(
	ctx context.Context, businessID uuid.UUID, input api.FavoriteInput,
) (*api.FavoritePayload, error) {
	customer, err := m.r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	ctx = customer.In(ctx)
	if _, err := m.r.Catalog.PublishedProducts(ctx).Where(product.ID(input.ProductID)).OnlyID(ctx); err != nil {
		return nil, unknownIn("input.productId", err)
	}
	kept, err := favorites.Add(ctx, m.r.Store, customer, input.ProductID, request.Of(ctx).Now)
	if err != nil {
		return nil, unknownIn("input.productId", err)
	}
	return &api.FavoritePayload{Favorite: kept, Message: "The product is among your favorites."}, nil
}

func (m mutationResolver) RemoveFavorite(
	ctx context.Context, businessID, productID uuid.UUID,
) (*api.MessagePayload, error) {
	customer, err := m.r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	err = favorites.Remove(ctx, m.r.Store, customer, productID)
	return messagePayload("The product is not among your favorites.", err)
}
