// Package member links customers' accounts to shops. Registration (internal/account) and the first write to
// a cart or to favorites make such links.
package member

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/tenant"
	"storefront/internal/fault"
)

// Link makes a user an active member of a business, in the caller's transaction. A pending membership becomes
// active.
func Link(ctx context.Context, tx *ent.Tx, user, business uuid.UUID) error {
	return tx.Membership.Create().SetUserID(user).SetBusinessID(business).
		OnConflict(sql.ConflictColumns(membership.FieldUserID, membership.FieldBusinessID),
			sql.ResolveWith(func(u *sql.UpdateSet) {
				u.SetNull(membership.FieldPendingUntil).SetExcluded(membership.FieldUpdatedAt)
			})).Exec(ctx)
}

// Linking is the SQL of Link, to be part of a larger statement (database.Statement): it links $user to the
// business $tenant at the time $at by a new $membership, if there is a row to link from.
func Linking(from string) string {
	return `INSERT INTO memberships (id, user_id, business_id, created_at, updated_at)
		SELECT $membership, $user, $tenant, $at, $at ` + from + `
		ON CONFLICT (user_id, business_id) DO UPDATE SET pending_until = NULL, updated_at = excluded.updated_at`
}

// CheckBusiness fails with NOT_FOUND unless there is a business of that id.
func CheckBusiness(ctx context.Context, store *ent.Client, business uuid.UUID) error {
	found, err := store.Tenant.Query().Where(tenant.ID(business)).Exist(ctx)
	if err == nil && !found {
		err = NoBusiness()
	}
	return err
}

// Closed says that a shop is closed while it moves to another installation.
func Closed() error {
	closed := fault.New(fault.ShopClosed, "this shop is closed for some minutes; try again later")
	closed.RetryAfter = time.Minute
	return closed
}

// Paused says that a shop is closed to its customers, because its owner says so.
func Paused() error {
	closed := fault.New(fault.ShopClosed, "this shop is closed")
	closed.RetryAfter = time.Minute // nobody knows when, and who obeys is not to stay away for long after that
	return closed
}

// NoBusiness says that there is no business of the id that was given.
func NoBusiness() error { return fault.New(fault.NotFound, "there is no such business") }
