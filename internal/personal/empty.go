package personal

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/cart"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/favorite"
	"storefront/ent/idempotencykey"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
)

// Empty removes from an account without orders what somebody other than its holder may have put into it:
// profile, addresses, carts, favorites, listings, uploads, stored answers, and the active memberships of all
// shops except but. Comments and reviews stay, without an author. Pending memberships stay: they show
// nothing. If there is an order, which may be the holder's, Empty does nothing. It reports whether it
// emptied the account.
func Empty(ctx context.Context, tx *ent.Tx, id uuid.UUID, but *uuid.UUID) (emptied bool, err error) {
	if _, err := lock(ctx, tx, id); err != nil {
		return false, err
	}
	if ordered, err := hasOrdered(ctx, tx, id); err != nil || ordered {
		return false, err
	}
	shops, err := shopsOf(ctx, tx.Client(), id)
	if err != nil {
		return false, err
	}
	for _, shop := range shops {
		if err := emptyAt(ctx, tx, shop, id); err != nil {
			return false, err
		}
	}
	left := tx.Membership.Delete().Where(membership.UserID(id), membership.PendingUntilIsNil())
	if but != nil {
		left.Where(membership.BusinessIDNEQ(*but))
	}
	if _, err := left.Exec(ctx); err != nil {
		return false, err
	}
	if _, err := tx.Address.Delete().Where(address.UserID(id)).Exec(ctx); err != nil {
		return false, err
	}
	err = tx.IdempotencyKey.Update().Where(idempotencykey.UserID(id)).ClearAnswer().SetSize(0).Exec(ctx)
	if err != nil {
		return false, err
	}
	return true, tx.User.Update().Where(user.ID(id)).ClearFirstName().ClearLastName().ClearEmail().
		SetSearchText("").Exec(ctx)
}

// emptyAt deletes the data of a shop about an account without orders.
func emptyAt(ctx context.Context, tx *ent.Tx, shop, id uuid.UUID) error {
	ctx, err := derive.Lock(tenancy.In(ctx, shop), tx, shop)
	if err != nil {
		return err
	}
	var erased Figures
	if _, err := forgetListings(ctx, tx, shop, id, &erased); err != nil {
		return err
	}
	if err := forgetUploads(ctx, tx, id, &erased); err != nil {
		return err
	}
	if _, err := tx.Favorite.Delete().Where(favorite.UserID(id)).Exec(ctx); err != nil {
		return err
	}
	if _, err := tx.Cart.Delete().Where(cart.UserID(id)).Exec(ctx); err != nil {
		return err
	}
	if err := tx.Comment.Update().Where(comment.UserID(id)).ClearUserID().Exec(ctx); err != nil {
		return err
	}
	if err := tx.ExpertReview.Update().Where(expertreview.UserID(id)).ClearUserID().Exec(ctx); err != nil {
		return err
	}
	if erased.Listings == 0 {
		return nil
	}
	return derive.Raise(ctx, tx, shop)
}

// hasOrdered reports whether an account has an order at any shop.
func hasOrdered(ctx context.Context, tx *ent.Tx, id uuid.UUID) (bool, error) {
	rows, err := tx.Client().QueryContext(ctx, "SELECT EXISTS (SELECT 1 FROM orders WHERE user_id = $1)", id)
	if err != nil {
		return false, fmt.Errorf("look for a customer's orders: %w", err)
	}
	defer rows.Close()
	var found bool
	err = sql.ScanOne(rows, &found)
	return found, err
}
