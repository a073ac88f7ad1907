package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/favorite"
	"storefront/ent/product"
	"storefront/internal/cart"
	"storefront/internal/member"
	"storefront/internal/selection"
	"storefront/internal/transaction"
)

// newestFavorites is the order of favorites.
var newestFavorites = order{list: "favorites.newest", time: favorite.FieldCreatedAt}

// favoritesAt is what a customer keeps at a shop, the newest first.
func (r *Resolver) favoritesAt(of cart.Owner) (list[*ent.Favorite], fresh) {
	return list[*ent.Favorite]{
		order: newestFavorites,
		read: func(ctx context.Context, part stretch) ([]*ent.Favorite, error) {
			return r.favoritesOf(of).Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(of.In(ctx))
		},
		place: func(f *ent.Favorite) place { return place{time: f.CreatedAt, id: f.ID} },
	}, func(ctx context.Context) (int, error) { return r.favoritesOf(of).Count(of.In(ctx)) }
}

// Favorites is a page of what the customer keeps at a shop, the newest first.
func (r userResolver) Favorites(ctx context.Context, _ *ent.User, businessID uuid.UUID, number, size int) (*FavoritePage, error) {
	of, err := r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	l, n := r.favoritesAt(of)
	return &FavoritePage{pageOf(l, n, number, size)}, nil
}

// favoritesOf are a customer's own favorites: every answer about one begins here.
func (r *Resolver) favoritesOf(of cart.Owner) *ent.FavoriteQuery {
	return r.store.Favorite.Query().Where(favorite.UserID(of.User))
}

// Product is the product of each favorite, where it is published.
func (r favoriteResolver) Product(ctx context.Context, favorites []*ent.Favorite) ([]*ent.Product, error) {
	ids := idsOf(favorites, func(f *ent.Favorite) uuid.UUID { return f.ProductID })
	found, err := r.publishedProducts(ctx).Where(product.IDIn(ids...)).Collect(selection.Of(ctx)).All(in(ctx, favorites[0].TenantID))
	together(ctx, found) // each stands in a favorite of its own
	by := make(map[uuid.UUID]*ent.Product, len(found))
	for _, p := range found {
		by[p.ID] = p
	}
	products := make([]*ent.Product, len(ids))
	for i, id := range ids {
		products[i] = by[id]
	}
	return products, err
}

// AddFavorite keeps a product.
func (m mutationResolver) AddFavorite(ctx context.Context, businessID uuid.UUID, input FavoriteInput) (*FavoritePayload, error) {
	of, err := m.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	ctx = of.In(ctx)
	if _, err := m.publishedProducts(ctx).Where(product.ID(input.ProductID)).OnlyID(ctx); err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, m.store, func(tx *ent.Tx) error {
		if err := member.Link(ctx, tx, of.User, of.Business); err != nil {
			return err
		}
		return tx.Favorite.Create().SetUserID(of.User).SetProductID(input.ProductID).SetCreatedAt(now(ctx)).
			OnConflictColumns(favorite.FieldTenantID, favorite.FieldUserID, favorite.FieldProductID).Ignore().Exec(ctx)
	})
	if err != nil {
		return nil, err
	}
	kept, err := m.favoritesOf(of).Where(favorite.ProductID(input.ProductID)).Only(ctx)
	return &FavoritePayload{kept, "The product is among your favorites."}, err
}

// RemoveFavorite forgets a product.
func (m mutationResolver) RemoveFavorite(ctx context.Context, businessID, productID uuid.UUID) (*MessagePayload, error) {
	of, err := m.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, m.store, func(tx *ent.Tx) error {
		if err := member.Link(ctx, tx, of.User, of.Business); err != nil {
			return err
		}
		_, err := tx.Favorite.Delete().Where(favorite.UserID(of.User), favorite.ProductID(productID)).Exec(of.In(ctx))
		return err
	})
	return said("The product is not among your favorites.", err)
}
