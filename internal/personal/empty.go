package personal

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/idempotencykey"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
)

// Empty removes from an account without orders what somebody other than its holder may have put into it:
// profile, addresses, carts, favorites, listings, uploads, stored answers, and the active memberships of all
// shops except but. Comments and reviews stay, without an author. Pending memberships stay: they show
// nothing. If there is an order, which may be the holder's, Empty does nothing. It reports whether it
// emptied the account.
func Empty(ctx context.Context, tx *ent.Tx, id uuid.UUID, but *uuid.UUID) (emptied bool, err error) {
	who, err := Lock(ctx, tx, id)
	if err != nil {
		return false, err
	}
	if ordered, err := hasOrdered(ctx, tx, id); err != nil || ordered {
		return false, err
	}
	w := walkerOf(tx.Raw(), who, false)
	shops, err := w.shops(ctx, false)
	if err != nil {
		return false, err
	}
	for _, shop := range shops {
		if err := w.emptyAt(ctx, tx, shop); err != nil {
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
func (w *walker) emptyAt(ctx context.Context, tx *ent.Tx, shop uuid.UUID) error {
	ctx, err := derive.Lock(tenancy.In(ctx, shop), tx, shop)
	if err != nil {
		return err
	}
	found, _, err := w.find(ctx, shop)
	if err != nil {
		return err
	}
	for _, name := range []string{"comments", "expert_reviews", "contact_submissions", "memberships"} {
		delete(found, name)
	}
	if err := w.forgetRows(ctx, tx, shop, found); err != nil {
		return err
	}
	if err := tx.Comment.Update().Where(comment.UserID(w.id)).ClearUserID().Exec(ctx); err != nil {
		return err
	}
	if err := tx.ExpertReview.Update().Where(expertreview.UserID(w.id)).ClearUserID().Exec(ctx); err != nil {
		return err
	}
	if len(found["user_products"]) == 0 {
		return nil
	}
	return derive.Raise(ctx, tx, shop)
}

var anyOrder = database.Statement(`SELECT 1 FROM orders WHERE user_id = $user LIMIT 1`)

// hasOrdered reports whether an account has an order at any shop.
func hasOrdered(ctx context.Context, tx *ent.Tx, id uuid.UUID) (bool, error) {
	return anyOrder.Row(ctx, tx.Raw(), database.Values{"user": id}, new(int))
}
