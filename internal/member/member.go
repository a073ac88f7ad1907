// Package member ties customers' accounts to shops.
package member

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
)

// Link makes a user an active member of a business, in the transaction that gives the reason for it.
func Link(ctx context.Context, tx *ent.Tx, user, business uuid.UUID) error {
	return tx.Membership.Create().SetUserID(user).SetBusinessID(business).
		OnConflictColumns(membership.FieldUserID, membership.FieldBusinessID).
		Update(func(u *ent.MembershipUpsert) { u.ClearPendingUntil().UpdateUpdatedAt() }).Exec(ctx)
}
