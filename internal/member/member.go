// Package member links customers' accounts to shops. Registration (internal/account) and the first write to
// a cart or to favorites make such links.
package member

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
)

// Link makes a user an active member of a business, in the transaction of what makes it one. A pending
// membership becomes active.
func Link(ctx context.Context, tx *ent.Tx, user, business uuid.UUID) error {
	return tx.Membership.Create().SetUserID(user).SetBusinessID(business).
		OnConflictColumns(membership.FieldUserID, membership.FieldBusinessID).
		Update(func(u *ent.MembershipUpsert) { u.ClearPendingUntil().UpdateUpdatedAt() }).Exec(ctx)
}
